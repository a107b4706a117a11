# The grader: what it is made of, and the kit that it gives to the compile box.
# Included by the Makefile.

# In the box, beside the student's code.
RUNNER    := $(filter-out %_main.c,$(wildcard common/grade/runner/*.c))
GRADER_LIBS := -lseccomp -larchive -lnettle -ldl -lpthread

# And what that needs of the harness: a device, but no judge.
CALLED    := $(addprefix common/harness/,buffers.c precision.c guard.c inputs.c call_check_cpu.c \
               bank_reads.c predictions.c device_kind_cpu.c)

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
CU_grade  := $(patsubst -I%,,$(CU_analyse)) -fcf-protection=branch -ftls-model=local-exec \
             -fno-builtin-memcpy -fno-builtin-memmove -fno-builtin-memset \
             -mindirect-branch=thunk-extern -mindirect-branch-register -fno-jump-tables \
             -fno-reorder-functions -fno-gnu-unique -fno-threadsafe-statics -fno-rtti -w -fmax-errors=20 -fno-diagnostics-show-caret -fno-pie
LD_grade   = ld -static --build-id=none -o program $(call crt,crt1.o) $(call crt,crti.o) \
             $(call crt,crtbeginT.o) KIT/shared_begin.o KIT/runner_begin.o LAB KIT/runner_end.o \
             KIT/shared_end.o KIT/runner.o -L$(dir $(call crt,libgcc.a)) -L$(dir $(call crt,libc.a)) \
             --start-group -lm -lgcc -lgcc_eh -lc --end-group $(call crt,crtend.o) $(call crt,crtn.o)
crt        = $(shell $(CXX) -print-file-name=$1)

# Linked once, without lines of its own: only the student's are asked for.
$(KIT)/runner.o: $(KIT_O) build/cpu/libbase.a $(addprefix build/cpu/common/grade/runner/,runner_thunk.o runner_watch.o) common/grade/grade.mk
	$(call step,$@) ld -r $(filter %.o,$^) build/cpu/libbase.a -L$(dir $(call crt,libstdc++.a)) -l:libsupc++.a -o $@ $(end)
	$(Q)strip -g $@

$(KIT)/include/cuda_first.h.gch: $(HEADERS) common/grade/grade.mk | $(FIRST)
	$(call step,$@) cp -r $(HEADERS) $(@D) $(end)
	$(Q)$(patsubst c++,c++-header,$(CU_grade)) \
	  -I$(@D) $(@D)/cuda_first.h -o $@

$(KIT)/compile.flags: common/grade/grade.mk Makefile | $(FIRST)
	@mkdir -p $(@D)
	$(Q)echo '$(CU_grade) -include cuda_first.h -S' >$@

$(KIT)/link.flags: common/grade/grade.mk | $(FIRST)
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

$(foreach m,$(filter-out %/box_init_main.c,$(wildcard common/grade/*_main.c common/grade/*/*_main.c \
  tests/grade/bench/*_main.c)),$(eval \
  $(call tool,$m): $(call objects,cpu,$m) $(call archives,cpu)))
$(addprefix $(T)/,grade box_bench): private TOOL_LIBS = $(GRADER_LIBS)
$(T)/grade: | $(KIT_FILES)


# --- make grade ---------------------------------------------------------------
# The settings are the options of build/tools/grade, which --help explains:
# ONE=alice LAB="04 06" is --one alice --lab "04 06".

# A name may hold quotes and dollars, so the shell gets each as it is.
GRADE_SETTINGS := SUBMISSIONS ROSTER OUT JOBS RUBRIC ISOLATION ONE LAB EXPLAIN EXPORT CANVAS MOODLE MISSING NAMES
$(foreach s,$(GRADE_SETTINGS),$(eval $s ?=))
$(foreach s,$(GRADE_SETTINGS),$(eval grade rubric speed autograder-zip: export GRADE_$s = $$(value $s)))

given = $(if $(value $1),--$2="$$GRADE_$1")
grade: $(T)/grade ## Grade your labs, or a class: SUBMISSIONS= ROSTER= OUT=
	$(Q)$(T)/grade $(call given,ROSTER,roster) $(call given,OUT,out) $(call given,JOBS,jobs) \
	  $(call given,RUBRIC,rubric) $(call given,ISOLATION,isolation) $(call given,ONE,one) \
	  $(call given,LAB,lab) $(if $(EXPLAIN),--explain) \
	  $(call given,EXPORT,export) $(call given,CANVAS,canvas) $(call given,MOODLE,moodle) \
	  $(call given,MISSING,missing) $(call given,NAMES,names) \
	  $(if $(value SUBMISSIONS),-- "$$GRADE_SUBMISSIONS")

rubric: $(T)/grade ## Write points and dates of a class into a file: RUBRIC=rubric
	$(Q)$(T)/grade --write-rubric "$${GRADE_RUBRIC:-rubric}"

# --- make speed ---------------------------------------------------------------
#   SUBMISSIONS, ROSTER, LAB  as for make grade
#   OUT                the CSV file             (SUBMISSIONS.speed.csv)
#   N, or M N K        size of the matrices                      (2048)
#   REPEAT             timed runs of each kernel                   (25)

SPEED_RUN  := $(or $(SIZE),--m 2048 --n 2048 --k 2048) --repeat $(or $(REPEAT),25)
SPEED_ARCH  = $(if $(filter native,$(ARCH)),$(shell nvidia-smi --query-gpu=compute_cap \
                --format=csv$(comma)noheader 2>/dev/null | head -1 | sed 's/[.]//; s/^/sm_/'),$(ARCH))

$(SPEED_KIT)/harness.o: $(ON_GPU_A)
	$(call step,$@) ld -r --whole-archive $^ -o $@ $(end)

speed: $(T)/grade $(if $(CUDA),$(SPEED_FILES)) ## Time a class's kernels on this GPU: SUBMISSIONS=
	$(Q)$(T)/grade --speed='$(SPEED_RUN)' $(if $(CUDA),--nvcc=$(CUDA)/bin/nvcc $(addprefix --arch=,$(SPEED_ARCH))) \
	  $(call given,ROSTER,roster) $(call given,OUT,out) $(call given,LAB,lab) $(if $(value SUBMISSIONS),-- "$$GRADE_SUBMISSIONS")

autograder-zip: ## Make the zip for Gradescope; of some labs with LAB="04"
	@sh common/grade/publish/gradescope/zip.sh "$(foreach l,$(LAB),$(call name,$l))" "$$GRADE_RUBRIC"

.PHONY: rubric speed autograder-zip

# The first program in a box; box/box_init_bytes.c takes it in whole. It is as
# small as it can be, since every box gets a copy.
$(T)/box_init: build/cpu/common/grade/box/box_init_main.o
	$(call step,$@) $(CC) -static -s $< -o $@ $(end)

build/cpu/common/grade/box/box_init_bytes.o build/checked/common/grade/box/box_init_bytes.o: $(T)/box_init
