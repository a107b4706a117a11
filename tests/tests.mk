# The tests and what they run. Included by the Makefile, where they are there:
# the students' archive has none.

# --- which tests there are ----------------------------------------------------

# What a GPU counted is compared with what the CPU device counts.
WITH_GPU_C := tests/hardware/test_hardware.c tests/hardware/test_bank_patterns.c
# Whole classes, graded as an instructor would.
CLASS_C := $(wildcard $(patsubst %,tests/grade/test_%.c,corpus names again chance no_box closed))
# Unit tests are built with the address and undefined behaviour sanitizers, and
# by WHAT=all also without. Tests of whole programs run them as a user would.
WHOLE_C := $(wildcard $(addsuffix /test_*.c,$(addprefix tests/,experiments labs plots teaching chip))) \
           $(wildcard tests/banks/test_s*.c) tests/report/test_command.c $(CLASS_C) \
           $(wildcard $(patsubst %,tests/grade/test_%.c,command export_command layouts term course verdict module cluster killed speed)) \
           $(addprefix tests/simt/,test_programs.c test_bench.c test_environment.c) \
           $(if $(wildcard tests/hardware/h200.csv),$(WITH_GPU_C))
# Of WHAT=all alone: a whole image of a grading service, a cluster of one node
# and an arm64 machine are made and used; a notebook builds the labs anew.
SLOW_C  := $(wildcard tests/grade/test_autograder.c tests/grade/test_slurm.c $(addprefix tests/places/,test_arm64.c test_notebook_runs.c))
UNIT_C  := $(filter-out $(WHOLE_C) $(SLOW_C) $(WITH_GPU_C),$(wildcard tests/*/test_*.c))
# COURSE (config.mk) says that the labs are another's, who has changed them.
# Then what holds the numbers, names and texts of these labs is left out.
HELD_C  := $(if $(value COURSE),$(WHOLE_C) $(SLOW_C) tests/slides/test_schedules.c tests/harness/test_ladder.c)
$(if $(and $(HELD_C),$(TESTING)),$(info COURSE is set, so $(words $(HELD_C)) tests of the original course's labs are left out: make test COURSE= runs them))

# The web site in a browser, which is made first where npm brings what it needs.
IN_BROWSER := $(if $(value COURSE),,tests/site/test_site.sh)
SITE_MADE  := $(if $(and $(IN_BROWSER),$(filter test test-built,$(GOALS))),$(shell \
  sh slides/install.sh "the site's tests" common/site >&2 && echo site))

SLOW    := $(patsubst %.c,build/cpu/%,$(filter-out $(HELD_C),$(SLOW_C)))
WHOLE   := $(patsubst %.c,build/cpu/%,$(filter-out $(HELD_C),$(WHOLE_C)))
UNIT    := $(patsubst %.c,build/cpu/%,$(filter-out $(HELD_C),$(UNIT_C)))
# The boxes' tests wait more than they calculate: they run plain, and checked
# with WHAT=all.
PLAIN   := $(filter build/cpu/tests/grade/test_box%,$(UNIT))
TWINS   := $(filter-out $(PLAIN),$(UNIT))
SLOW_CHECKED := $(PLAIN:build/cpu/%=build/checked/%)
CHECKED := $(TWINS:build/cpu/%=build/checked/%)
# Three run side by side: a test of the grader, which waits much; one that asks
# make for something; and one that reads what is built.
OF_GRADER := $(filter build/cpu/tests/grade/%,$(PLAIN) $(WHOLE) $(CHECKED))
BY_MAKE   := $(filter-out $(OF_GRADER) $(addprefix build/cpu/tests/,simt/% hardware/% chip/% plots/% banks/% teaching/test_watch \
             $(addprefix labs/test_,labs mutants clean why compilers nvcc)),$(WHOLE))

# --- what they run ------------------------------------------------------------

# Lists, and a rule for each program: there are hundreds, and make knows them
# where they are asked for.
MUTANTS :=
ifneq ($(TESTING)$(findstring mutants,$(OF) $(GOALS))$(filter predictions,$(WHAT)),)
$(shell sh tests/programs.sh $(CXX) >build/tests.mk.$$$$ && mv build/tests.mk.$$$$ build/tests.mk)
include build/tests.mk
endif

ifneq ($(TESTING),)
# Of the labs that must be told why they are wrong, all with WHAT=all.
TOLD_NOW := $(if $(filter all,$(WHAT)),$(TOLD_ALL),$(TOLD))
# Those that are tried in a browser, for what the console says of them.
TRIED    := $(foreach m,$(if $(filter all site,$(WHAT)),$(IN_PAGE:%=small/mutants/%),mutants/03_no_first_barrier),build/cpu/$m build/cpu/$m-analyse)
BUGGY    := $(MENDED:%=build/cpu/mended/%-analyse) $(filter-out %/three_vectors-analyse,$(EXERCISED))
TOOLS    := $(addprefix $(T)/,simt_rewrite simt_tables bench_simt bench_simt-analyse make_skeleton banks results chip report grade_fake \
              grade hint watch quotes links fragments translate)
TESTED   := $(BOTH:%=build/cpu/%) $(BOTH:%=build/cpu/%-analyse) $(SAMPLES_FAST:%=build/cpu/programs/%) $(SAMPLES_COUNTING:%=build/cpu/programs/%-analyse) \
            $(CAUGHT_FAST:%=build/cpu/small/mutants/%) $(CAUGHT_COUNTING:%=build/cpu/small/mutants/%-analyse) $(TOLD_NOW:%=build/cpu/small/mutants/%) \
            build/cpu/mutants/08_not_unrolled-analyse $(MEASURED:%=build/cpu/hardware/%-analyse) $(TILES:-analyse=) $(TILES) $(BUGGY) $(BY_OTHER)
# Of another processor's machine: are labs right and the counts the same there?
OF_DEVICE := $(filter build/cpu/tests/simt/% build/cpu/tests/hardware/% %/test_labs %/test_compilers,$(UNIT) $(WHOLE))
RUN_OF_DEVICE := $(filter $(addprefix build/cpu/,labs/% solutions/% programs/% hardware/%),$(filter-out $(BUGGY),$(TESTED))) \
                 $(patsubst %,build/cpu/small/mutants/%-analyse,02_adds_to_c 03_no_first_barrier 03_no_zero_fill) build/cpu/mutants/08_not_unrolled-analyse \
                 $(addprefix $(T)/,simt_rewrite bench_simt bench_simt-analyse)
# What nvcc must take, warnings being errors: the labs and the exercises for
# an old and a new GPU, the public programs for a new one, whose instructions
# some of them use. Exercise 13 it must refuse. The test reads the logs.
NVCC_LOGS := $(if $(HAS_NVCC),$(patsubst %.cu,build/nvcc/%.log,$(foreach b,$(BOTH),$(wildcard $b/*.cu)) $(wildcard common/harness/*.cu common/experiments/*.cu slides/code/*.cu \
               labs/*/[0-9]*/*.cu labs/transpose/*.cu tests/simt/public/*.cu tests/simt/public/*/*.cu tests/hardware/*.cu)))
endif

FOR_EACH := -gencode arch=compute_90,code=sm_90
build/nvcc/%.log: private FOR_GPU = -gencode arch=compute_75,code=sm_75 $(FOR_EACH)
build/nvcc/tests/%.log: private FOR_GPU = -rdc=true -Icommon/simt/check $(FOR_EACH)
build/nvcc/%.log: %.cu $(wildcard common/*.h)
	$(STEP) $@ sh -c '$(NVCC) -std=c++17 -Icommon -Werror=all-warnings -Xcompiler=-Werror $(WARN_CU) $(FOR_GPU) -c $< -o $(@:.log=.o) >"$$1" 2>&1 || true' sh $@

# Wrong labs and mended exercises (tests/corpus).
mutate = $(STEP) $@ sh -c '$(T)/mutate $< $(@D) && touch $$0' $@
$(T)/mutate: $(patsubst %,build/cpu/tests/corpus/%.o,mutate_main case texts) $(BASE_A)
	$(link_tool)

# What the compiler thinks of them is no matter here.
build/cpu/mutants/%.o: private CU_cpu += -w
build/cpu/mutants/%.o: private CU_analyse += -w
build/cpu/mutants/%: $(BEGIN_O) build/cpu/mutants/%.o $(END)
	$(link)

build/cpu/mutants/%-analyse: $(BEGIN_O) build/cpu/mutants/%-analyse.o $(END) | $(T)/compiler_counts
	$(link)

# Those that are right can be timed: make DEVICE=gpu build/gpu/mutants/NAME.
build/gpu/mutants/%: build/gpu/mutants/%.o $(ON_GPU_A)
	$(link_gpu)

# Tests run mutants at a size of a few blocks, of which the largest make 128 x
# 128 elements, with the k that is graded: the numbers by which they are caught
# are the same there, in a fraction of the time. They stand in a tree with an
# INDEX of its own.
build/cpu/small/labs/INDEX: labs/INDEX labs/TODOS
	@mkdir -p $(@D) && cp labs/TODOS $(@D) && ln -sfn ../.. build/cpu/small/build
	@sed 's/256x384x512\|256x512x512/128x256x512/' $< >$@

# A linker that takes a third of the time, where it is there. The labs are
# linked as students do.
build/cpu/small/% build/cpu/mended/% build/cpu/labs/spot_the_bug/% build/cpu/labs/warm_up/%: private LINKER = $(QUICK_LD)
build/cpu/small/mutants/%: $(BEGIN_O) build/cpu/mutants/%.o $(END) | build/cpu/small/labs/INDEX
	$(link)

build/cpu/small/mutants/%-analyse: $(BEGIN_O) build/cpu/mutants/%-analyse.o $(END) | build/cpu/small/labs/INDEX
	$(link)

build/cpu/programs/%: private LINKER = $(QUICK_LD) $(HEAP_LD)
build/cpu/mended/%-analyse: $(BEGIN_O) build/cpu/mended/%-analyse.o $(END)
	$(link)

# As make run does; labs have no exceptions.
build/cpu/tests/simt/public/with_headers/%.o: private CU_cpu += -fexceptions
build/cpu/tests/simt/public/with_headers/%.o: private CU_analyse += -fexceptions

# By other compilers, as build/cpu/by/g++-11/solutions/08_unrolling-analyse.
by_other = $(STEP) $@ $(compile) "" "" $@ $(CXX) $(wordlist 2,99,$(CU_analyse)) -include cuda_runtime.h $(BESIDE) $(DEPS) $<

# The benchmark of the CPU device, one program for each of its builds.
BENCH_O := $(call objects,cpu,$(wildcard tests/simt/bench/*.c))
$(T)/bench_simt: $(BEGIN_O) build/cpu/tests/simt/bench/kernels.o $(BENCH_O) $(END)
	$(link)

$(T)/bench_simt-analyse: $(BEGIN_O) build/cpu/tests/simt/bench/kernels-analyse.o $(BENCH_O) $(END)
	$(link)

# --- the tests themselves -----------------------------------------------------

SANITIZE := -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
# The plain build has asked for the warnings; of most tests there is none. A
# test runs once, so that optimising it would cost more than it saves.
build/checked/%.o: %.c
	$(call c_o,-O0 -g1 $(if $(filter common/%,$<),-w) $(SANITIZE) $(API_cpu))
build/checked/problems/%.o: labs/%/problem.c
	$(call c_o,-O0 -g1 $(SANITIZE) $(API_cpu))
build/cpu/tests/%.o: private C_FLAGS += -O1

build/checked/%.o: %.S
	$(STEP) $@ $(CC) -c $< -o $@

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

# What tests share is a library too; test programs have all of them.
HELP_C := $(filter-out %_main.c tests/fuzz/entry.c tests/grade/fake.c $(wildcard tests/*/test_*.c),$(wildcard tests/*.c tests/*/*.c))
libraries = $(patsubst %,build/$1/lib%.a,tests grade teach course)
build/cpu/libtests.a: $(call objects,cpu,$(HELP_C))
build/checked/libtests.a: $(call objects,checked,$(HELP_C))
build/checked/libcourse.a: $(call objects,checked,$(COURSE_C))
build/checked/libteach.a: $(call objects,checked,$(TEACH_C))
build/checked/libgrade.a: $(call objects,checked,$(GRADE_C))
link_test = $(STEP) $@ $(CXX) $(QUICK_LD) $1 $(filter %.o,$^) $(filter %.a,$^) -lcmocka -lcsv -lcjson $(GRADER_LIBS) $(LIBS) -o $@
$(UNIT) $(WHOLE) $(SLOW): %: %.o $(BEGIN_O) $(END_O) $(call libraries,cpu)
	$(call link_test,)

$(CHECKED) $(SLOW_CHECKED): %: %.o $(call objects,checked,$(SHARED)) $(call libraries,checked)
	$(call link_test,$(SANITIZE))

build/cpu/tests/slides/test_schedules: build/cpu/slides/tool/read.o
build/checked/tests/slides/test_schedules: build/checked/slides/tool/read.o

$(T)/run: build/cpu/tests/run_main.o $(COURSE_A)
	$(link_tool)

include tests/grade/grade.mk tests/fuzz/fuzz.mk

# --- goals --------------------------------------------------------------------

ifneq ($(TESTING),)
# Linked, where nobody could run it, for a GPU that nvcc would ask for.
ifeq ($(wildcard /dev/nvidiactl),)
build/gpu/solutions/03_tiling: ARCH = sm_90
endif
BUILT := $(T)/run $(PLAIN) $(CHECKED) $(WHOLE) $(TOOLS) $(if $(WHOLE),$(TESTED)) $(NVCC_LOGS) $(if $(HAS_NVCC),build/gpu/solutions/03_tiling) $(if $(SITE_MADE),site $(TRIED))
ALL_TESTS = $(filter %/test_hardware %/test_labs %/test_material %/test_verdict %/test_chip %/test_why,$(WHOLE)) $(TWINS) $(CLASSES) \
            $(SLOW_CHECKED) $(SLOW) $(SOAKED) $(IN_BROWSER)
TESTS_    := $(BUILT)
TESTS_all := $(BUILT) $(DECKS) $(TWINS) $(SLOW_CHECKED) $(SLOW) $(SOAKED)
TESTS_device := $(T)/run $(OF_DEVICE) $(RUN_OF_DEVICE)
TESTS_site := $(T)/run $(TOOLS) $(filter build/cpu/solutions/%,$(BOTH:%=build/cpu/%)) $(if $(SITE_MADE),site $(TRIED))
TESTS_soak := $(SOAKED)
TESTS_fuzz := $(if $(TARGET),build/fuzz/$(TARGET) $(T)/seeds)
RUN_TESTS_ = $(T)/run $(BY_MAKE) --beside $(OF_GRADER) --beside $(IN_BROWSER) $(filter-out $(OF_GRADER) $(BY_MAKE),$(WHOLE) $(CHECKED))
RUN_TESTS_all = $(RUN_TESTS_) && $(SLIDES) sh slides/make.sh $(SHOWN_S) look && \
  HARDWARE_SIZES=all COUNTED=all CORPUS=all GRADE_KILLS=20 GRADE_SEEDS=100 QUOTES=all SOAK=60 WHY=all SITE=all VET_TEXTS=20000 $(T)/run $(ALL_TESTS)
RUN_TESTS_device = $(T)/run $(OF_DEVICE)
RUN_TESTS_site = SITE=all $(T)/run $(IN_BROWSER)
RUN_TESTS_soak = mkdir -p build/results && SOAK=$(STUDENTS) SOAK_CSV=build/results/soak.csv nice $(SOAKED)
RUN_TESTS_fuzz = sh tests/fuzz/fuzz.sh '$(TARGET)' $(SECONDS) '$(FUZZERS)'

test: $(TESTS_$(filter all device soak fuzz site,$(WHAT)))
	$(Q)$(RUN_TESTS_$(WHAT))

test-built: $(BUILT)
.PHONY: test test-built
endif
