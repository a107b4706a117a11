# The grader: what it is made of, and the kit that it gives to the compile box.
# Included by the Makefile.

# --- make grade ---------------------------------------------------------------

# The settings are the options of build/tools/grade, which --help explains:
# ONE=alice LAB="04 06" is --one alice --lab "04 06". A name may hold quotes and
# dollars, so the shell gets each as it is.
set     = $(if $(value $1),--$2=$(call quoted,$(value $1)))
LAST    = $(if $(value SUBMISSIONS),-- $(call quoted,$(value SUBMISSIONS)))
GRADED := $(if $(LAB),$(filter-out !%,$(shell sh common/course/labs_named.sh $(call quoted,$(LAB)))))
RUN_    = $(T)/grade $(call set,ROSTER,roster) $(call set,OUT,out) $(call set,JOBS,jobs) $(call set,RUBRIC,rubric) \
  $(call set,ISOLATION,isolation) $(call set,ONE,one) $(call set,LAB,lab) $(if $(EXPLAIN),--explain) $(call set,EXPORT,export) \
  $(call set,CANVAS,canvas) $(call set,MOODLE,moodle) $(call set,MISSING,missing) $(call set,NAMES,names) $(LAST)
RUN_rubric = $(T)/grade --write-rubric $(call quoted,$(or $(value RUBRIC),rubric))
# N, or M N K, is the size of the matrices, REPEAT the timed runs of each
# kernel.
RUN_speed = $(T)/grade --speed='$(or $(SIZE),--m 2048 --n 2048 --k 2048) --repeat $(or $(REPEAT),25)' \
  $(if $(CUDA),--nvcc=$(CUDA)/bin/nvcc $(addprefix --arch=,$(SPEED_ARCH))) $(call set,ROSTER,roster) $(call set,OUT,out) $(call set,LAB,lab) $(LAST)
SPEED_ARCH = $(if $(filter native,$(ARCH)),$(shell nvidia-smi --query-gpu=compute_cap \
  --format=csv$(comma)noheader 2>/dev/null | head -1 | sed 's/[.]//; s/^/sm_/'),$(ARCH))
GRADE_RUN = $(RUN_$(WHAT))
GRADE_NEEDS = $(T)/grade $(if $(filter speed,$(WHAT)),$(if $(CUDA),$(SPEED_FILES)))

# --- the kit ------------------------------------------------------------------

GRADER_LIBS := -lseccomp -larchive -lnettle -ldl -lpthread
link_grade = $(STEP) $@ $(CC) $^ -Wl,--as-needed $(GRADER_LIBS) -lm -o $@
# In the box, beside the student's code, stands the runner, and what that needs
# of the harness: a device, but no judge.
RUNNER    := $(filter-out %_main.c,$(wildcard common/grade/runner/*.c))
CALLED    := $(addprefix common/harness/,buffers.c precision.c guard.c inputs.c call_check_cpu.c \
               bank_reads.c predictions.c story.c device_kind_cpu.c)
KIT       := build/grade/kit
KIT_O     := $(call objects,cpu,$(RUNNER) $(CALLED) common/banks/banks.c common/grade/base/wire.c $(addprefix common/simt/,report_checks.c report.c report_sums.c) \
               $(filter-out $(APART) common/simt/report% common/simt/environment.c %/cublas.c %/cublas_handle.c %/record_atomic.c,$(wildcard common/simt/*.c common/simt/run/*.c common/simt/*.S)))
KIT_ENDS  := shared_begin.o shared_end.o runner_begin.o runner_end.o
HEADERS   := $(wildcard common/simt/include/*) common/lab.h $(wildcard common/grade/runner/include/*)
KIT_FILES := $(KIT)/runner.o $(addprefix $(KIT)/,$(KIT_ENDS) compile.flags link.flags grade_build.sh compiler_words.awk simt_rewrite simt_tables grade_watch \
               guarded.names offered.names include/cuda_first.h.gch)
# What a student's source is linked with to be timed: the labs' own program.
SPEED_KIT := build/grade/speed
SPEED_FILES := $(addprefix $(SPEED_KIT)/,lab.h speed.sh harness.o labs/INDEX labs/TODOS)

# Beside the flags of the analyse build: each indirect call is looked at
# (runner/runner_thunk.S), copies are calls that count what they read
# (runner/runner_calls.c), no function is moved out of the order of the file,
# threadIdx has a constant place, which runner/grade_watch_main.c need not tell
# of, and one page of messages is enough.
CU_grade   = $(patsubst -I%,,$(CU_analyse)) -fcf-protection=branch -ftls-model=local-exec \
             -fno-builtin-memcpy -fno-builtin-memmove -fno-builtin-memset \
             -mindirect-branch=thunk-extern -mindirect-branch-register -fno-jump-tables \
             -fno-reorder-functions -fno-gnu-unique -fno-threadsafe-statics -fno-rtti -w -fmax-errors=20 -fno-diagnostics-show-caret -fno-pie
LD_grade   = ld -static --build-id=none -o program $(call crt,crt1.o) $(call crt,crti.o) \
             $(call crt,crtbeginT.o) KIT/shared_begin.o KIT/runner_begin.o LAB KIT/runner_end.o \
             KIT/shared_end.o KIT/runner.o -L$(dir $(call crt,libgcc.a)) -L$(dir $(call crt,libc.a)) \
             --start-group -lm -lgcc -lgcc_eh -lc --end-group $(call crt,crtend.o) $(call crt,crtn.o)
crt        = $(shell $(CXX) -print-file-name=$1)

# Linked once, without lines of its own: only the student's are asked for.
$(KIT)/runner.o: $(KIT_O) $(addprefix build/cpu/common/grade/runner/,runner_thunk.o runner_watch.o) $(BASE_A) common/grade/grade.mk
	$(STEP) $@ ld -r -S $(filter %.o %.a,$^) -L$(dir $(call crt,libstdc++.a)) -l:libsupc++.a -o $@

$(KIT)/include/cuda_first.h.gch: $(HEADERS) common/grade/grade.mk
	$(STEP) $@ cp -r $(HEADERS) $(@D)
	$(Q)$(patsubst c++,c++-header,$(CU_grade)) \
	  -I$(@D) $(@D)/cuda_first.h -o $@

$(KIT)/compile.flags: common/grade/grade.mk Makefile
	@mkdir -p $(@D)
	$(Q)echo '$(CU_grade) -include cuda_first.h -S' >$@

$(KIT)/link.flags: common/grade/grade.mk
	@mkdir -p $(@D)
	$(Q)echo '$(strip $(LD_grade))' >$@

$(KIT)/grade_build.sh: common/grade/runner/grade_build.sh
$(KIT)/compiler_words.awk: common/simt/compiler_words.awk
$(addprefix $(KIT)/,simt_rewrite simt_tables grade_watch): $(KIT)/%: $(T)/%
$(addprefix $(KIT)/,shared_begin.o shared_end.o): $(KIT)/%: build/cpu/common/simt/%
$(addprefix $(KIT)/,runner_begin.o runner_end.o): $(KIT)/%: build/cpu/common/grade/runner/%
$(SPEED_KIT)/lab.h: common/lab.h
$(SPEED_KIT)/speed.sh: common/grade/runner/speed.sh
$(addprefix $(SPEED_KIT)/labs/,INDEX TODOS): $(SPEED_KIT)/labs/%: labs/%
$(addprefix $(KIT)/,$(KIT_ENDS) grade_build.sh compiler_words.awk simt_rewrite simt_tables grade_watch) \
$(filter-out %.o,$(SPEED_FILES)):
	@mkdir -p $(@D) && cp $< $@

# By these a lab is called; whatever else it defines is its own.
$(KIT)/offered.names: common/grade/grade.mk
	@mkdir -p $(@D)
	$(Q)printf '%s\n' lab_host lab_launch lab_launch_b lab_read lab_prediction >$@

# What the runner has a function for is bound to that.
$(KIT)/guarded.names: build/cpu/common/grade/runner/runner_calls.o
	@mkdir -p $(@D)
	$(Q)nm $< | sed -n 's/.* T grade_call_\(.*\)/\1 grade_call_\1/p' >$@

$(T)/grade: | $(KIT_FILES)

# What a student's source is timed by: the labs' own program.
$(SPEED_KIT)/harness.o: $(ON_GPU_A)
	$(STEP) $@ ld -r --whole-archive $^ -o $@

# The first program in a box; box/box_init_bytes.c takes it in whole. It is as
# small as it can be, since every box gets a copy.
$(T)/box_init: build/cpu/common/grade/box/box_init_main.o
	$(STEP) $@ $(CC) -static -s $< -o $@

build/cpu/common/grade/box/box_init_bytes.o build/checked/common/grade/box/box_init_bytes.o: $(T)/box_init
