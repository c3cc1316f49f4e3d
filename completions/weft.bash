# bash completion for weft and weft-lab.  Commands, flags, formats and generators are asked from the program itself, which starts
# in milliseconds, so that this file cannot fall behind it.

# weft-lab is `weft lab`, and has help on nothing else.
_weft_help() { # topic...
    if [[ ${weft##*/} == weft-lab ]]; then "$weft" --help 2>/dev/null; else "$weft" help "$@" --all 2>/dev/null; fi
}

_weft_ladders() { # nothing, where weft finds no weft-lab
    local lab=("$weft" lab)
    [[ ${weft##*/} != weft-lab ]] || lab=("$weft")
    "${lab[@]}" 2>/dev/null | sed -nE 's/^([a-z]+): .*/\1/p'
    echo all
}

# First words of the indented lines below a heading of `weft help`.
_weft_listed() { # heading, topic...
    local heading=$1
    shift
    _weft_help "$@" | awk -v heading="$heading" '
        /^[^ ]/ { inside = index($0, heading) == 1 }
        inside && /^  [a-z]/ { print $1 }'
}

_weft_flags() { _weft_help "$@" | grep -oE '^  (-[a-z], |    )--[a-z][a-z0-9-]*' | grep -oE -- '--.*'; }

_weft_formats() { # read|write
    _weft_help formats | awk -v able="$1" '/^  [a-z]/ && $1 != "name" && index($0, able) { print $1 }'
}

# The values of a flag that offers a choice: "--ids auto|integer|string".
_weft_choices() { # flag, topic
    _weft_help "$2" | grep -E -m 1 "^  (-[a-z], |    )$1 " |
        sed -nE "s/^[^[]*$1 \[?([a-z]+(\|[a-z]+)+)\]?.*/\1/p" | tr '|' '\n'
}

_weft() {
    local weft=${COMP_WORDS[0]} word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
    local command='' kind='' ladder='' i words=''
    [[ ${weft##*/} != weft-lab ]] || command=lab
    for ((i = 1; i < COMP_CWORD; i++)); do
        [[ ${COMP_WORDS[i]} == -* ]] && continue
        if [[ -z $command ]]; then
            command=${COMP_WORDS[i]}
        elif [[ $command == generate && -z $kind && ${COMP_WORDS[i - 1]} != -* ]]; then
            kind=${COMP_WORDS[i]}
        elif [[ $command == lab && ${COMP_WORDS[i - 1]} != -* ]]; then
            ladder=${COMP_WORDS[i]}
        fi
    done
    COMPREPLY=()
    case $before in
    --format | -f) words=$(_weft_formats read) ;;
    --to) words=$(_weft_formats write) ;;
    -o | --output) words='' ;;
    --*) words=$(_weft_choices "$before" "${kind:-${command:-info}}") ;;
    esac
    if [[ -z $words && $before != -o && $before != --output ]]; then
        if [[ $word == -* ]]; then
            words=$(_weft_flags "${kind:-${command:-info}}")
            [[ -z $command || $command == lab ]] && words+=' --version'
        elif [[ -z $command ]]; then
            words="$(_weft_listed Commands) $(_weft_listed Algorithms) $(_weft_listed Other)"
        elif [[ $command == generate && -z $kind ]]; then
            words=$(_weft_listed Kinds generate)
        elif [[ $command == lab && -z $ladder && $before != -* ]]; then
            words=$(_weft_ladders)
        elif [[ $command == help ]]; then
            words="$(_weft_listed Commands) $(_weft_listed Algorithms) $(_weft_listed "More help")"
            words+=" $(_weft_listed Kinds generate)"
        fi
    fi
    if [[ -n $words ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
    else
        compopt -o filenames 2>/dev/null
        mapfile -t COMPREPLY < <(compgen -f -- "$word")
    fi
}

complete -F _weft weft weft-lab
