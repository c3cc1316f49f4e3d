# Makes one source of several .cu files, so that what they all include is compiled once:
#   awk -f cmake/one_unit.awk A.cu B.cu ... > ALL.cu
# First come all #include lines. Then each file, in a namespace of its own, so that it keeps its names to itself; what others call,
# functions that begin with wfi_ or weft_ and are not static, stands outside of it, with the namespace in view. This takes the files to be laid
# out by clang-format: what is of the file begins in the first column, and a function ends with } there.
function say(text) { body = body text "\n" }
function mark(line) { say("#line " line " \"" FILENAME "\"") }
function end_file() {
    if (space == "") return
    say("}")
    for (name in macros) say("#undef " name)
    split("", macros)
    split("", types)
}
# Types of the file's own are spelled out in what stands outside.
function spelled(text,    name, at) {
    for (name in types)
        while (match(text, "[(, ]" name " [*&a-z]")) {
            at = RSTART
            text = substr(text, 1, at) types[name] substr(text, at + 1 + length(name))
        }
    return text
}

# Names that enum { ... } gives in this file: macros keep them apart, since headers may have the same.
function rename_constants(    line, words, n, i, open) {
    while ((getline line < FILENAME) > 0) {
        if (line ~ /^enum {/ || line ~ /^enum [a-z_]+ {/) open = 1
        if (!open) continue
        sub(/\/\*.*/, "", line)
        n = split(line, words, /[^A-Za-z0-9_]+/)
        for (i = 1; i <= n; i++)
            if (words[i] ~ /^[A-Z][A-Z0-9_]+$/ && words[i] !~ /^WFI_|^WEFT_|^UINT/ && line ~ words[i] " *(=|,|}|$)" && !(words[i] in macros)) {
                macros[words[i]]
                say("#define " words[i] " " space "_" words[i])
            }
        if (line ~ /}/) open = 0
    }
    close(FILENAME)
}

FNR == 1 {
    end_file()
    space = FILENAME
    gsub(/[^A-Za-z0-9]/, "_", space)
    space = "wfi_unit" space
    inside = 1
    rename_constants()
    say("namespace " space " {")
    mark(1)
}
/^#[ \t]*include/ {
    if (!seen[$0]++) heads = heads $0 "\n"
    say("")
    next
}
/^#[ \t]*define/ {
    split($2, words, "(")
    macros[words[1]]
}
/^typedef [a-z ]+;$/ {
    name = $NF
    sub(/;/, "", name)
    type = $0
    sub(/^typedef /, "", type)
    sub(/ [a-z_]+;$/, "", type)
    types[name] = type
}
inside && (/^extern "C" / || /^(wfi|weft)_[a-z0-9_]*::/ || /^[a-z][A-Za-z0-9_ ]* [*&]*(wfi|weft)_[a-z0-9_]*(::[a-z0-9_]+)?\(/) && !/^(static|template|typedef|using) / {
    inside = 0
    signature = 1
    say("}")
    mark(FNR)
}
signature {
    line = spelled($0)
    signature = sub(/{/, "{ using namespace " space ";", line) == 0 && line !~ /;$/
    say(line)
    if (signature || line ~ /{[^}]*$/) next
}
!inside && !signature && (/^}/ || /}$/ && /^[a-z]/ || /;$/ && /^[a-z]/) {
    if (/^}/) say($0)
    say("namespace " space " {")
    mark(FNR + 1)
    inside = 1
    next
}
{ say($0) }
END {
    end_file()
    printf "%s%s", heads, body
}
