/* assembly.h: what g++ -g -gdwarf-5 -dA makes of a kernel, shortened to what
   simt_tables reads, for the tests of it. */
#ifndef ASSEMBLY_H
#define ASSEMBLY_H

/* Line 5 calls an inlined function of a header, of whose code a part is on line
   9 of the header, and line 6 another one that calls the first; they share
   their ranges. As is float[16][17], `sum` the kernel's second parameter. */
#define ASSEMBLY_OF_X86                                           \
    "\t.file\t\"k.cpp\"\n"                                        \
    "\t.text\n"                                                   \
    ".Ltext0:\n"                                                  \
    "\t.file 0 \"/home/a\" \"k.cpp\"\n"                           \
    "\t.type\tkernel, @function\n"                                \
    "kernel:\n"                                                   \
    "\t# DEBUG A => di\n"                                         \
    ".LFB1:\n"                                                    \
    "\t.file 1 \"/home/a/k \\\"1\\\".cu\"\n"                      \
    "\t.loc 1 4 1 view -0\n"                                      \
    "# BLOCK 2, seq:0\n"                                          \
    "\tpushq\t%rbx\n"                                             \
    ".LBB7:\n"                                                    \
    "\t.file 2 \"common/simt/include/h.h\"\n"                     \
    "\t.loc 2 9 1 view .LVU1\n"                                   \
    "\tcall\tone@PLT\n"                                           \
    ".LBE7:\n"                                                    \
    "\t.loc 1 6 2 is_stmt 0 view .LVU2\n"                         \
    "\tnop\n"                                                     \
    "\t.loc 1 6 7 view .LVU3\n"                                   \
    "\tnop\n"                                                     \
    ".LBB8:\n"                                                    \
    "\t.loc 2 9 1 view .LVU4\n"                                   \
    "\tcall\ttwo@PLT\n"                                           \
    ".LBE8:\n"                                                    \
    "\tnop\n"                                                     \
    "\t.section\t.text.unlikely\n"                                \
    ".LCOLDB1:\n"                                                 \
    "\tcall\tabort\n"                                             \
    "\t.text\n"                                                   \
    "\tret\n"                                                     \
    "\t.size\tkernel, .-kernel\n"                                 \
    "\t.section\t.debug_info,\"\",@progbits\n"                    \
    "\t.uleb128 0x1\t# (DIE (0xc) DW_TAG_compile_unit)\n"         \
    "\t.long\t.LASF1\t# DW_AT_comp_dir: \"/home/a\"\n"            \
    "\t.uleb128 0x2\t# (DIE (0x2e) DW_TAG_base_type)\n"           \
    "\t\t\t# DW_AT_byte_size (0x4)\n"                             \
    "\t.ascii \"int\\0\"\t# DW_AT_name\n"                         \
    "\t.uleb128 0x3\t# (DIE (0x40) DW_TAG_array_type)\n"          \
    "\t.long\t0x50\t# DW_AT_type\n"                               \
    "\t.uleb128 0x4\t# (DIE (0x44) DW_TAG_subrange_type)\n"       \
    "\t.byte\t0xf\t# DW_AT_upper_bound\n"                         \
    "\t.uleb128 0x4\t# (DIE (0x48) DW_TAG_subrange_type)\n"       \
    "\t\t\t# DW_AT_upper_bound (0x10)\n"                          \
    "\t.byte\t0\t# end of children of DIE 0x40\n"                 \
    "\t.uleb128 0x5\t# (DIE (0x50) DW_TAG_const_type)\n"          \
    "\t.long\t0x2e\t# DW_AT_type\n"                               \
    "\t.uleb128 0xb\t# (DIE (0x54) DW_TAG_pointer_type)\n"        \
    "\t.long\t0x50\t# DW_AT_type\n"                               \
    "\t.uleb128 0x6\t# (DIE (0x60) DW_TAG_subprogram)\n"          \
    "\t.long\t.LASF2\t# DW_AT_name: \"kernel\"\n"                 \
    "\t.uleb128 0x7\t# (DIE (0x64) DW_TAG_formal_parameter)\n"    \
    "\t.uleb128 0x7\t# (DIE (0x68) DW_TAG_formal_parameter)\n"    \
    "\t.string\t\"sum\"\t# DW_AT_name\n"                          \
    "\t.long\t0x54\t# DW_AT_type\n"                               \
    "\t.uleb128 0x8\t# (DIE (0x70) DW_TAG_variable)\n"            \
    "\t.ascii \"As\\0\"\t# DW_AT_name\n"                          \
    "\t.long\t0x40\t# DW_AT_type\n"                               \
    "\t.uleb128 0xa\t# DW_AT_location\n"                          \
    "\t.byte\t0xe\t# DW_OP_const8u\n"                             \
    "\t.long\t_ZZ6kernelE2As@dtpoff, 0\n"                         \
    "\t.byte\t0x9b\t# DW_OP_form_tls_address\n"                   \
    "\t.uleb128 0x8\t# (DIE (0x74) DW_TAG_variable)\n"            \
    "\t.ascii \"automatic\\0\"\t# DW_AT_name\n"                   \
    "\t.long\t0x40\t# DW_AT_type\n"                               \
    "\t.uleb128 0x3\t# DW_AT_location\n"                          \
    "\t.byte\t0x91\t# DW_OP_fbreg\n"                              \
    "\t.uleb128 0x9\t# (DIE (0x80) DW_TAG_inlined_subroutine)\n"  \
    "\t.quad\t.LBB7\t# DW_AT_low_pc\n"                            \
    "\t.byte\t0x1\t# DW_AT_call_file (/home/a/k \"1\".cu)\n"      \
    "\t.byte\t0x5\t# DW_AT_call_line\n"                           \
    "\t.uleb128 0xa\t# (DIE (0x90) DW_TAG_inlined_subroutine)\n"  \
    "\t.long\t.LLRL3\t# DW_AT_ranges\n"                           \
    "\t\t\t# DW_AT_call_file (1, /home/a/k \"1\".cu)\n"           \
    "\t.byte\t0x6\t# DW_AT_call_line\n"                           \
    "\t.uleb128 0xa\t# (DIE (0xa0) DW_TAG_inlined_subroutine)\n"  \
    "\t.long\t.LLRL3\t# DW_AT_ranges\n"                           \
    "\t.byte\t0x2\t# DW_AT_call_file (common/simt/include/h.h)\n" \
    "\t.byte\t0x14\t# DW_AT_call_line\n"                          \
    "\t.byte\t0\t# end of children of DIE 0x90\n"                 \
    "\t.byte\t0\t# end of children of DIE 0x60\n"                 \
    "\t.byte\t0\t# end of children of DIE 0xc\n"                  \
    "\t.section\t.debug_rnglists,\"\",@progbits\n"                \
    ".LLRL3:\n"                                                   \
    "\t.byte\t0x4\t# DW_RLE_offset_pair (*.LLRL3)\n"              \
    "\t.uleb128 .LBB8-.Ltext0\t# Range begin address (*.LLRL3)\n" \
    "\t.uleb128 .LBE8-.Ltext0\t# Range end address (*.LLRL3)\n"   \
    "\t.hidden\t__dso_handle\n"                                   \
    "\t.section\t.note.GNU-stack,\"\",@progbits\n"

/* A template, in a group of its own. */
#define ASSEMBLY_OF_ARM                                            \
    "\t.section\t.text._Z1fIiE,\"axG\",@progbits,_Z1fIiE,comdat\n" \
    "\t.type\t_Z1fIiE, %function\n"                                \
    "_Z1fIiE:\n"                                                   \
    "\t// DEBUG A => x0\n"                                         \
    "\t.file 1 \"k.cu\"\n"                                         \
    "\t.loc 1 4 1 view -0\n"                                       \
    "\tstp\tx29, x30, [sp, -320]!\n"                               \
    "\t.size\t_Z1fIiE, .-_Z1fIiE\n"                                \
    "\t.section\t.debug_info,\"\",@progbits\n"                     \
    "\t.uleb128 0x1\t// (DIE (0xc) DW_TAG_compile_unit)\n"         \
    "\t.uleb128 0x2\t// (DIE (0x2e) DW_TAG_base_type)\n"           \
    "\t.byte\t0x4\t// DW_AT_byte_size\n"                           \
    "\t.uleb128 0x8\t// (DIE (0x70) DW_TAG_variable)\n"            \
    "\t.string\t\"factor\"\t// DW_AT_name\n"                       \
    "\t.4byte\t0x2e\t// DW_AT_type\n"                              \
    "\t.uleb128 0x9\t// DW_AT_location\n"                          \
    "\t.byte\t0x3\t// DW_OP_addr\n"                                \
    "\t.8byte\tfactor\n"                                           \
    "\t.byte\t0\t// end of children of DIE 0xc\n"

#endif
