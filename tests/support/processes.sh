# What other processes are doing: conditions to wait for, in the place of fixed times.  Sourced.
# shellcheck shell=bash disable=SC2034

# State and processor time (in ticks, mostly of 10 ms) of a process: "S 12"; nothing when it is gone.
state_of() { # process
    local stat
    { read -r stat < "/proc/$1/stat"; } 2> /dev/null || return 0
    read -ra stat <<< "${stat##*) }"
    echo "${stat[0]} $((stat[11] + stat[12]))"
}

# Waits, at most 20 s, until a process has had so much time, or has ended.
has_worked() { # process, ticks
    local state turns
    for ((turns = 0; turns < 1000; turns++)); do
        state=$(state_of "$1")
        if [[ -z $state || $state == Z* ]] || ((${state#* } >= $2)); then break; fi
        sleep 0.02
    done
}

# Waits, at most 20 s, until a process has done nothing but wait for 0.2 s, or has had so much time, or has ended.
has_settled() { # process, ticks
    local state last='' turns still=0
    for ((turns = 0; turns < 1000 && still < 10; turns++)); do
        state=$(state_of "$1")
        if [[ -z $state || $state == Z* ]] || ((${state#* } >= ${2:-1000000})); then break; fi
        if [[ $state == S* && $state == "$last" ]]; then still=$((still + 1)); else still=0; fi
        last=$state
        sleep 0.02
    done
}

# Waits for the end of a child, and puts one to it after 20 s; its exit code is in $code.
ends_soon() { # process
    local turns
    for ((turns = 0; turns < 1000; turns++)); do
        [[ $(state_of "$1") == [!Z]* ]] || break
        sleep 0.02
    done
    kill -KILL "$1" 2> /dev/null || true
    code=0
    wait "$1" 2> /dev/null || code=$?
}
