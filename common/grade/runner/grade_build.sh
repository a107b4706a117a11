#!/bin/sh
# grade_build.sh NAME.cu [witness]: makes a student's program, in a compile box;
# or its witness, by witness/build.sh.
#
# The source, which was vetted, comes on descriptor 3. It is rewritten for g++,
# compiled as the analyse build of a lab is, given its tables, stripped of all
# names that are nobody's business and linked with the runner. The program goes
# to descriptor 4, the object to 5, for the grader to look at.
#
# Ends with 0; with 1 if the source is at fault, whose mistakes are told on
# stderr; with 3 if compiling it takes more than there is for it; and with 2 if
# something is wrong with this machine.
set -uf
name=$1
kit=${0%/*}
export PATH=/usr/bin:/bin LC_ALL=C # a box gives no environment
folder=$(mktemp -d "${TMPDIR:-/tmp}/grade_XXXXXX") && cd "$folder" || exit 2
trap 'cd / && rm -rf "$folder"' EXIT

# step CODE COMMAND...: its exit code CODE is a mistake in the source; 0: none.
step()
{
    mistake=$1
    shift
    "$@"
    code=$?
    case $code in
    0) return ;;
    "$mistake") exit 1 ;;
    4) exit 3 ;; # g++: the compiler itself was ended
    137) echo "grade_build: somebody killed $1" >&2 && exit 2 ;;
    esac
    [ $code -lt 128 ] || exit 3
    exit 2
}

# in_words COMMAND...: what g++ says is told in the words of make lab-03.
in_words()
{
    "$@" 2>said
    told=$?
    awk -f "$kit/compiler_words.awk" said >&2
    [ $? != 1 ] || told=1
    return $told
}

step 0 cat <&3 >"$name"
step 2 "$kit/simt_rewrite" "$name" -o lab.cpp
if [ $# = 2 ]; then
    # shellcheck source=common/grade/witness/build.sh
    . "$kit/witness/build.sh"
    exit
fi
# shellcheck disable=SC2046 # words
step 1 in_words $(cat "$kit/compile.flags") "-I$kit/include" lab.cpp -o lab.s
if grep -q '^#APP' lab.s; then # no header of the kit has any
    echo "$name: it holds inline assembly." >&2
    exit 1
fi
step 0 "$kit/grade_watch" <lab.s >watched.s
step 0 "$kit/simt_tables" <watched.s >tables.s
# The tool stands ready to call the constructor __tsan_init before main: the
# runner has nothing to prepare, and no lab may have constructors. Its section
# goes, which has an alignment and one entry.
step 0 sed '/\.section\t\.init_array\.00099,/,+2d' tables.s >plain.s
step 1 as plain.s -o plain.o
# What may write is bound to the runner's functions, and what is not the lab's
# contract is made local.
step 0 objcopy "--redefine-syms=$kit/guarded.names" \
    "--keep-global-symbols=$kit/offered.names" plain.o lab.o
step 0 cat lab.o >&5
# shellcheck disable=SC2046
step 1 $(sed "s, KIT/, $kit/,g; s, LAB , lab.o ," "$kit/link.flags")
step 0 cat program >&4
