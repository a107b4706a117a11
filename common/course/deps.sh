#!/bin/sh
# deps.sh [GOAL...]: installs what make needs for these goals, as for demo, and
# this machine lacks, from Debian's or Ubuntu's packages; elsewhere, and without
# root's rights, says what to ask for. Without a goal: what a student needs. The
# list is NEEDS.
set -eu
# shellcheck source=common/course/needs.sh disable=SC1091
. "${0%/*}/needs.sh"

[ $# -gt 0 ] || set -- lab-01 plots report
tasks=$(tasks_of "$@")
words=
for task in $tasks; do
    words="$words${words:+, }$(sed -n "s/^task $task .*| *//p" "$list")"
done
if [ -z "$words" ]; then
    echo "deps: $* needs nothing" | sed 's/=/ WHAT=/g'
    exit 0
fi

# shellcheck disable=SC2086 # lists of words
missing=$(missing $tasks | awk -F'|' \
    '$2 != "-" && $3 !~ /^-/ && !seen[$2]++ { printf "%s ", $2 }')
if [ -z "$missing" ]; then
    echo "deps: all is there to: $words"
    exit 0
fi
echo "deps: to $words"

give_up()
{
    echo "deps: $1" >&2
    exit 2
}

command -v apt-get >/dev/null ||
    give_up "this system has no apt-get; install what it calls: $missing"
as_root=
if [ "$(id -u)" != 0 ]; then
    as_root=sudo
    command -v sudo >/dev/null || give_up "not root and no sudo; ask for: $missing"
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT
no_network='Could not resolve|Temporary failure|Could not connect|Network is unreachable|Connection (failed|timed out|refused)|Cannot initiate'

# Says why apt-get failed, and ends.
failed()
{
    if grep -Eq "$no_network" "$log"; then
        give_up "no network: the packages cannot be fetched; type it again once there is one"
    fi
    cat "$log" >&2
    give_up "apt-get $1 failed; it says why above"
}

export DEBIAN_FRONTEND=noninteractive
$as_root apt-get -qq update >"$log" 2>&1 || failed update
# An older system may lack what is no must.
for package in $missing; do
    ! command -v apt-cache >/dev/null || apt-cache show "$package" >/dev/null 2>&1 || {
        echo "deps: this system has no package $package"
        missing=$(echo " $missing " | sed "s/ $package / /")
    }
done
# shellcheck disable=SC2086 # a list of words
apt-get -qq --print-uris --no-install-recommends -o Debug::NoLocking=1 \
    install $missing >"$log.size" 2>"$log" || failed install
awk -v asked="$missing" '
    /^.http|^.file|^.cdrom|^.mirror|^.copy/ { files++; bytes += $3 }
    END { printf "deps: installs %s\n", asked
          printf "deps: %d packages, %.1f MB to fetch\n", files, bytes / 1e6 }' "$log.size"
rm -f "$log.size"

# On a terminal a line that moves: what apt-get says about its progress, which
# it writes as KIND:PACKAGE:PERCENT:WORDS.
show()
{
    while IFS=: read -r _ _ percent words; do
        [ ! -t 1 ] || printf '\r\033[K  %3.0f %%  %.60s' "${percent:-0}" "$words"
    done
    [ ! -t 1 ] || printf '\r\033[K'
}
# shellcheck disable=SC2016,SC2086 # for the other shell; a list of words
$as_root env DEBIAN_FRONTEND=noninteractive LC_ALL=C sh -c \
    'log=$1 && shift && { apt-get -qq -y --no-install-recommends -o APT::Status-Fd=3 \
        install "$@" 3>&1 >"$log" 2>&1 || echo failed >>"$log"; }' \
    sh "$log" $missing | show
! grep -qx failed "$log" || failed install
echo "deps: done"
