# What inside.sh and slurm.sh share; they set failed=0.
# shellcheck shell=bash disable=SC2034
check() { # title, command...: the command must succeed
    if "${@:2}" > log 2>&1; then
        echo "ok      $1"
    else
        echo "FAILED  $1: ${*:2}"
        tail -n 15 log
        failed=1
    fi
}
gives() { # title, pattern, command...: what the command prints matches the pattern
    local printed
    printed=$("${@:3}" 2>&1)
    # shellcheck disable=SC2053 # it is a pattern
    if [[ $printed == $2 ]]; then
        echo "ok      $1"
    else
        printf 'FAILED  %s: %s gave\n%s\n' "$1" "${*:3}" "${printed:0:2000}"
        failed=1
    fi
}
apt() { apt-get -qq -y -o Dpkg::Use-Pty=0 --no-install-recommends "$@"; }
