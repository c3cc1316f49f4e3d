#!/usr/bin/env bash
# The Debian packages in a fresh Debian root: packaging/Containerfile's steps are taken there, the packages are installed with what they
# depend on, used (also under Slurm) and removed (inside.sh), and nothing may be left.  Needs root, mmdebstrap or debootstrap, and Debian's
# archive; exit code 77 where it cannot run.  lintian looks at the packages first if it is there.
#   tests/packages/fresh_root.sh [FOLDER]    FOLDER of the packages: build/packages if none is given
# WEFT_ROOT_TARBALL: a fresh root to start from, instead of a new one.
set -euo pipefail
source_dir=$(cd "$(dirname "$0")/../.." && pwd)
packages=$(realpath -m "${1:-$source_dir/build/packages}")
skip() {
    echo "skipped fresh_root: $*"
    exit 77
}
fail() {
    echo "FAILED  $*"
    exit 1
}

compgen -G "$packages/weft_*.deb" > /dev/null || fail "there are no packages in $packages: make packages makes them"
if ! command -v lintian > /dev/null; then
    echo "skipped lintian: it is not here"
else # nothing was uploaded to Debian, and no bug there asked for it
    lintian --allow-root --fail-on error,warning --suppress-tags initial-upload-closes-no-bugs "$packages"/*.deb || fail lintian
    echo "ok      lintian: no errors, no warnings"
fi
[ "$(id -u)" = 0 ] || skip "only root can make a Debian root"
unshare --mount --pid --uts --fork true 2> /dev/null || skip "unshare makes no mounts of its own here"
[ -n "${WEFT_ROOT_TARBALL:-}" ] || command -v mmdebstrap > /dev/null || command -v debootstrap > /dev/null || skip "no mmdebstrap, no debootstrap"

scratch=$(mktemp -d)
trap 'rm -rf --one-file-system "$scratch"' EXIT
chmod 755 "$scratch"
root=$scratch/root
containerfile=$source_dir/packaging/Containerfile
suite=$(sed -n 's/^FROM debian:\([a-z]*\).*/\1/p' "$containerfile")
mkdir "$root"
if [ -n "${WEFT_ROOT_TARBALL:-}" ]; then
    tar xf "$WEFT_ROOT_TARBALL" -C "$root"
elif command -v mmdebstrap > /dev/null; then
    mmdebstrap --quiet --variant=minbase "$suite" "$root" > "$scratch/log" 2>&1 || { cat "$scratch/log"; skip "mmdebstrap makes no $suite"; }
else
    debootstrap --variant=minbase "$suite" "$root" > "$scratch/log" 2>&1 || { tail -n 20 "$scratch/log"; skip "debootstrap makes no $suite"; }
fi
cp /etc/resolv.conf "$root/etc/resolv.conf"
echo "ok      a fresh root of $suite"

# Runs a command in the root, with /proc, /sys and devices that go when it ends.
settings=()
inside() {
    # shellcheck disable=SC2016 # the words are for the inner shell
    unshare --mount --pid --uts --fork bash -c '
        set -e
        mount -t proc proc "$1/proc"
        mount --rbind /dev "$1/dev"
        mount --rbind /sys "$1/sys"
        root=$1
        shift
        exec chroot "$root" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"
    ' inside "$root" "${settings[@]}" "$@"
}

# FROM, COPY, RUN, ENV and CMD, which is all that the Containerfile has.
step=''
while IFS= read -r line; do
    [[ $line == '#'* ]] && continue
    step+=$line
    if [[ $line == *\\ ]]; then
        step=${step%\\}
        continue
    fi
    read -ra words <<< "$step"
    case ${words[0]:-} in
    '' | FROM | CMD) ;;
    COPY)
        to=$root${words[-1]}
        mkdir -p "$to"
        # shellcheck disable=SC2086 # names are patterns
        for from in "${words[@]:1:${#words[@]}-2}"; do cp "$packages"/${from#build/packages/} "$to"; done
        ;;
    ENV) settings+=("${words[@]:1}") ;;
    RUN) inside /bin/sh -c "${step#RUN }" > "$scratch/log" 2>&1 || { tail -n 20 "$scratch/log"; fail "Containerfile: $step"; } ;;
    *) fail "Containerfile: ${words[0]} is not known here" ;;
    esac
    step=''
done < "$containerfile"
echo "ok      the steps of packaging/Containerfile"

mkdir "$root/given"
cp "$packages"/*.deb "$source_dir"/examples/karate.txt "$source_dir"/examples/c/rank.c "$source_dir"/tests/packages/{checks.sh,slurm.sh,inside.sh,ranks.c} "$root/given"
inside bash /given/inside.sh
