#!/bin/sh
# grade_build.sh NAME.cu: makes a student's program, in a compile box.
#
# The source, which was vetted, comes on descriptor 3. It is rewritten, compiled
# by clang to WebAssembly, given its tables and linked to a module. wasm2c turns
# that into C, which is compiled with each load and store as access.h has them,
# and linked with the device. The program goes to descriptor 4. What the grader
# is to know of it goes to 5, a line each:
#
#   has NAME     the lab defines that function of its contract
#   needs NAME   it calls a function that is nowhere
#   own NAME     it defines a function of the library, which is there already
#   aligned      it has a structure of its own that is aligned
#   only CLANG   g++ compiles it, and clang does not: its first message
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

# ended CODE COMMAND: goes on if it ended well.
ended()
{
    case $1 in
    0) return ;;
    4) exit 3 ;; # g++: the compiler itself was ended
    12[67] | 137)
        echo "grade_build: $2 is not there, or somebody killed it" >&2
        exit 2
        ;;
    esac
    [ "$1" -lt 128 ] || exit 3
    exit 2
}

# step CODE COMMAND...: its exit code CODE is a mistake in the source; 0: none.
step()
{
    mistake=$1
    shift
    "$@"
    code=$?
    [ $code = 0 ] || [ $code != "$mistake" ] || exit 1
    ended $code "$1"
}

# flags FILE LAB: what the file says, here.
flags()
{
    sed "s, KIT/, $kit/,g; s, LAB , $2 ," "$kit/$1.flags"
}

# What clang does not take g++ tells, in the words of make lab-03.
tell_mistakes()
{
    # shellcheck disable=SC2046 # words
    $(flags words '') lab.cpp 2>said.g++
    code=$?
    awk -f "$kit/compiler_words.awk" said.g++ >&2
    if [ $code = 0 ] && [ ! -s said.g++ ]; then
        sed -n 's/.* error: /only /p' said.clang | head -1 >&5
    fi
    [ $code -lt 2 ] || ended $code g++
    exit 1
}

# clang 14 wants the type of a function before its first call, also of those
# that it calls by itself, and does not know of sections that are kept. A
# variable that is not set is a NaN of all bits, which its assembler does not
# read.
with_types()
{
    printf '\t.functype\t%s (i32, i32, i32) -> (i32)\n' memcpy memmove memset
    printf '\t.functype\t%s (f64) -> (f64)\n\t.functype\t%sf (f32) -> (f32)\n' \
        exp exp exp2 exp2 log log log2 log2 log10 log10 sin sin cos cos round round
    printf '\t.functype\t%s (f64, f64) -> (f64)\n\t.functype\t%sf (f32, f32) -> (f32)\n' \
        pow pow fmod fmod fmin fmin fmax fmax
    printf '\t.functype\t%s\n' 'fma (f64, f64, f64) -> (f64)' \
        'fmaf (f32, f32, f32) -> (f32)'
    printf '\t.functype\t%s (f64) -> (i32)\n\t.functype\t%sf (f32) -> (i32)\n' \
        lround lround lrint lrint
    printf '\t.functype\t%s (f64) -> (i64)\n\t.functype\t%sf (f32) -> (i64)\n' \
        llround llround llrint llrint
    printf '\t.functype\t%s\n' '__extendsftf2 (i32, f32) -> ()' \
        '__extenddftf2 (i32, f64) -> ()' '__floatsitf (i32, i32) -> ()' \
        '__trunctfsf2 (i64, i64) -> (f32)' '__trunctfdf2 (i64, i64) -> (f64)' \
        '__fixtfsi (i64, i64) -> (i32)'
    printf '\t.functype\t__%stf3 (i32, i64, i64, i64, i64) -> ()\n' add sub mul div
    printf '\t.functype\t__%stf2 (i64, i64, i64, i64) -> (i32)\n' \
        eq ne lt le gt ge unord
    sed -n '/^\t\.functype/p' lab.s | sort -u
    "$kit/simt_tables" --wasm names.s <lab.s |
        sed 's/,"R",@$/,"",@/
            s/f\(32\|64\)\.const\t-nan:0x[7f]*$/i\1.const\t-1\n\tf\1.reinterpret_i\1/'
}

# The linker does not find all that the lab calls, or finds what asks the system
# for what no lab has: the names, and what it said.
tell_missing()
{
    cat "$1" >&2
    sed -n 's,.*duplicate symbol: ,own ,p' "$1" | grep -v __wasi >&5
    sed -n "s,.*undefined reference to .\(Z_envZ_\|w2c_env_\)\([^']*\)'.*,needs \2,p" "$1" | sort -u >&5
    grep -q 'duplicate symbol: __wasi' "$1" || exit 1
    sed -n 's/^\t\.functype\t\([a-zA-Z_0-9]*\) .*/\1/p' lab.s | sort -u | while read -r called; do
        link=$(flags link "--export=$called")
        ! $link 2>&1 | grep -q 'duplicate symbol: __wasi' || echo "needs $called" >&5
    done
    exit 1
}

step 0 cat <&3 >"$name"
step 2 "$kit/simt_rewrite" "$name" -o lab.cpp
# As on a GPU; of 128 bits they would be functions.
step 0 sed -i 's/\<long  *double\>/     double/g; s/\(%[-+ #0-9.*]*\)L\([aAeEfFgG]\)/\1\2/g' lab.cpp
clang=$(flags compile '')
# shellcheck disable=SC2086
$clang -O0 -g lab.cpp -o names.s 2>said.names &
# shellcheck disable=SC2046,SC2086
$clang $(flags count '') lab.cpp -o lab.s 2>said.clang
code=$?
wait $!
names=$?
[ $code != 0 ] || code=$names
[ $code != 1 ] || tell_mistakes
[ $code -lt 2 ] || [ $code -gt 125 ] || exit 3 # out of memory
ended $code clang
! grep -qE '(struct|class) *(alignas|__align__)' "$name" || echo aligned >&5
sed -n 's/^\t\.globl\t\(lab_[a-z_]*\)$/has \1/p' lab.s >&5
step 0 with_types >tables.s
step 1 clang --target=wasm32-wasi -c tables.s -o lab.o
# Of one that prints, 40 KB more are made into C.
print=
! grep -q '^	call	\(printf\|puts\|putchar\)$' lab.s || print=$kit/print.o
# shellcheck disable=SC2046,SC2091
$(flags link "lab.o $print") 2>said.ld
code=$?
[ $code != 1 ] || tell_missing said.ld
ended $code wasm-ld
step 0 wasm2c module.wasm -n lab -o module.c
# shellcheck disable=SC2016 # a line of sed's
step 0 sed -i '/^DEFINE_LOAD(i32_load,/i #include "access.h"' module.c
step 0 grep -q '^#include "access.h"' module.c
if grep -q 'memory_\(copy\|fill\|init\)(&instance' module.c; then
    echo "it copies memory by an instruction that nobody tells of" >&2
    exit 1
fi
echo '#include "module_end.h"' >>module.c
# A large one takes gcc three times as long if it is to be quick.
quick=
[ "$(wc -c <module.c)" -lt 500000 ] || quick=-Og
# shellcheck disable=SC2046
$(flags c '') $quick 2>said.gcc
code=$?
[ $code != 1 ] || tell_missing said.gcc
ended $code gcc
step 0 cat program >&4
