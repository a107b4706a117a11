#!/bin/sh
# try.sh LAB WHOSE: for make try-NN. Which lines make lab-NN would show is asked
# first, and the small changes of these are tried before others.
lab=$1 whose=$2
places=build/try/$lab.$$ program=build/try/$whose-analyse
trap 'rm -f "$places"' EXIT
trap 'exit 130' INT TERM HUP
build/cpu/"$whose" --why --places "$places" >/dev/null 2>&1
[ -s "$places" ] ||
    build/cpu/"$whose"-analyse --why --places "$places" >/dev/null 2>&1
"$program" --try --places "$places"
code=$?
[ $code != 77 ] ||
    echo "There is nothing to try yet: most of the lab is still to be written."
[ $code = 0 ]
