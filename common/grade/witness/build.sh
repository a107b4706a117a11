#!/bin/sh
# build.sh: makes the witness of a student's program: read by grade_build.sh,
# which has put the rewritten source into lab.cpp. The program goes to
# descriptor 4.
#
# clang's assembly of it gets its tables and becomes a module, which wasm2c
# turns into C; that is compiled with each load and store as access.h has them.

# clang 14 wants the type of a function before its first call, also of those
# that it calls by itself, and does not know of sections that are kept. What
# free() is elsewhere looks whose the memory is (simt/allocate.c). A variable
# that is not set is a NaN of all bits, which its assembler does not read.
with_types()
{
    printf '\t.functype\t%s (i32, i32, i32) -> (i32)\n' memcpy memmove memset
    printf '\t.functype\t%s (f64) -> (f64)\n\t.functype\t%sf (f32) -> (f32)\n' \
        exp exp exp2 exp2 log log log2 log2 log10 log10 sin sin cos cos round round
    printf '\t.functype\t%s (f64, f64) -> (f64)\n\t.functype\t%sf (f32, f32) -> (f32)\n' \
        pow pow fmod fmod fmin fmin fmax fmax
    printf '\t.functype\t%s\n' 'fma (f64, f64, f64) -> (f64)' \
        'fmaf (f32, f32, f32) -> (f32)'
    printf '\t.functype\t%s\n' '__extendsftf2 (i32, f32) -> ()' \
        '__extenddftf2 (i32, f64) -> ()' '__floatsitf (i32, i32) -> ()' \
        '__trunctfsf2 (i64, i64) -> (f32)' '__trunctfdf2 (i64, i64) -> (f64)' \
        '__fixtfsi (i64, i64) -> (i32)'
    printf '\t.functype\t__%stf3 (i32, i64, i64, i64, i64) -> ()\n' add sub mul div
    printf '\t.functype\t__%stf2 (i64, i64, i64, i64) -> (i32)\n' \
        eq ne lt le gt ge unord
    sed -n 's/simt_host_free/free/; /^\t\.functype/p' lab.s | sort -u
    "${kit:?}/simt_tables" --wasm names.s <lab.s |
        sed 's/,"R",@$/,"",@/; s/simt_host_free/free/
            s/f\(32\|64\)\.const\t-nan:0x[7f]*$/i\1.const\t-1\n\tf\1.reinterpret_i\1/'
}

here=$kit/witness
clang="$(sed "s, KIT/, $kit/,g" "$here/compile.flags")"
# shellcheck disable=SC2086 # words
$clang -O0 -g lab.cpp -o names.s 2>said.names &
# shellcheck disable=SC2046,SC2086
step 1 $clang $(cat "$here/count.flags") lab.cpp -o lab.s
step 1 wait $!
step 0 with_types >tables.s
step 1 clang --target=wasm32-wasi -c tables.s -o lab.o
# Of one that prints, 40 KB more are made into C.
print=
! grep -q '^	call	\(printf\|puts\|putchar\)$' lab.s || print=$here/print.o
# shellcheck disable=SC2046
step 1 $(sed "s, KIT/, $kit/,g; s, LAB , lab.o $print ," "$here/link.flags")
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
step 0 $(sed "s, KIT/, $kit/,g" "$here/c.flags") $quick
step 0 cat program >&4
