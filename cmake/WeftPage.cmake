# cmake -DSOURCE=... -DOUT=... -DNAME=... -DFILES=a;b -P WeftPage.cmake: the files' text, one after the other, as a C string NAME.
# A line {{file PATH}} in it stands for the text of that file.
set(text "")
foreach(file ${FILES})
    file(READ ${SOURCE}/${file} more)
    string(APPEND text "${more}")
endforeach()
string(REGEX MATCHALL "{{file [^}]*}}\n" marks "${text}")
foreach(mark ${marks})
    string(REGEX REPLACE "{{file ([^}]*)}}\n" "\\1" file "${mark}")
    file(READ ${SOURCE}/${file} more)
    string(REPLACE "${mark}" "${more}" text "${text}")
endforeach()
string(REPLACE "\\" "\\\\" text "${text}")
string(REPLACE "\"" "\\\"" text "${text}")
string(REPLACE "?" "\\?" text "${text}") # no trigraphs
string(REPLACE "\n" "\\n\"\n    \"" text "${text}")
file(WRITE ${OUT} "/* Made by cmake/WeftPage.cmake of ${FILES}. */\nextern const char ${NAME}[];\nconst char ${NAME}[] =\n    \"${text}\";\n")
