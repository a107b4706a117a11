# The grader: what it is made of, and the kit that it gives to the compile box.
# Included by the Makefile.

# --- make grade ---------------------------------------------------------------

# The settings are the options of build/tools/grade, which --help explains:
# ONE=alice LAB="04 06" is --one alice --lab "04 06". A name may hold quotes and
# dollars, so the shell gets each as it is.
set     = $(if $(value $1),--$2=$(call quoted,$(value $1)))
LAST    = $(if $(value SUBMISSIONS),-- $(call quoted,$(value SUBMISSIONS)))
RUN_    = $(T)/grade $(call set,ROSTER,roster) $(call set,OUT,out) $(call set,JOBS,jobs) $(call set,RUBRIC,rubric) \
  $(call set,ISOLATION,isolation) $(call set,ONE,one) $(call set,LAB,lab) $(if $(EXPLAIN),--explain) $(call set,EXPORT,export) \
  $(call set,CANVAS,canvas) $(call set,MOODLE,moodle) $(call set,BLACKBOARD,blackboard) $(call set,BRIGHTSPACE,brightspace) $(call set,MISSING,missing) $(call set,NAMES,names) $(call set,CLASS,class) $(LAST)
RUN_rubric = $(T)/grade --write-rubric $(call quoted,$(or $(value RUBRIC),rubric))
# N, or M N K, is the size of the matrices, REPEAT the timed runs of each
# kernel.
RUN_speed = $(T)/grade --speed='$(or $(SIZE),--m 2048 --n 2048 --k 2048) --repeat $(or $(REPEAT),25)' \
  $(if $(CUDA),--nvcc=$(CUDA)/bin/nvcc $(addprefix --arch=,$(SPEED_ARCH))) $(call set,ROSTER,roster) $(call set,OUT,out) $(call set,LAB,lab) $(LAST)
SPEED_ARCH = $(if $(filter native,$(ARCH)),$(shell nvidia-smi --query-gpu=compute_cap \
  --format=csv$(comma)noheader 2>/dev/null | head -1 | sed 's/[.]//; s/^/sm_/'),$(ARCH))
GRADE_RUN = $(RUN_$(WHAT))
GRADE_NEEDS = $(T)/grade $(if $(filter speed,$(WHAT)),$(if $(CUDA),build/grade/speed/ready))

# --- the kit ------------------------------------------------------------------

GRADER_LIBS := -lseccomp -larchive -lnettle -ldl -lpthread
link_grade = $(STEP) $@ $(CC) $^ -Wl,--as-needed $(GRADER_LIBS) -lm -o $@
# A student's program is made by clang and wasm2c, and can address nothing of
# what stands beside it: module/module.h. That is the runner, and what it needs
# of the harness: a device, but no judge. Debian 12's or 13's clang and its
# linker, a C and a C++ library, and wasm2c; behind 1.0.32 that calls things
# otherwise. Tried: 1.0.32, 1.0.34, 1.0.36.
WASI      := /usr/lib/wasm32-wasi
WASM_RT    = -DWASM_RT_$(if $(shell grep -s WASM_RT_THREAD_LOCAL /usr/include/wasm-rt.h),USE_MMAP,MEMCHECK_SIGNAL_HANDLER)=0
KIT       := build/grade/kit
MODULE_IN := common/grade/module
HEADERS   := $(filter-out %/hopper.h,$(wildcard common/simt/include/*)) common/lab.h $(wildcard common/grade/runner/include/*)
# The device's files are the same as elsewhere, but for these.
OUTSIDE_C := $(wildcard common/grade/runner/*.c $(MODULE_IN)/[!m]*.c) $(MODULE_IN)/module.c common/grade/base/wire.c common/banks/banks.c \
               $(addprefix common/harness/,buffers.c precision.c guard.c inputs.c call_check_cpu.c bank_reads.c predictions.c story.c device_kind_cpu.c) \
               common/site/wasm/symbols.c $(addprefix common/simt/,report_checks.c report_message.c report.c report_lines.c report_sums.c) \
               $(filter-out $(APART) common/simt/report% common/simt/environment.c common/simt/symbols.c common/simt/fiber.c %/cublas.c %/cublas_lt.c %/cublas_handle.c %/heap.c %/record_atomic.c,\
                 $(wildcard common/simt/*.c common/simt/run/*.c))
WASM_CU   := clang --target=wasm32-wasi -mno-bulk-memory -std=c++17 -fno-exceptions -fno-delete-null-pointer-checks -w -Wno-narrowing -ffp-contract=off -fno-strict-aliasing \
               -D_WASI_EMULATED_PROCESS_CLOCKS -D_WASI_EMULATED_SIGNAL -I KIT/include -isysroot KIT/
# The headers are read once, and kept; a box has the kit elsewhere.
WASM_FIRST := $(WASM_CU) -O2 -x c++-header -Xclang -relocatable-pch -include KIT/code.h KIT/include/cuda_first.h -o KIT/first.pch
WASM_LAB  := $(WASM_CU) -S -x c++ -Xclang -include-pch -Xclang KIT/first.pch -Xclang -fno-validate-pch
# Each is needed: common/site/README.md.
WASM_COUNT := -O2 -gline-tables-only -fno-vectorize -fno-slp-vectorize -fno-unroll-loops -fno-finite-loops -fno-builtin-memset \
               -fno-builtin-memcpy -fno-builtin-memmove -mllvm -disable-loop-idiom-all -mllvm -disable-vector-combine \
               -mllvm -sanitizer-coverage-prune-blocks=0 -fsanitize-coverage=trace-pc,trace-loads,trace-stores -ftrivial-auto-var-init=pattern
WASM_LD    = wasm-ld --threads=1 -m wasm32 --no-entry --no-gc-sections --allow-undefined --no-demangle -z stack-size=1048576 --global-base=65536 \
               $(addprefix --export=,__stack_pointer module_tell_layout module_construct module_call module_shared_of) \
               $(addprefix --export-if-defined=,lab_host lab_launch lab_launch_b lab_launch_arrays lab_read) KIT/begin.o LAB -L$(WASI) -lc++ -lc++abi -lm \
               -lwasi-emulated-signal -lwasi-emulated-process-clocks -lc \
               $(shell clang --target=wasm32-wasi -print-libgcc-file-name) -o module.wasm
# The address of a variable of the device's is not known: static-pie.
WASM_C     = gcc -O1 -w -fPIE -fstack-clash-protection -ffp-contract=off $(WASM_RT) \
               -I KIT/ module.c KIT/device.o -static-pie -lm -o program
# What clang does not take g++ tells of, as make lab-03 does.
WORDS      = $(patsubst -I%,,$(CU_lab)) -fsyntax-only -w -fmax-errors=20 -fno-diagnostics-show-caret -I KIT/include -include cuda_first.h

build/outside/%.o: %.c common/grade/grade.mk
	$(STEP) $@ $(CC) $(C_FLAGS) -O2 -fPIE -D_GNU_SOURCE= $(WASM_RT) -include grade/module/outside.h $(API_cpu) -c $< -o $@
# Stacks that a lab cannot reach are switched as the others are.
MODULE_STACK := -Dsimt_fiber_switch=module_stack_switch -Dsimt_fiber_make=module_stack_make
build/outside/common/simt/fiber.o: common/simt/fiber.c common/grade/grade.mk
	$(STEP) $@ $(CC) $(C_FLAGS) -fPIE $(MODULE_STACK) -c $< -o $@
build/outside/common/simt/fiber_switch.o: common/simt/fiber_switch.S common/grade/grade.mk
	$(STEP) $@ $(CC) $(MODULE_STACK) -c $< -o $@

$(KIT)/device.o: $(call objects,outside,$(OUTSIDE_C)) $(addprefix build/outside/common/simt/,fiber.o fiber_switch.o) $(BASE_A) common/grade/grade.mk
	@mkdir -p $(@D)
	$(STEP) $@ ld -r -S $(filter %.o %.a,$^) -o $@
	$(Q)case $$(wasm2c --version) in 1.0.32) ;; 1.0.3[3-9] | 1.0.4*) nm $@ | sed -n 's/.* T Z_envZ_\(.*\)/Z_envZ_\1 w2c_env_\1/; s/env__/env_0x5F/; /w2c/p' >$@.names && objcopy --redefine-syms=$@.names $@ ;; \
	  *) echo "grade: wasm2c $$(wasm2c --version) is too old: 1.0.32 is the first (Debian 12)" >&2; exit 1 ;; esac
$(KIT)/%.o: $(MODULE_IN)/module_%.c $(MODULE_IN)/layout.h
	@mkdir -p $(@D)
	$(STEP) $@ clang --target=wasm32-wasi -mmutable-globals -mno-bulk-memory -O2 -fno-builtin -fno-strict-aliasing -mllvm -disable-loop-idiom-all -Wall -Wextra -Werror -c $< -o $@
# The folder that the grader gives to the compile box.
$(KIT)/ready: $(addprefix $(KIT)/,device.o begin.o print.o) $(addprefix $(MODULE_IN)/,access.h module_end.h) common/site/wasm/code.h \
  common/grade/runner/grade_build.sh common/simt/compiler_words.awk $(addprefix $(T)/,simt_rewrite simt_tables) $(HEADERS) common/grade/grade.mk Makefile
	$(Q)mkdir -p $(@D)/include && cp -r $(HEADERS) $(@D)/include && cp $(filter-out %.o %.mk Makefile $(HEADERS),$^) $(@D) && \
	  echo '$(WASM_LAB)' >$(@D)/compile.flags && echo '$(WASM_COUNT)' >$(@D)/count.flags && echo '$(strip $(WASM_LD))' >$(@D)/link.flags && \
	  echo '$(WASM_C)' >$(@D)/c.flags && echo '$(strip $(WORDS))' >$(@D)/words.flags && $(patsubst KIT/%,$(CURDIR)/$(KIT)/%,$(WASM_FIRST)) && touch $@

$(T)/grade: | $(KIT)/ready

# What a student's source is linked with to be timed: the labs' own program.
build/grade/speed/ready: $(ON_GPU_A) common/lab.h common/grade/runner/speed.sh labs/INDEX labs/TODOS
	@mkdir -p $(@D)/labs && cp common/lab.h common/grade/runner/speed.sh $(@D) && cp labs/INDEX labs/TODOS $(@D)/labs
	$(Q)ld -r --whole-archive $< -o $(@D)/harness.o && touch $@

# The first program in a box; box/box_init_bytes.c takes it in whole. It is as
# small as it can be, since every box gets a copy.
$(T)/box_init: build/cpu/common/grade/box/box_init_main.o
	$(STEP) $@ $(CC) -static -s $< -o $@

build/cpu/common/grade/box/box_init_bytes.o build/checked/common/grade/box/box_init_bytes.o: $(T)/box_init
