# The tests and what they run. Included by the Makefile, where they are
# there: the students' archive has none.

include tests/grade/grade.mk

# What a GPU counted is compared with what the CPU device counts.
WITH_GPU_C := tests/hardware/test_hardware.c tests/hardware/test_bank_patterns.c
COMPARED   := $(if $(wildcard tests/hardware/h200.csv),$(WITH_GPU_C))

# Unit tests are built with the address and undefined behaviour sanitizers, and
# by test-all also without. Tests of whole programs run them as a user would.
WHOLE_C := $(wildcard $(addsuffix /test_*.c,$(addprefix tests/,experiments labs plots teaching chip))) \
           $(wildcard tests/banks/test_s*.c) tests/report/test_command.c \
           $(wildcard $(addprefix tests/grade/test_,$(addsuffix .c,command export_command layouts verdict cluster killed speed $(WITH_CLASS)))) \
           $(addprefix tests/simt/,test_programs.c test_bench.c test_environment.c) \
           $(COMPARED)
# Of test-all alone: a whole image of a grading service, a cluster of one node
# and an arm64 machine are made and used; a notebook builds the labs anew.
SLOW_C  := $(wildcard tests/grade/test_autograder.c tests/grade/test_slurm.c $(addprefix tests/places/,test_arm64.c test_notebook_runs.c))
UNIT_C  := $(filter-out $(WHOLE_C) $(SLOW_C) $(WITH_GPU_C),$(wildcard tests/*/test_*.c))
# COURSE (config.mk) says that the labs are another's, who has changed them.
# Then what holds the numbers, names and texts of these labs is left out.
HELD_C  := $(WHOLE_C) $(SLOW_C) tests/slides/test_schedules.c tests/harness/test_ladder.c
ifneq ($(value COURSE),)
UNIT_C  := $(filter-out $(HELD_C),$(UNIT_C))
WHOLE_C :=
SLOW_C  :=
ifneq ($(filter test test-all,$(MAKECMDGOALS)),)
$(info COURSE is set, so $(words $(HELD_C)) tests of the original course's labs are left out: make test COURSE= runs them)
endif
endif
SLOW    := $(SLOW_C:%.c=build/cpu/%)
UNIT    := $(UNIT_C:%.c=build/cpu/%)
# The boxes' tests wait more than they calculate: they run plain, and checked in
# test-all.
SLOW_CHECKED := $(patsubst %.c,build/checked/%,$(wildcard tests/grade/test_box*.c))
CHECKED := $(filter-out $(SLOW_CHECKED),$(UNIT_C:%.c=build/checked/%))
PLAIN   := $(SLOW_CHECKED:build/checked/%=build/cpu/%)
TWINS   := $(filter-out $(PLAIN),$(UNIT))
WHOLE   := $(WHOLE_C:%.c=build/cpu/%)
# Three run side by side: a test of the grader, which waits much; one that asks
# make for something; and one that reads what is built.
OF_GRADER := build/cpu/tests/grade/%
BY_MAKE   := $(filter-out $(OF_GRADER) $(addprefix build/cpu/tests/,simt/% hardware/% chip/% plots/% banks/% teaching/test_watch \
             $(addprefix labs/test_,labs mutants clean why compilers nvcc)),$(WHOLE))

# A linker that takes a third of the time, where it is there. The labs
# are linked as students do. Asked for when the first program is linked:
# make deps may have to install it.
QUICK_LD  = $(eval QUICK_LD := $(if $(TESTING),$(if $(shell command -v ld.gold 2>/dev/null),-fuse-ld=gold)))$(QUICK_LD)

# What tests share: an archive too.
HELP_C := $(filter-out %_main.c tests/fuzz/entry.c tests/grade/fake.c $(wildcard tests/*/test_*.c),$(wildcard tests/*.c tests/*/*.c))
# Programs for the CPU device: those that know it, and public ones, which nvcc
# builds as well. A folder in public/ is one program of several files.
SAMPLE_CU  := $(wildcard $(addprefix tests/simt/,programs/*.cu public/*.cu public/*/*.cu))
SAMPLES    := $(basename $(notdir $(wildcard tests/simt/programs/*.cu tests/simt/public/*.cu))) \
              $(notdir $(patsubst %/main.cu,%,$(wildcard tests/simt/public/*/main.cu)))
sample_o    = $(addprefix build/cpu/,$(addsuffix $2.o,$(basename $(filter \
              %/programs/$1.cu %/public/$1.cu tests/simt/public/$1/%.cu,$(SAMPLE_CU)))))
# Programs that were measured on a GPU; bank_patterns makes sense there alone.
MEASURED   := $(filter-out bank_patterns,$(basename $(notdir $(wildcard tests/hardware/*.cu))))
# The exercises, and their twins without the mistake. That of 13 is that it
# cannot be built.
MENDED       := $(EXERCISES:%=build/cpu/mended/%-analyse)
BUG_PROGRAMS := $(foreach b,$(filter-out 13_%,$(EXERCISES)),$(call bug_path,$b)) $(MENDED)
# The labs of tests/corpus/labs that have a line with one of these keys, and the
# programs whose first lines do not ask for that build alone: no other builds
# are run.
cases_with   = $(if $(TESTING),$(sort $(shell awk '/^case: / { name = $$2 } /^($1): / { print name }' $(EDITS))))
samples_but  = $(if $(TESTING),$(addprefix build/cpu/programs/,$(basename $(notdir $(patsubst %/main.cu,%,$(shell \
                 grep -L 'build: $1' tests/simt/programs/*.cu tests/simt/public/*.cu tests/simt/public/*/main.cu))))))
# Of the labs that must be told why they are wrong those for make test; all of
# them in test-all. Indices of arrays the fast build tells about, and all else
# the other one.
TOLD_NOW := $(if $(TESTING),$(shell awk -v all='$(filter test-all,$(TESTING))' '/^case: / { name = $$2; now = all } \
              /^when: .*why/ { now = 1 } /^kind: / && now { print name ($$NF == "array" ? "" : "-analyse") }' $(EDITS)))
# What the tests of whole programs run.
TESTED    = $(foreach d,$(BOTH),build/cpu/$d build/cpu/$d-analyse) \
            $(patsubst %,$(SMALL_TREE)/mutants/%,$(call cases_with,says) $(addsuffix -analyse,$(call cases_with,checks|counts|slow)) $(TOLD_NOW)) \
            $(call samples_but,analyse) $(patsubst %,%-analyse,$(call samples_but,fast)) \
            build/cpu/mutants/08_not_unrolled-analyse $(MEASURED:%=build/cpu/hardware/%-analyse) \
            $(addprefix build/cpu/experiments/,tiles tiles-analyse) \
            $(addprefix $(T)/,simt_rewrite simt_tables bench_simt bench_simt-analyse make_skeleton banks results chip report grade_fake grade hint watch quotes links) $(BUG_PROGRAMS)
# Of another processor's machine: are labs right and the counts the same there?
OF_DEVICE     := $(filter build/cpu/tests/simt/% build/cpu/tests/hardware/% %/test_labs %/test_compilers,$(UNIT) $(WHOLE))
RUN_OF_DEVICE  = $(filter $(addprefix build/cpu/,labs/% solutions/% programs/% hardware/%),$(filter-out $(BUG_PROGRAMS),$(TESTED))) \
                $(addprefix build/cpu/small/mutants/,$(addsuffix -analyse,02_adds_to_c 03_no_first_barrier 03_no_zero_fill)) build/cpu/mutants/08_not_unrolled-analyse \
                $(addprefix $(T)/,simt_rewrite bench_simt bench_simt-analyse)
# What nvcc must take, warnings being errors: the labs and the exercises for
# an old and a new GPU, the public programs for a new one, whose instructions
# some of them use. Exercise 13 it must refuse.
NVCC_SOURCES := $(if $(TESTING),$(wildcard $(foreach b,$(BOTH),$(call source,$b)) common/harness/*.cu common/experiments/*.cu slides/code/*.cu labs/spot_the_bug/*/*.cu labs/transpose/*.cu) $(filter tests/simt/public/%,$(SAMPLE_CU)) \
                $(wildcard tests/hardware/*.cu))
NVCC_LOGS := $(if $(shell command -v nvcc 2>/dev/null),$(NVCC_SOURCES:%.cu=build/nvcc/%.log))
NVCC_FOR   = $(or $(call gencode,$(filter $(NEEDY_LABS),$(subst /, ,$<))), \
             $(if $(filter tests/%,$<),-rdc=true -Icommon/simt/check,-gencode arch=compute_75,code=sm_75) \
             -gencode arch=compute_90$(comma)code=sm_90)

ifneq ($(TESTING),)
$(shell find common slides tests -type d | sed -n 's,^,build/cpu/,p; s,/cpu/,/checked/,p' | xargs mkdir -p)
endif

SANITIZE := -fsanitize=address,undefined -fno-sanitize-recover=all \
            -fno-omit-frame-pointer

# The plain build has asked for the warnings; of most tests there is none.
build/checked/%.o: %.c | $(FIRST)
	$(call step,$< (checked)) $(CC) $(C_FLAGS) -O0 -g1 $(if $(filter common/%,$<),-w) $(SANITIZE) $(API_cpu) $(DEPS) -c $< -o $@ $(end)

# A test runs once, so that optimising it would cost more than it saves.
build/cpu/tests/%.o: private C_FLAGS += -O1

build/checked/%.o: %.S | $(FIRST)
	@mkdir -p $(@D)
	$(Q)$(CC) -c $< -o $@

build/cpu/libtests.a: $(call objects,cpu,$(HELP_C))
	$(pack)
build/checked/libtests.a: $(call objects,checked,$(HELP_C))
	$(pack)

# Lines, shapes and operations are asked of code that is compiled as a lab is.
# The checked programs lie at a fixed address, the others may be moved.
PLACES       := $(patsubst %.cu,build/cpu/%.o,$(wildcard tests/simt/places/*.cu))
CALCULATIONS := $(patsubst %.cu,build/cpu/%-analyse.o,$(wildcard tests/simt/calculations/*.cu))
build/cpu/tests/simt/test_lines build/checked/tests/simt/test_lines: $(PLACES)
build/cpu/tests/simt/test_blocks build/checked/tests/simt/test_blocks: $(CALCULATIONS)
build/checked/tests/simt/test_lines build/checked/tests/simt/test_blocks: private SANITIZE += -no-pie
# It asks for its own parameters, which -g1 leaves out.
build/checked/tests/simt/test_lines.o: private SANITIZE += -g
# Those that calculate for seconds.
$(call objects,checked,$(addprefix common/harness/,blas.c reference.c verify.c) tests/simt/test_count.c $(addprefix tests/harness/test_,reference.c verify.c)): private SANITIZE += -O1

link_test = $(call step,$@) $(CXX) $(QUICK_LD) $1 $(filter %.o,$^) $(filter %.a,$^) -lcmocka -lcsv -lcjson $(GRADER_LIBS) $(LIBS_cpu) -o $@ $(end)
$(UNIT) $(WHOLE) $(SLOW): %: %.o $(BEGIN_O) $(END_O) build/cpu/libtests.a $(call archives,cpu)
	$(call link_test,)

$(CHECKED) $(SLOW_CHECKED): %: %.o $(call objects,checked,$(SHARED)) build/checked/libtests.a $(call archives,checked)
	$(call link_test,$(SANITIZE))

$(T)/run: build/cpu/tests/run_main.o build/cpu/libbase.a
$(T)/mutate: $(patsubst %,build/cpu/tests/corpus/%.o,mutate_main case texts) build/cpu/libbase.a

# One run makes all mutants of a lab, and leaves those as they are that would
# not change.
MADE := $(EDITS:tests/corpus/labs/%.edits=build/mutants/%.made)
$(MADE): build/mutants/%.made: tests/corpus/labs/%.edits $$(wildcard solutions/$$*/*.cu) $(T)/mutate
	@mkdir -p $(@D)
	$(Q)$(T)/mutate $< $(@D) && touch $@
$(filter-out $(LADDER:%=build/mutants/%.cu),$(MUTANTS:%=build/mutants/%.cu)): $(MADE) ;

# Kernels of others, which the model of common/chip had not seen.
$(LADDER:%=build/mutants/%.cu): build/mutants/%.cu: tests/chip/ladder/%.cu
	@mkdir -p $(@D) && cp $< $@

# Mutants that are right can be timed: make DEVICE=gpu build/gpu/mutants/NAME.
build/gpu/mutants/%.o: build/mutants/%.cu build/gpu/settings
	$(call step,$* (gpu)) $(CU_gpu) $(DEPS) -c $< -o $@ $(end)
$(MUTANTS:%=build/gpu/mutants/%): %: %.o $(ON_GPU_A)
GPU_PROGRAMS += $(MUTANTS:%=build/gpu/mutants/%)

$(MUTANTS:%=build/cpu/mutants/%.cpp): build/cpu/mutants/%.cpp: build/mutants/%.cu $(T)/simt_rewrite
	@mkdir -p $(@D)
	$(Q)$(T)/simt_rewrite $< -o $@

# What the compiler thinks of them is no matter here.
build/cpu/mutants/%.o: private CU_cpu += -w
build/cpu/mutants/%.o: private CU_analyse += -w

# Tests run mutants at a size of a few blocks, of which the largest make 128 x
# 128 elements, with the k that is graded: the numbers by which they are caught
# are the same there, in a fraction of the time. They stand in a tree with an
# INDEX of its own.
SMALL_TREE := build/cpu/small
SMALL      := $(MUTANTS:%=$(SMALL_TREE)/mutants/%)
$(SMALL_TREE)/labs/INDEX: labs/INDEX labs/TODOS
	@mkdir -p $(@D) && cp labs/TODOS $(@D) && ln -sfn ../.. $(SMALL_TREE)/build
	@sed 's/256x384x512/128x256x512/' $< >$@
ON_CPU_FAST += $(SMALL)
ON_CPU_COUNT += $(SMALL:%=%-analyse)
$(SMALL) $(SMALL:%=%-analyse): | $(SMALL_TREE)/labs/INDEX
$(SMALL): $(SMALL_TREE)/mutants/%: build/cpu/mutants/%.o
$(SMALL:%=%-analyse): $(SMALL_TREE)/mutants/%-analyse: build/cpu/mutants/%-analyse.o

$(SAMPLE_CU:%.cu=build/cpu/%.cpp): build/cpu/%.cpp: %.cu $(T)/simt_rewrite
	@mkdir -p $(@D)
	$(Q)$(T)/simt_rewrite $< -o $@ -d $@.d

# As make run does; labs have no exceptions.
build/cpu/tests/simt/public/with_headers/%.o: private CU_cpu += -fexceptions
build/cpu/tests/simt/public/with_headers/%.o: private CU_analyse += -fexceptions

SAMPLE_PROGRAMS := $(SAMPLES:%=build/cpu/programs/%)
OWN_MAIN_FAST += $(SAMPLE_PROGRAMS)
OWN_MAIN_COUNT += $(SAMPLE_PROGRAMS:%=%-analyse) $(MEASURED:%=build/cpu/hardware/%-analyse)
$(SAMPLE_PROGRAMS): build/cpu/programs/%: $$(call sample_o,$$*,)
$(SAMPLE_PROGRAMS:%=%-analyse): build/cpu/programs/%-analyse: $$(call sample_o,$$*,-analyse)
$(MEASURED:%=build/cpu/hardware/%-analyse): %: %.o

$(MEASURED:%=build/cpu/hardware/%.cpp): build/cpu/hardware/%.cpp: tests/hardware/%.cu $(T)/simt_rewrite
	@mkdir -p $(@D)
	$(Q)$(T)/simt_rewrite $< -o $@

$(SMALL) $(SMALL:%=%-analyse) $(SAMPLE_PROGRAMS) $(SAMPLE_PROGRAMS:%=%-analyse) $(BUG_PROGRAMS): private LINKER = $(QUICK_LD)

OWN_MAIN_COUNT += $(MENDED)
$(MENDED): %: %.o

build/mended/made: tests/corpus/exercises/exercises.edits $(wildcard labs/spot_the_bug/*/*.cu) $(T)/mutate
	@mkdir -p $(@D)
	$(call step,$@) $(T)/mutate $< $(@D) && touch $@ $(end)
$(EXERCISES:%=build/mended/%.cu): build/mended/made ;

$(EXERCISES:%=build/cpu/mended/%.cpp): build/cpu/mended/%.cpp: build/mended/%.cu $(T)/simt_rewrite
	$(call step,$@) $(T)/simt_rewrite $< -o $@ $(end)

# The benchmark of the CPU device, one program for each of its builds.
BENCH_O := $(call objects,cpu,$(wildcard tests/simt/bench/*.c))
OWN_MAIN_FAST += $(T)/bench_simt
OWN_MAIN_COUNT += $(T)/bench_simt-analyse
$(T)/bench_simt: build/cpu/tests/simt/bench/kernels.o $(BENCH_O) build/cpu/libharness.a
$(T)/bench_simt-analyse: build/cpu/tests/simt/bench/kernels-analyse.o $(BENCH_O) build/cpu/libharness.a

# What other versions of g++, if installed, make of the solutions
# and of lab 08's skeleton: build/cpu/by/g++-11/solutions/08_unrolling-analyse.
ifneq ($(TESTING),)
AT_HAND := $(shell $(CXX) -dumpversion 2>/dev/null | cut -d. -f1)
OTHERS  := $(foreach v,$(filter-out $(AT_HAND),11 12 13 14 15 16),$(if $(shell command -v g++-$v 2>/dev/null),g++-$v))
BY_EACH := $(filter-out $(GPU_ONLY),$(filter solutions/%,$(BOTH))) mutants/08_not_unrolled
define by_compiler
build/cpu/by/$1/%-analyse.o: build/cpu/%.cpp $(T)/simt_tables
	@mkdir -p $$(@D) && echo "  CU    $$* ($1, counting)"
	$$(Q)$$(call with_tables,$1 $$(wordlist 2,99,$$(CU_analyse)) -include cuda_runtime.h,,)
$(BY_EACH:%=build/cpu/by/$1/%-analyse): build/cpu/by/$1/%-analyse: build/cpu/by/$1/%-analyse.o
$(BY_EACH:%=build/cpu/by/$1/%-analyse): private CXX = $1
ON_CPU_COUNT += $(BY_EACH:%=build/cpu/by/$1/%-analyse)
TESTED += $(BY_EACH:%=build/cpu/by/$1/%-analyse)
endef
$(foreach c,$(OTHERS),$(eval $(call by_compiler,$c)))
endif

# nvcc's opinion of each file. The test reads the log.
$(NVCC_SOURCES:%.cu=build/nvcc/%.log): build/nvcc/%.log: %.cu $(wildcard common/*.h) tests/tests.mk
	$(call step,$@) $(NVCC) -std=c++17 -Icommon -Werror=all-warnings -Xcompiler=-Werror $(WARN_CU) \
	  $(NVCC_FOR) -c $< -o $(@:.log=.o) > $@ 2>&1 || true $(end)

# --- goals --------------------------------------------------------------------

test-built: $(T)/run $(PLAIN) $(CHECKED) $(WHOLE) $(if $(WHOLE),$(TESTED),$(filter $(T)/%,$(TESTED))) $(NVCC_LOGS)

test: test-built ## Run the tests: some minutes
	$(Q)$(T)/run $(BY_MAKE) \
	  --beside $(filter $(OF_GRADER),$(PLAIN) $(WHOLE) $(CHECKED)) \
	  --beside $(filter-out $(OF_GRADER) $(BY_MAKE),$(WHOLE) $(CHECKED))

test-programs: $(TESTED) ## Build what the tests of whole programs run

test-device: $(T)/run $(OF_DEVICE) $(RUN_OF_DEVICE) ## Run the tests of the labs and the CPU device alone
	$(Q)$(T)/run $(OF_DEVICE)

test-all: test $(TWINS) $(SLOW_CHECKED) $(SLOW) $(SOAKED) ## Run the tests, and those that need many minutes
	$(Q)HARDWARE_SIZES=all COUNTED=all CORPUS=all GRADE_KILLS=20 GRADE_SEEDS=100 QUOTES=all SOAK=60 WHY=all VET_TEXTS=20000 \
	  $(T)/run $(filter %/test_hardware %/test_labs %/test_material %/test_verdict %/test_chip %/test_why,$(WHOLE)) $(TWINS) $(CLASSES) \
	  $(SLOW_CHECKED) $(SLOW) $(SOAKED)

bench-simt: $(T)/bench_simt $(T)/bench_simt-analyse $(T)/results ## Measure how fast the CPU device itself is
	@mkdir -p build/results
	$(Q)for build in bench_simt bench_simt-analyse; do \
	  $(T)/$$build $(if $(SIZES),--sizes '$(SIZES)') $(if $(REPEAT),--repeat $(REPEAT)) \
	    --csv build/results/$$build.part || exit 1; echo; \
	done
	@cd build/results && ../tools/results merge bench_simt.csv bench_simt.part bench_simt-analyse.part && \
	  rm bench_simt.part bench_simt-analyse.part
	@echo "The same as CSV: build/results/bench_simt.csv"

.PHONY: test test-built test-programs test-device test-all bench-simt

# What a fuzzer finds is tested too.
-include tests/fuzz/fuzz.mk
