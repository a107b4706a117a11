# CUDA C labs: matrix multiplication made faster step by step.
# Type `make` for a menu.
#
# It is read once, from top to bottom: what there is, what can be typed, by
# whom, and how each kind of file is made. Settings, as make NAME=value or in a
# file config.mk, are in common/course/SETTINGS. `make help` prints the lines
# with ## (##+: for those who have the solutions and the tests).

.DEFAULT_GOAL := menu
.DELETE_ON_ERROR:
.SUFFIXES:
MAKEFLAGS += --no-builtin-rules --warn-undefined-variables

ifeq ($(wildcard labs/INDEX),)
$(error run make in the course's folder, or say where that is: make -C FOLDER)
endif

GOALS  := $(MAKECMDGOALS)
T      := build/tools
comma  := ,
quoted  = '$(subst ','\'',$1)'

# `make deps demo` installs first. Then make begins anew, and finds it.
ifneq ($(filter deps,$(GOALS)),)
NEXT := $(filter-out deps,$(GOALS))
SAID := $(if $(filter command,$(origin WHAT)),$(WHAT))
deps:
	@sh common/course/$(if $(filter list,$(SAID)),doctor,deps).sh $(addsuffix $(SAID:%==%),$(NEXT))
	$(if $(NEXT),@$(MAKE) --no-print-directory $(AFTER))
# `make deps grade` alone makes the grader, and grades nobody's empty labs.
AFTER := $(if $(filter command,$(origin SUBMISSIONS) $(origin WHAT)),$(NEXT),$(patsubst grade,$(T)/grade,$(NEXT)))
$(NEXT): deps ; @:
.PHONY: deps $(NEXT)
else

# --- what there is ------------------------------------------------------------

# What this machine has and what is set are in build/config.mk then; a plain
# rule for each program is in build/programs.mk, included below.
ifneq ($(shell sh common/course/configure.sh || echo failed),)
$(error the folder build/ cannot be written)
endif
include build/config.mk

# The labs that were asked for, by their full names; ! and what is wrong.
CHOSEN  := $(if $(LABS),$(shell sh common/course/labs_named.sh $(call quoted,$(LABS))))
NAMED   := $(if $(LAB),$(shell sh common/course/labs_named.sh $(call quoted,$(LAB))))
WRONG   := $(or $(patsubst !%,%,$(or $(if $(findstring !,$(CHOSEN)),$(CHOSEN)),$(if $(findstring !,$(NAMED)),$(NAMED)))),$(shell \
  sh common/course/refuse.sh '$(GOALS)' $(call quoted,$(foreach s,$(subst \ ,_,$(if $(findstring undefined,$(origin MAKEOVERRIDES)),,$(MAKEOVERRIDES))),$(firstword $(subst =, ,$s)))) \
    $(foreach s,$(SETTINGS),$(if $(value $s),$(call quoted,$s=$(value $s))))))
ifneq ($(WRONG),)
$(error $(WRONG))
endif

NVCC    := nvcc
Q       := $(if $(V),,@)
VERSION := $(file <VERSION)
# What tests alone build is of no interest to others.
TESTING := $(filter test test-built build/cpu/tests/% build/checked/tests/%,$(GOALS))
# Uses all cores, unless told otherwise.
ifeq ($(filter -j%,$(MAKEFLAGS)),)
MAKEFLAGS += -j$(CORES)
endif
# It would have our programs read their options otherwise.
unexport POSIXLY_CORRECT
export V VERBOSE
# What programs say is in that language (base/language.h).
export COURSE_LANGUAGE := $(LANGUAGE)
# What makes pages in it.
READ    := $(if $(wildcard labs/languages/$(LANGUAGE)/tasks.po $(LANGUAGE)/tasks.po),$(T)/translate)
unexport LANGUAGE

# N=1024 alone is a square, N=1024,2048 the sides of several.
SIDES   := $(subst $(comma), ,$N)
SIZE    := $(if $(word 2,$(SIDES)),,$(if $N,--m $(or $M,$N) --n $N --k $(or $K,$N)))
SHAPES  := $(or $(SIZES),$(if $(word 2,$(SIDES)),$(SIDES),$(if $N,$(or $M,$N)x$Nx$(or $K,$N))))
SEEDED  := $(SIZE) $(if $(SEED),--seed $(SEED))
RUN     := $(SEEDED) $(if $(REPEAT),--repeat $(REPEAT))
COUNT   := $(SEEDED) $(if $(BANKS),--cc $(BANKS))

# A library is what lies in its folders but programs (NAME_main.c) and what is
# set apart: the first and the last of a lab's shared variables, for the linker
# leaves them in the order of the command line; what the grader puts into a box.
SHARED   := common/simt/shared_begin.c common/simt/shared_end.c
APART    := $(SHARED) $(filter-out %/report.c,$(wildcard common/grade/runner/*.c)) $(wildcard common/grade/module/*.c)
sources   = $(filter-out %_main.c $(APART),$(wildcard $(foreach f,$1,common/$f/*.c common/$f/*/*.c common/$f/*.S)))
# What labs compute that is no product, and their list (problems.sh).
PROBLEM_C := $(wildcard labs/[0-9]*/problem.c) build/problems.c
COURSE_C := $(filter-out %_gpu.c,$(call sources,base banks course harness problem simt)) $(PROBLEM_C)
ON_GPU_C := $(filter-out %_cpu.c,$(call sources,base banks course harness problem) $(PROBLEM_C) $(filter-out $(APART),$(wildcard common/simt/report*.c)) common/simt/check_names.c)
TEACH_C  := $(call sources,teach report chip language)
GRADE_C  := $(call sources,grade)
# objects BUILD, SOURCES. Where a lab's folder would be is its program.
objects   = $(patsubst build/$1/labs/%/problem.o,build/$1/problems/%.o,$(patsubst %,build/$1/%.o,$(basename $2)))
BASE_A   := build/cpu/libbase.a
COURSE_A := build/cpu/libcourse.a
TEACH_A  := build/cpu/libteach.a
GRADE_A  := build/cpu/libgrade.a
ON_GPU_A := build/gpu/libcourse.a
BEGIN_O  := build/cpu/common/simt/shared_begin.o
END_O    := build/cpu/common/simt/shared_end.o
# What stands behind the objects of a program for the CPU device.
END      := $(END_O) $(COURSE_A)
# What only nvcc can compile.
GPU_CU   := $(wildcard common/harness/*.cu) $(addprefix common/experiments/,bandwidth.cu chip.cu)
TILES    := $(if $(wildcard common/experiments/tiles.cu),build/cpu/experiments/tiles-analyse)

# What a lab needs besides comes first: of a mistake make then says one line.
BEFORE_LAB := $(if $(filter lab-%,$(GOALS)),$(COURSE_A) $(T)/check $(T)/results $(T)/compiler_counts)

include build/programs.mk

# Whose program, with % for a lab: the student's, with OF=solutions the
# course's, and with OF=mutants/03_no_zero_fill that of tests/corpus/labs.
WHOSE    := $(if $(filter mutants/%,$(OF)),$(OF),$(OF)/%)
COUNTING := build/cpu/$(WHOSE)-analyse
of_lab    = $(subst %,$*,$(WHOSE))
GPU_ONLY := $(filter-out $(ON_CPU),$(BOTH))
# Of which small changes are tried when they are wrong.
TRY_LABS := $(filter-out $(BANK_LABS:%=labs/%) $(BANK_LABS:%=solutions/%),$(ON_CPU)) $(filter mutants/%,$(OF))

# The parts: rules of their own, and what the targets below need of them.
include common/course/run.mk common/experiments/experiments.mk common/chip/chip.mk common/grade/grade.mk
-include $(wildcard slides/slides.mk tests/tests.mk)

# --- for students -------------------------------------------------------------

menu:
	@sh common/course/help.sh first && sh common/course/status.sh $(ALL_LABS)

## lab-NN     Build and check your lab, as in make lab-03 VERBOSE=1
$(ALL_LABS:%=lab-%): lab-%: FORCE build/$(DEVICE)/$(WHOSE) $(COUNTING) $(T)/check $(T)/results
	@$(T)/check $(of_lab) build/$(DEVICE)/$(of_lab) \
	  '$(if $(filter $(of_lab),$(GPU_ONLY)),,build/cpu/$(of_lab)-analyse)' \
	  '$(RUN)' '$(COUNT) $(if $(VERBOSE),--verbose)' '$(if $(filter 0,$(TRY)),,$(filter $(of_lab),$(TRY_LABS)))'
$(WHY_LABS:%=lab-%): lab-%: $(T)/chip $(CUBIN)

## watch-NN   Check a lab again whenever you save it
$(ALL_LABS:%=watch-%): watch-%: FORCE $(T)/watch
	$(Q)exec $(T)/watch $* $(ALL_LABS) -- $(foreach s,DEVICE M N K SEED REPEAT VERBOSE,$(if $($s),$s=$($s)))

## hint-NN    Show the next hint for a lab's first open TODO
$(ALL_LABS:%=hint-%): hint-%: FORCE $(T)/hint
	@mkdir -p build/hints
	$(Q)$(T)/hint labs/$* build/hints/$* $(if $(TODO),--todo $(TODO)) $(if $(AGAIN),--again)

## status     Show how far each of your labs is
status: $(T)/results
	@sh common/course/status.sh $(ALL_LABS)

## reset-NN   Begin a lab anew; your file is kept
$(ALL_LABS:%=reset-%): reset-%: FORCE $(if $(wildcard solutions),$(T)/make_skeleton)
	@sh common/course/reset.sh $(T)/make_skeleton $*

## warm-NN    Try a line of CUDA before lab 02; EXPLAIN=1 is a hint
## bug-NN     Run a program with a mistake; EXPLAIN=1 tells which
$(EXERCISES): FORCE $(READ)
	@EXPLAIN=$(EXPLAIN) SIMT_REPORT=$(if $(VERBOSE),table) sh common/course/exercise.sh $@

## map-NN     Draw who accesses what, as in make map-03 ARRAY=As
$(patsubst %,map-%,$(filter-out $(OTHER_LABS),$(ALL_LABS))): map-%: FORCE $(T)/results $(COUNTING)
	@FROM=$(OF) sh plots/map.sh build/cpu/$(of_lab)-analyse build/results/map_$(firstword $(subst _, ,$*)) \
	  $(if $(LINE),--map-line $(LINE)) $(if $(ARRAY),--map-array $(ARRAY)) $(if $(REQUEST),--map-request $(REQUEST)) $(COUNT)

## why-NN     Predict a kernel's time and limit: CHIP=h200 N=4096
$(patsubst %,why-%,$(if $(WHAT),$(ALL_LABS),$(WHY_LABS))): why-%: FORCE $(T)/chip $(if $(WHAT),,$(COUNTING)) $(CUBIN)
	@PLOTS=$(PLOTS) sh common/chip/why.sh $* $(of_lab) $(CHIP) '$(SHAPES)' $(WHAT)

## report     Make your report: STUDENT="First Last" ANSWERS=file
report: build/results/device.csv $(T)/report $(filter-out report clean,$(GOALS)) $(if $(wildcard solutions),$(if $(wildcard build/results/ladder.csv),,demo))
	@mkdir -p build/report
	$(Q)$(T)/report --student=$(call quoted,$(value STUDENT)) $(if $(value ANSWERS),--answers $(call quoted,$(value ANSWERS)))
	@sh common/report/pdf.sh build/report/report.html build/report/report.pdf

## answers    Write answers.txt: all questions, with room below each
answers: $(READ)
	@sh common/course/answers.sh

## next-archive  Add the labs of the next archive: FILE=archive
next-archive:
	@sh common/course/next_archive.sh $(call quoted,$(value FILE))

## deps       Install what is missing, as in make deps grade; or WHAT=list
## help       Show all commands
help:
	@sh common/course/help.sh

# --- for students who want more -----------------------------------------------

##+ solution-NN  Show the solution, once your lab has passed
$(ALL_LABS:%=solution-%): solution-%: FORCE $(T)/results
	@sh common/course/solution.sh $* '$(SOLUTIONS)'

## run        Run any CUDA program: FILE=path/x.cu ARGS=...
run: $(RUN_PROGRAM) $(RUN_PROGRAM)-analyse
	$(Q)SIMT_COMPUTE_CAPABILITY=$(or $(BANKS),9.0) SIMT_SECONDS=$(LIMIT) sh common/course/run.sh \
	  $(abspath $(RUN_PROGRAM)) $(call quoted,$(RUN_FOLDER)) $(if $(VERBOSE),lines,table) \
	  $(if $(filter command,$(origin LIMIT)),$(LIMIT),3) $(ARGS)

## banks      Show which accesses to shared memory conflict, and why
banks: $(T)/banks
	$(Q)$(T)/banks
	@mkdir -p build/results && $(T)/banks --csv build/results/banks.csv >/dev/null
	@echo && sh plots/draw.sh build/results/banks.csv build/plots

## bench      Time labs: LABS="02 06" SIZES=1024; WHAT=sweep, roofline
## plots      Draw all plots from what is at hand
bench plots: $(BENCH_NEEDS)
	@$(BENCH) sh common/experiments/bench.sh $(if $(filter plots,$@),plots,$(or $(WHAT),labs))

## clean      Remove everything that make made
clean:
	rm -rf build

# --- for instructors ----------------------------------------------------------

##+ demo      Run all solutions that this device can: table, plots
demo: build/results/ladder.csv $(T)/results
	@drawn=0; FROM=solutions sh plots/draw.sh build/results/ladder.csv build/plots || drawn=$$?; \
	  $(T)/results ladder labs/INDEX build/results/ladder.csv plots/data/h200_ladder.csv && exit $$drawn

## grade      Grade labs, or a class: SUBMISSIONS=folder; WHAT=rubric
grade: $(GRADE_NEEDS)
	$(Q)$(GRADE_RUN)

##+ release   Make students' archives: LABS="01 02"; WHAT=git, autograder
release: $(T)/make_skeleton $(READ)
	@$(if $(filter autograder,$(WHAT)),sh common/grade/publish/gradescope/zip.sh "$(NAMED)" $(call quoted,$(value RUBRIC)),\
	  $(if $(WHAT),REPOSITORY=$(call quoted,$(or $(value OUT),build/release/labs.git))) \
	  sh common/course/release.sh $(T)/make_skeleton "$(CHOSEN)" $(WITHOUT))

##+ slides    Make the decks, ANSWERS=no for students
slides:
	@$(SLIDES) sh slides/make.sh $(SHOWN_S) $(WHAT)

##+ handouts  Make the handouts, HTML and PDF: LANGUAGE=es LAB=03
handouts: $(READ)
	@$(SLIDES) sh -c 'exec sh slides/handouts.sh build/handouts $$HANDOUTS'

# Its live pictures were recorded: of each solution, and of lab 03 with the
# tiles of its handout's trace.
TRACED := build/cpu/traced/03_tiling-analyse
build/traced/03_tiling.cu: solutions/03_tiling/tiling.cu
	@mkdir -p $(@D) && sed 's/TILE 16/TILE 2/' $< >$@
$(TRACED): $(BEGIN_O) build/cpu/traced/03_tiling-analyse.o $(END)
	$(link)

##+ site      Make the web site: LABS="01 02"; WHAT=look shows it
site: $(T)/make_skeleton $(READ) $(TRACED) $(patsubst %,build/cpu/%-analyse,$(filter solutions/%,$(ON_CPU)))
	@SITE_COURSE=$(call quoted,$(value COURSE)) SITE_UNIVERSITY=$(call quoted,$(value UNIVERSITY)) SITE_LOGO=$(call quoted,$(value LOGO)) \
	  SITE=build/site sh common/course/release.sh $(T)/make_skeleton "$(CHOSEN)" $(WITHOUT)
	@$(if $(filter look,$(WHAT)),exec node common/site/serve.mjs build/site)

# --- for maintainers ----------------------------------------------------------

##+ skeletons Cut labs/ anew from solutions/, or LABS="03 04"
skeletons: $(T)/make_skeleton
	@sh common/course/skeletons.sh $(T)/make_skeleton "$(ALL_LABS)" $(CHOSEN)

##+ test       Run the tests: some minutes; WHAT=all: many
##+ why        Hold the model of make why-NN against times: WHAT=tables
##+ translations  What is translated, and what is wrong: LANGUAGE=es
translations: $(T)/translate $(T)/make_skeleton
	@sh common/language/translations.sh $^ "$(LANGUAGE)" $(WHAT)

##+ check     Check formatting, C and shell; WHAT=texts, links or quotes
check: $(if $(filter links quotes,$(WHAT)),$(T)/$(WHAT),$(if $(filter texts,$(WHAT)),,$(COURSE_A) $(TEACH_A) $(GRADE_A)))
	@API='$(API_cpu)' sh common/course/check.sh "$(WHAT)" $(value FILES)

##+ format    Rewrite the sources in the house format
format:
	$(Q)git ls-files '*.c' '*.h' '*.cu' | xargs clang-format -i

# --- flags --------------------------------------------------------------------

# Warnings are errors for those who work on the course. A student's compiler may
# have one that nobody here has seen.
WARN_ALL := -Wall -Wextra -Wshadow -Wundef -Wvla -Wformat=2 -Wdouble-promotion \
            $(if $(TESTING),-Werror)
WARN_C   := $(WARN_ALL) -Wpedantic -Wconversion -Wstrict-prototypes \
            -Wmissing-prototypes -Wcast-qual -Wwrite-strings
# A skeleton is unfinished, so what it does not use yet is no mistake. nvcc lets
# a kernel compare an int with blockDim.x, which is unsigned.
WARN_LAB := -Wall -Wextra -Wshadow=local -Wno-unused-variable -Wno-unused-parameter \
            -Wno-unused-but-set-variable -Wno-unused-function -Wno-misleading-indentation \
            -Wno-sign-compare -Wno-narrowing
WARN_CU  := -Xcompiler=-Wall,-Wextra,-Wno-unused-variable,-Wno-unused-parameter,-Wno-unused-but-set-variable \
            -diag-suppress=177,550
API_cpu  := -Icommon/simt/include -idirafter common/simt/include/helpers
API_gpu  := -isystem $(CUDA)/include
LIBS     := -lm -ldl -lpthread
DEPS_OF   = -MMD -MP -MF $(basename $1).d -MT $1
DEPS      = $(call DEPS_OF,$@)
# What a student waits for is built for the first time: little optimised and
# without line tables, but for what runs long.
OPT      := -O1
C_FLAGS   = -std=c11 $(OPT) $(WARN_C) -Icommon $(DEPS)
build/cpu/common/simt/%: OPT := -O2
build/cpu/common/simt/rewrite/% build/cpu/common/simt/tables/% build/cpu/common/simt/report%: OPT := -O1
$(call objects,cpu,$(addprefix common/harness/,inputs.c reference.c verify.c)): OPT := -O2
%/common/harness/blas.o: OPT := -O3
# The version is known to one object.
%/common/base/version.o: C_FLAGS += -DCOURSE_VERSION='"$(VERSION)"'
$(patsubst %,build/%/common/base/version.o,cpu gpu checked): $(wildcard VERSION)

include common/course/cuda.mk

# --- rules --------------------------------------------------------------------

# Says what is built, and puts it in its place when it is complete.
STEP := @sh common/course/step.sh
export COURSE_OBJECTS := $(words $(COURSE_C))

c_o = $(STEP) $@ $(CC) $(C_FLAGS) $1 -c $< -o $@

build/cpu/%.o: %.c
	$(call c_o,$(API_cpu))

build/cpu/problems/%.o: labs/%/problem.c
	$(call c_o,$(API_cpu))

build/gpu/%.o: %.c
	$(call c_o,$(API_gpu))

build/gpu/problems/%.o: labs/%/problem.c
	$(call c_o,$(API_gpu))

build/cpu/%.o: %.S
	$(STEP) $@ $(CC) -c $< -o $@

build/%.a:
	$(STEP) $@ ar qcs $@ $^

$(BASE_A): $(call objects,cpu,$(call sources,base))
$(COURSE_A): $(call objects,cpu,$(COURSE_C))
$(TEACH_A): $(call objects,cpu,$(TEACH_C))
$(GRADE_A): $(call objects,cpu,$(GRADE_C))
$(ON_GPU_A): $(call objects,gpu,$(ON_GPU_C) $(filter common/harness/%,$(GPU_CU)))

# Tools run on this machine's processor alone.
link_tool = $(STEP) $@ $(CC) $^ -lm -o $@

# What only a student can bring back.
.DEFAULT:
	@sh common/course/unknown.sh $@ >&2; exit 2

.PHONY: menu help status report answers next-archive run banks bench plots clean demo grade release slides handouts site skeletons test check translations format FORCE
.SECONDARY:
FORCE:
-include $(shell find build $(if $(TESTING),,! -path '*/mutants/*' ! -path 'build/*/tests/*' ! -path 'build/checked/*') -name '*.d' 2>/dev/null)
endif # of make deps
