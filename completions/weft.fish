# fish completion for weft and weft-lab.  Commands, flags, formats and generators are asked from the program itself, which starts in
# milliseconds, so that this file cannot fall behind it.

# weft-lab is `weft lab`, and has help on nothing else.
function __weft_help
    set -l program (commandline -opc)[1]
    if string match -q '*weft-lab' -- $program
        $program --help 2>/dev/null
    else
        $program help $argv --all 2>/dev/null
    end
end

# "word<tab>what it is", of the indented lines below a heading of `weft help`.
function __weft_listed -a heading
    __weft_help $argv[2..] | awk -v heading="$heading" '
        /^[^ ]/ { inside = index($0, heading) == 1 }
        inside && /^  [a-z]/ { word = $1; sub(/^ *[^ ]+ */, ""); print word "\t" $0 }'
end

# The words before the cursor that are no flags, without the program's.
function __weft_words
    string match -v -- '-*' (commandline -opc)[2..]
end

function __weft_command
    string match -q '*weft-lab' -- (commandline -opc)[1]; and echo lab; and return
    set -l words (__weft_words)
    test (count $words) -gt 0; and echo $words[1]
end

# Whose flags are asked for: a kind of generator, else the command.
function __weft_topic
    set -l words (__weft_words)
    set -l command (__weft_command)
    if test "$command" = generate; and test (count $words) -gt 1
        echo $words[2]
    else if test -n "$command"
        echo $command
    else
        echo info
    end
end

function __weft_flags
    __weft_help (__weft_topic) | string match -rg '^  (?:-[a-z], |    )(--[a-z][a-z0-9-]*)'
end

function __weft_first
    set -l command (__weft_command)
    if test -z "$command"
        __weft_listed Commands
        __weft_listed Algorithms
        __weft_listed Other
    else if test "$command" = help
        __weft_listed Commands
        __weft_listed Algorithms
        __weft_listed "More help"
    else if test "$command" = generate; and test (count (__weft_words)) -eq 1
        __weft_listed Kinds generate
    end
end

for program in weft weft-lab
    complete -c $program -n 'string match -q -- "-*" (commandline -ct)' -f -a '(__weft_flags)'
    complete -c $program -n 'not string match -q -- "-*" (commandline -ct)' -a '(__weft_first)'
end
