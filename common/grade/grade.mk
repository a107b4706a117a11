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
  $(call set,CANVAS,canvas) $(call set,MOODLE,moodle) $(call set,MISSING,missing) $(call set,NAMES,names) $(LAST)
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
# In the box, beside the student's code, stands the runner, and what that needs
# of the harness: a device, but no judge.
RUNNER    := $(filter-out %_main.c,$(wildcard common/grade/runner/*.c))
CALLED    := $(addprefix common/harness/,buffers.c precision.c guard.c inputs.c call_check_cpu.c \
               bank_reads.c predictions.c story.c device_kind_cpu.c)
KIT       := build/grade/kit
KIT_O     := $(call objects,cpu,$(RUNNER) $(CALLED) common/banks/banks.c common/grade/base/wire.c $(addprefix common/simt/,report_checks.c report.c report_lines.c report_sums.c) \
               $(filter-out $(APART) common/simt/report% common/simt/environment.c %/cublas.c %/cublas_handle.c %/record_atomic.c,$(wildcard common/simt/*.c common/simt/run/*.c common/simt/*.S)))
HEADERS   := $(wildcard common/simt/include/*) common/lab.h $(wildcard common/grade/runner/include/*)
# Beside the flags of the analyse build: each indirect call and each return is
# looked at (runner/runner_thunk.S), copies are calls that count what they read
# (runner/runner_calls.c), no function is moved out of the order of the file,
# threadIdx has a constant place, which runner/grade_watch_main.c need not tell
# of, and one page of messages is enough.
CU_grade   = $(patsubst -I%,,$(CU_analyse)) -fcf-protection=branch -ftls-model=local-exec \
             -fno-builtin-memcpy -fno-builtin-memmove -fno-builtin-memset \
             -mindirect-branch=thunk-extern -mindirect-branch-register -mfunction-return=thunk-extern -fno-jump-tables \
             -fno-reorder-functions -fno-gnu-unique -fno-threadsafe-statics -fno-rtti -w -fmax-errors=20 -fno-diagnostics-show-caret -fno-pie
LD_grade   = ld -static --build-id=none -o program $(call crt,crt1.o) $(call crt,crti.o) \
             $(call crt,crtbeginT.o) KIT/shared_begin.o KIT/runner_begin.o LAB KIT/runner_end.o \
             KIT/shared_end.o KIT/runner.o -L$(dir $(call crt,libgcc.a)) -L$(dir $(call crt,libc.a)) \
             --start-group -lm -lgcc -lgcc_eh -lc --end-group $(call crt,crtend.o) $(call crt,crtn.o)
crt        = $(shell $(CXX) -print-file-name=$1)

# Linked once, without lines of its own: only the student's are asked for.
$(KIT)/runner.o: $(KIT_O) $(addprefix build/cpu/common/grade/runner/,runner_thunk.o runner_watch.o) $(BASE_A) common/grade/grade.mk
	$(STEP) $@ ld -r -S $(filter %.o %.a,$^) -L$(dir $(call crt,libstdc++.a)) -l:libsupc++.a -o $@

$(KIT)/ready: common/grade/kit.sh $(KIT)/runner.o $(BEGIN_O) $(END_O) $(addprefix build/cpu/common/grade/runner/,runner_begin.o runner_end.o runner_calls.o) \
  common/grade/runner/grade_build.sh common/simt/compiler_words.awk $(addprefix $(T)/,simt_rewrite simt_tables grade_watch) $(HEADERS) common/grade/grade.mk Makefile
	$(Q)sh $< $(KIT) '$(CU_grade)' '$(strip $(LD_grade))' $(HEADERS) && touch $@

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
