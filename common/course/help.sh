#!/bin/sh
# help.sh [first]: the commands of make, by who uses them, as the Makefile lists
# them; with first those for students alone. What a copy of the course without
# solutions cannot do, marked ##+, is not shown there.
awk -v first="${1-}" -v whole="$([ -d solutions ] && echo 1)" \
    -f common/language/say.awk -f common/course/help.awk Makefile
