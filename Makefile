# CUDA C labs: matrix multiplication made faster step by step.
# Type `make` for a menu.
#
# Settings, as make NAME=value or one a line in config.mk (git ignores it):
#   DEVICE   cpu or gpu: where kernels run         (gpu if nvcc and a GPU are)
#   ARCH     GPU architecture for nvcc, as sm_90              (that of the GPU)
#   M N K    size of a run, all three; N alone: square         (the lab's own)
#   REPEAT   timed runs of a benchmark, after a warm-up
#   LABS     labs of an experiment, as 02 03 06 or 10-15         (all it takes)
#   FROM     labs or solutions: whose labs an experiment runs
#   SIZES    sides of the matrices of an experiment, as 512 1024 256x384x512
#   RESULTS  folder for the CSV files of an experiment       (build/results)
#   PLOTS    folder for its plots                              (build/plots)
#   FRESH    1: an experiment measures again what its CSV file has already
#   SEED     of the random matrices
#   CC       compute capability whose banks count: 1.3, 9.0        (today's)
#   VERBOSE  1: counters by source line
#   STUDENT  your name, for make report
#   ANSWERS  your answers, for make report              (answers.txt, if there)
#   CHIP     whose limits make why-NN takes: h200, h100, ..., or a file   (h200)
#   LINE ARRAY REQUEST   what make map-NN draws: accesses of a source line, to
#            an array, and which one of a warp, from 0  (the costliest, first)
#   SOLUTIONS after-pass, never or always: when make solution-NN shows one
#   OF       labs or solutions: whose kernel make lab-NN and map-NN take  (labs)
#   FILE     the program of make run: a .cu, or several files with .cpp and .c
#   ARGS     its arguments
#   DEFINES  its macros, as N=1024 DEBUG;  INCLUDES  folders of its headers
#   STD      its C++, as c++20                                        (c++17)
#   LIMIT    seconds for which it counts, 0: as long as it takes          (20)
#   V        1: print every command

.DEFAULT_GOAL := menu
.DELETE_ON_ERROR:
.SECONDEXPANSION:
.SUFFIXES:
MAKEFLAGS += --no-builtin-rules --warn-undefined-variables

ifeq ($(wildcard labs/INDEX),)
$(error run make in the course's folder, or say where that is: make -C FOLDER)
endif
-include config.mk

GPU_HERE := $(shell command -v nvcc >/dev/null 2>&1 && \
                    nvidia-smi -L >/dev/null 2>&1 && echo yes)
DEVICE ?= $(if $(GPU_HERE),gpu,cpu)
ARCH   ?= native
M      ?=
N      ?=
K      ?=
REPEAT ?=
SIZES  ?=
LABS   ?=
FROM   ?= $(if $(wildcard solutions),solutions,labs)
FRESH  ?=
RESULTS ?= build/results
PLOTS  ?= build/plots
SEED   ?=
VERBOSE ?=
LINE   ?=
ARRAY  ?=
REQUEST ?=
OF     ?= labs
FILE   ?=
FILES  ?= $(FILE)
ARGS   ?=
DEFINES ?=
INCLUDES ?=
STD    ?= c++17
LIMIT  ?= 20
STUDENT ?=
ANSWERS ?=
WITHOUT ?=
V      ?=
# A value from config.mk may have blanks behind it.
$(foreach s,DEVICE ARCH M N K REPEAT SIZES LABS FROM FRESH SEED VERBOSE LINE ARRAY REQUEST OF V,$(eval override $s := $(strip $($s))))
# It would have our programs read their options otherwise.
unexport POSIXLY_CORRECT
CC     := gcc
CXX    := g++
NVCC   := nvcc
T      := build/tools
VERSION := $(file <VERSION)
comma  := ,

# N=1024 alone is a square, N=1024,2048 the sides of several.
ifneq ($(findstring $(comma),$(N)),)
override SIZES := $(subst $(comma), ,$(N))
override N :=
else ifeq ($(M)$(K),)
override M := $(N)
override K := $(N)
endif
Q      := $(if $(V),,@)

# CC=1.3 asks for the banks of that time; the C compiler stays.
BANKS  := $(filter 0% 1% 2% 3% 4% 5% 6% 7% 8% 9%,$(CC))
ifneq ($(BANKS),)
override CC := gcc
endif

ifeq ($(filter cpu gpu,$(DEVICE)),)
$(error DEVICE is '$(DEVICE)': use cpu or gpu)
endif
ifeq ($(filter labs solutions,$(FROM)),)
$(error FROM is '$(FROM)': use labs or solutions)
endif
ifeq ($(DEVICE)$(shell command -v nvcc 2>/dev/null),gpu)
$(error DEVICE=gpu needs nvcc, which is not in PATH: install the CUDA toolkit or use DEVICE=cpu)
endif

# Uses all cores, unless told otherwise.
ifeq ($(filter -j%,$(MAKEFLAGS)),)
MAKEFLAGS += -j$(shell nproc 2>/dev/null || echo 1)
endif
# `make deps demo` installs first and builds then.
FIRST := $(filter deps,$(MAKECMDGOALS))
# What tests alone build is of no interest to others.
TESTING := $(filter test test-built test-programs test-device test-all,$(MAKECMDGOALS))

# Two that build the course at once would trip over each other: one waits.
# make quotes and make watch-03 start others, which must not wait for them. The
# lock is let go of a tenth of a second after its make has ended.
ifeq ($(MAKELEVEL)$(filter $(CURDIR),$(value LOCKED))$(wildcard $(T)/compiler_counts),0)
export LOCKED := $(CURDIR)
$(shell mkdir -p build && exec 9>build/lock && { flock -w 0.5 9 || { \
  echo 'another make builds the course in this folder: waiting for it' >&2; flock 9; }; } && \
  (while kill -0 $$PPID; do sleep 0.1; done >/dev/null 2>&1 &))
endif

# What is missing for the goals is named before a compiler stumbles over it.
# What labs need was there if their tools were built.
NEEDED := $(filter-out menu help deps doctor clean $(if $(wildcard $(T)/simt_rewrite),lab-% hint-% watch-% reset-% \
            status solution-% map-% why-% run bug-% banks demo bench sweep tiles roofline plots report),$(MAKECMDGOALS))
LACKING := $(if $(FIRST),,$(if $(NEEDED),$(shell sh common/course/needs.sh $(NEEDED))))
ifneq ($(LACKING),)
$(error $(LACKING))
endif

# The CPU device counts by switches of g++ that clang has not, and g++ from
# version 11 on. clang alone puts a number in the place of __clang__. Those that
# were taken once are not asked again.
ifneq ($(filter-out menu help deps doctor status clean,$(or $(MAKECMDGOALS),menu)),)
TAKEN   := $(filter $(CC)+$(CXX),$(file <build/compilers))
REFUSED := $(if $(FIRST)$(TAKEN),,$(shell for c in '$(CC)' '$(CXX)'; do \
  case $$(echo __clang__ __GNUC__ | $$c -E -P - 2>/dev/null) in \
  ('' | '__clang__ '1[1-9] | '__clang__ '[2-9]?) ;; \
  ('__clang__ '*) echo "$$c is older than version 11," ;; \
  (*) echo "$$c is clang," ;; \
  esac; done))
ifneq ($(REFUSED),)
$(error $(REFUSED) and the CPU device counts with gcc and g++ 11 or later alone: use those, as in make CC=gcc CXX=g++)
else ifeq ($(FIRST)$(TAKEN),)
$(shell mkdir -p build && echo '$(CC)+$(CXX)' >build/compilers)
endif
endif

# What the students' archive (make release) leaves out.
LEFT_OUT := $(if $(wildcard solutions),,demo speed bench-simt bench-grade solution-% skeletons release tiles test test-device test-all soak fuzz)
TEACHING := $(filter $(LEFT_OUT),$(MAKECMDGOALS))
ifneq ($(TEACHING),)
$(error $(firstword $(TEACHING)) needs the solutions or the tests, which the students' archive has not)
endif

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
DEPS      = -MMD -MP
# What a student waits for is built for the first time: little optimised and
# without line tables, but for what runs long (below).
OPT      := -O1
C_FLAGS    = -std=c11 $(OPT) $(WARN_C) -Icommon
CUDA     := $(patsubst %/bin/nvcc,%,$(realpath $(shell command -v nvcc 2>/dev/null)))

API_cpu  := -Icommon/simt/include -idirafter common/simt/include/helpers
API_gpu  := -isystem $(CUDA)/include
LIBS_cpu := -lm -ldl -lpthread
LIBS_gpu := -lm -ldl -lpthread

# The version is known to one object.
%/common/base/version.o: C_FLAGS += -DCOURSE_VERSION='"$(VERSION)"'
$(patsubst %,build/%/common/base/version.o,cpu gpu checked): $(wildcard VERSION)

# A lab on the CPU device. None of the analyse build's flags may be left out:
# common/simt/README.md says what each is for.
CU_lab     := $(CXX) -x c++ -std=c++17 -O2 -g -gdwarf-5 -dA -fno-exceptions \
              -fstack-clash-protection -ffp-contract=off -fno-strict-aliasing -fno-diagnostics-show-labels $(WARN_LAB) \
              -fno-optimize-sibling-calls -fno-var-tracking $(API_cpu) -Icommon
CU_cpu     := $(CU_lab) -fsanitize=bounds
CU_analyse := $(CU_lab) -fsanitize=thread \
              --param tsan-instrument-func-entry-exit=0 \
              --param tsan-distinguish-volatile=1 \
              -fsanitize-coverage=trace-pc -fno-reorder-blocks \
              -fno-reorder-blocks-and-partition -fno-thread-jumps \
              -fno-tree-dominator-opts -fno-tree-sra -fno-tree-vectorize
# cuda_runtime.h comes first, precompiled where that pays: for many programs, or
# if it has been done.
FIRST_H    = -iquote build/first/$1 -include cuda_first.h -fpch-deps
FIRST_GCH  = $(if $(or $(TESTING)$(filter demo,$(MAKECMDGOALS)),$(wildcard build/first)),build/first/$1/cuda_first.h.gch)
FOR_GPU     = -arch=$(ARCH)
CU_gpu      = $(NVCC) -std=c++17 -O3 -lineinfo $(FOR_GPU) -Icommon $(WARN_CU)

# --- what there is ------------------------------------------------------------

# From here on LABS are all labs, and CHOSEN those that were asked for.
# 10-15 are the labs from 10 to 15.
labs_of = $(if $(findstring -,$1),$(shell seq -f %02g $(subst -, ,$1) 2>/dev/null))
CHOSEN := $(foreach w,$(subst $(comma), ,$(LABS)),$(or $(call labs_of,$w),$w))
INDEX  := $(shell awk -f common/course/labs.awk labs/INDEX)
labs_that = $(patsubst %:$1,%,$(filter %:$1,$(INDEX)))
override LABS := $(foreach l,$(call labs_that,lab),$(if $(wildcard labs/$l solutions/$l),$l))
# labs/03_tiling, solutions/03_tiling and so on: each is one program.
BOTH := $(wildcard $(LABS:%=labs/%) $(LABS:%=solutions/%))
# labs/03_tiling/tiling.cu of labs/03_tiling.
source = $1/$(patsubst $(firstword $(subst _, ,$(notdir $1)))_%,%,$(notdir $1)).cu
# The folder's name for what stands behind lab-: 03, 3 or 03_tiling.
name  = $(or $(filter $1 $1_% 0$1_%,$(LABS)),$(error there is no lab '$1': use one of $(LABS)))

# Labs that nvcc builds for certain GPUs, whatever ARCH is. Of those that only a
# GPU can run the programs for the CPU device say so, and hold no lab.
NEEDY_LABS := $(call labs_that,needs)
GPU_LABS := $(call labs_that,gpu)
GPU_ONLY := $(filter $(GPU_LABS:%=labs/%) $(GPU_LABS:%=solutions/%),$(BOTH))
# Labs without a kernel: nothing of theirs can be counted.
HOST_LABS := $(call labs_that,host)
HOST_ONLY := $(filter $(HOST_LABS:%=labs/%) $(HOST_LABS:%=solutions/%),$(BOTH))
gencode   = $(foreach t,$(patsubst $1:for=%,%,$(filter $1:for=%,$(INDEX))),\
              -gencode arch=$(t:sm_%=compute_%),code=$t)

# Those of the list must be told why they are wrong. make knows them where they
# are asked for alone: there are hundreds.
ASKED   := $(if $(TESTING)$(findstring mutants,$(OF) $(MAKECMDGOALS))$(filter why-predictions,$(MAKECMDGOALS)),mutants)
EDITS   := $(if $(ASKED),$(wildcard tests/corpus/labs/*.edits))
LADDER  := $(if $(ASKED),$(basename $(notdir $(wildcard tests/chip/ladder/*.cu))))
MUTANTS := $(LADDER) $(if $(EDITS),$(shell sed -n 's/^case: //p' $(EDITS)))
LAB_PROGRAMS := $(BOTH) $(MUTANTS:%=mutants/%)
ON_CPU   := $(filter-out $(GPU_ONLY),$(LAB_PROGRAMS))

# common/ has eight parts. Each is an archive of what lies in its folders but
# programs (NAME_main.c) and what is set apart below. A part uses later ones.
PARTS      := grade teach chip harness course simt counts base
in_grade   := common/grade/*.c common/grade/*/*.c
in_teach   := common/teach/*.c common/report/*.c
in_chip    := common/chip/*.c
in_harness := common/harness/*.c
in_course  := common/course/*.c
in_simt    := common/simt/*.c common/simt/run/*.c common/simt/rewrite/*.c common/simt/tables/*.c common/simt/*.S
in_counts  := common/simt/report*.c common/banks/*.c
in_base    := common/base/*.c
# Set apart: the first and the last of a lab's shared variables, for the linker
# leaves them in the order of the command line; what the grader puts into a box.
SHARED     := common/simt/shared_begin.c common/simt/shared_end.c
APART      := $(SHARED) $(filter-out %/report.c,$(wildcard common/grade/runner/*.c))
# sources PART, BUILD and objects BUILD, SOURCES
sources     = $(filter-out %_main.c $(APART) $(if $(filter simt,$1),common/simt/report%) \
                $(if $(filter gpu,$2),%_cpu.c,%_gpu.c),$(wildcard $(in_$1)))
objects     = $(patsubst %,build/$1/%.o,$(basename $2))
tool        = $(T)/$(patsubst %_main,%,$(basename $(notdir $1)))
# Of the archives of a build (cpu, gpu, checked) all, those of a lab's program,
# of a program with a main of its own, and of a lab's on a GPU.
archives    = $(PARTS:%=build/$1/lib%.a)
of_lab      = $(filter-out %/libgrade.a %/libteach.a %/libchip.a,$(call archives,$1))
of_program  = $(filter-out %/libharness.a,$(of_lab))
ON_GPU_A   := $(filter-out %/libsimt.a,$(call of_lab,gpu))
# archive PART, BUILD: its rule.
pack        = $(call step,$@) rm -f $@ && ar rc $@ $^ $(end)
define archive
build/$2/lib$1.a: $(call objects,$2,$(call sources,$1,$2))
	$$(pack)
endef
# What only nvcc can compile.
GPU_CU     := $(wildcard common/harness/*.cu) $(addprefix common/experiments/,bandwidth.cu chip.cu)

BEGIN_O    := build/cpu/common/simt/shared_begin.o
END_O      := build/cpu/common/simt/shared_end.o

# Most of the time of a run is spent here.
build/cpu/common/simt/%: OPT := -O2
build/cpu/common/simt/rewrite/% build/cpu/common/simt/tables/% build/cpu/common/simt/report%: OPT := -O1
$(call objects,cpu,$(addprefix common/harness/,inputs.c reference.c verify.c)): OPT := -O2
%/common/harness/blas.o: OPT := -O3

SIZE := $(if $(M),--m $(M)) $(if $(N),--n $(N)) $(if $(K),--k $(K))
SEEDED := $(SIZE) $(if $(SEED),--seed $(SEED))
RUN  := $(SEEDED) $(if $(REPEAT),--repeat $(REPEAT))
COUNT := $(SEEDED) $(if $(BANKS),--cc $(BANKS)) $(if $(VERBOSE),--verbose)

# --- for everybody ------------------------------------------------------------

# What a student needs; make help has the rest.
MENU := lab|hint|watch|reset|status|bug|map|why|report|doctor|deps|help
menu:
	@awk -F ':.*## ' '/^($(MENU))(-%)?:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' \
	  $(filter-out %.d,$(MAKEFILE_LIST))
	@sh common/course/status.sh $(LABS)

help: ## Show all commands
	@awk -v no=' $(LEFT_OUT) ' -F ':.*## ' '/^[a-z%-]+:.*## / && !index(no, " " $$1 " ") { \
	  printf "  make %-12s %s\n", $$1, $$2 }' \
	  $(filter-out %.d,$(MAKEFILE_LIST))

deps: ## Install what other goals lack, as in make deps grade
	@sh common/course/deps.sh $(filter-out deps,$(MAKECMDGOALS))

doctor: ## Say what this machine is ready for
	@sh common/course/doctor.sh $(DEVICE)

demo: build/results/ladder.csv $(T)/results ## Run all solutions that this device can: table, plots
	@drawn=0; FROM=solutions sh plots/draw.sh build/results/ladder.csv build/plots || drawn=$$?; \
	  $(T)/results ladder labs/INDEX build/results/ladder.csv plots/data/h200_ladder.csv && exit $$drawn

# --- for students -------------------------------------------------------------

reset-%: FORCE $(if $(wildcard solutions),$(T)/make_skeleton) ## Begin a lab anew; your file is kept
	@sh common/course/reset.sh $(T)/make_skeleton $(call name,$*)

status: ## Show how far each of your labs is
	@sh common/course/status.sh $(LABS)

lab-%: FORCE $$(call programs,$$(call whose,$$*)) $(T)/vet $$(if $$(filter $$(WHY_LABS),$$(call name,$$*)),$(T)/chip) ## Build and check your lab, as in make lab-03 VERBOSE=1
	@sh common/course/lab.sh $(call whose,$*) $(firstword $(call programs,$(call whose,$*))) '$(call counting,$(call whose,$*))' '$(RUN)' '$(COUNT)'

# Whose program: the student's, with OF=solutions the course's, and with
# OF=mutants/03_no_zero_fill that of tests/corpus/labs.
whose = $(if $(filter mutants/%,$(OF)),$(OF),$(if $(filter labs solutions,$(OF)),,$(error OF is \
          '$(OF)': use labs or solutions))$(OF)/$(call name,$1))
# Of a lab without a kernel nothing is counted; why it is wrong can be told.
counting = $(if $(filter $1,$(GPU_ONLY)),,build/cpu/$1-analyse)
programs = build/$(DEVICE)/$1 $(counting) $(T)/results

# One request of a warp, lane by lane, and what a thread, a warp and a block
# touch: recorded on the CPU device, and drawn.
map-%: FORCE $(T)/results $$(call map_program,$$*) ## Draw who accesses what, as in make map-03 ARRAY=As
	@$(call draw_map,build/results/map_$(call number,$*),$(call map_program,$*))

map_program = build/cpu/$(call whose,$1)-analyse
number      = $(firstword $(subst _, ,$(call name,$1)))
MAP        := $(if $(LINE),--map-line $(LINE)) $(if $(ARRAY),--map-array $(ARRAY)) \
              $(if $(REQUEST),--map-request $(REQUEST))
draw_map    = mkdir -p build/results && \
  { $2 --map $1.csv --footprint $1_footprint.csv $(MAP) $(SEEDED) \
      $(if $(BANKS),--cc $(BANKS)); code=$$?; [ $$code != 77 ] || exit 0; [ $$code = 0 ] || exit $$code; } && \
  echo && export FROM=$(OF) && sh plots/draw.sh $1.csv build/plots && \
  { ! command -v gnuplot >/dev/null || sh plots/draw.sh $1_footprint.csv build/plots; }

# A CUDA program with a main of its own, first as it is and then counted.
run: $$(RUN_PROGRAM) $$(RUN_PROGRAM)-analyse ## Run any CUDA program: FILE=path/x.cu ARGS=...
	$(Q)sh common/course/run.sh $(abspath $(RUN_PROGRAM)) "$${RUN_FROM}" $(if $(VERBOSE),lines,table) $(ARGS)

# The folder that make was called in, even if it is make -C.
run: export RUN_FROM = $(RUN_FOLDER)
run: export SIMT_COMPUTE_CAPABILITY = $(or $(BANKS),9.0)
run: export SIMT_SECONDS = $(LIMIT)

banks: $(T)/banks ## Show which accesses to shared memory conflict, and why
	$(Q)$(T)/banks
	@mkdir -p build/results && $(T)/banks --csv build/results/banks.csv >/dev/null
	@echo && sh plots/draw.sh build/results/banks.csv build/plots

# A report is made after all else that was asked for; if nothing was run yet,
# the solutions are run first. A student may have none.
RAN          := $(wildcard build/results/ladder.csv)
REPORT_AFTER := $(filter-out report deps clean,$(MAKECMDGOALS)) \
                $(if $(wildcard solutions),$(if $(RAN),,demo))

report: build/results/device.csv $(T)/report $(REPORT_AFTER) ## Make your report: STUDENT="First Last" ANSWERS=file
	@mkdir -p build/report
	$(Q)$(T)/report --student="$$REPORT_STUDENT" \
	  $(if $(value ANSWERS),--answers "$$REPORT_ANSWERS")
	@sh common/report/pdf.sh build/report/report.html build/report/report.pdf

# A name may hold quotes and dollars, so the shell gets it as it is.
report: export REPORT_STUDENT = $(value STUDENT)
report: export REPORT_ANSWERS = $(value ANSWERS)

# What the device can do: any program of a lab knows.
CARD := build/$(DEVICE)/$(firstword $(filter solutions/%,$(BOTH)) $(BOTH))
build/results/device.csv: FORCE $(CARD)
	@mkdir -p $(@D)
	$(Q)$(CARD) --card --csv $@ >/dev/null

# --- for maintainers ----------------------------------------------------------

bench-start: ## Measure how long the first make lab-01 takes
	@sh common/experiments/bench_start.sh $(REPEAT)

include common/course/check.mk

skeletons: $(T)/make_skeleton ## Cut labs/ anew from solutions/, or LABS="03 04"
	@sh common/course/skeletons.sh $(T)/make_skeleton "$(LABS)" $(foreach l,$(CHOSEN),$(call name,$l))

release: $(T)/make_skeleton ## Make archives for students: LABS="01 02 03"
	@sh common/course/release.sh $(T)/make_skeleton "$(CHOSEN)" $(WITHOUT)

clean: ## Remove everything that make made
	rm -rf build

include common/experiments/experiments.mk
include common/chip/chip.mk
include common/grade/grade.mk
-include slides/slides.mk

# --- rules --------------------------------------------------------------------

# A step of the build says what it makes: on a terminal in one line that moves,
# elsewhere once that something is built, and with V=1 by its command. What a
# compiler has to say is told whole. Recipes: $(call step,NAME) COMMAND $(end).
STEPS :=
LINKER :=
TOOL_LIBS :=
ON_SCREEN := $(and $(filter default,$(origin MAKE_TERMOUT)),$(filter-out undefined,$(origin TERM)),$(filter-out dumb,$(TERM)))
FOLDER     = [ -d $(@D) ] || mkdir -p $(@D) || exit 2;
ifneq ($(V),)
step = $(FOLDER)
end  =
COLOUR :=
else ifneq ($(ON_SCREEN),)
# How many objects of the course are not there yet; more steps may follow.
ALL_STEPS := $(foreach p,harness course simt counts base,$(call objects,cpu,$(call sources,$p,cpu)))
ALL_STEPS := $(words $(filter-out $(wildcard $(ALL_STEPS)),$(ALL_STEPS)))
step = @$(eval STEPS += x)$(FOLDER) \
	printf '\r\033[K  building %s  %.60s' '$(words $(STEPS))$(if $(word $(words $(STEPS)),$(wordlist 1,$(ALL_STEPS),$(STEPS))),/$(ALL_STEPS))' '$1'; \
	said=$$(
end = 2>&1); code=$$?; printf '\r\033[K'; [ -z "$$said" ] || printf '%s\n' "$$said" >&2; exit $$code
COLOUR := -fdiagnostics-color=always
else
step = @$(if $(STEPS)$(findstring s,$(firstword -$(MAKEFLAGS))),,$(eval STEPS := x)$(info building (V=1 shows how)))$(FOLDER)
end  =
COLOUR :=
endif


build/cpu/%.o: %.c | $(FIRST)
	$(call step,$<) $(CC) $(C_FLAGS) $(API_cpu) $(DEPS) -c $< -o $@ $(COLOUR) $(end)

build/gpu/%.o: %.c | $(FIRST)
	$(call step,$<) $(CC) $(C_FLAGS) $(API_gpu) $(DEPS) -c $< -o $@ $(COLOUR) $(end)

build/cpu/%.o: %.S | $(FIRST)
	$(call step,$<) $(CC) -c $< -o $@ $(end)

# Another ARCH builds anew what nvcc compiles.
build/gpu/settings: FORCE
	@mkdir -p $(@D)
	@echo '$(CU_gpu)' | cmp -s - $@ || echo '$(CU_gpu)' >$@

$(GPU_CU:%.cu=build/gpu/%.o): build/gpu/%.o: %.cu build/gpu/settings
	$(call step,$<) $(CU_gpu) $(DEPS) -c $< -o $@ $(end)

# What only a student can bring back.
$(foreach b,$(BOTH),$(call source,$b)):
	@echo '$@ is missing: bring it back, or begin anew with $(if $(filter labs/%,$@),make reset-$(firstword $(subst _, ,$(notdir $(@D)))),git checkout $@)' >&2; exit 2

$(BOTH:%=build/cpu/%.cpp): build/cpu/%.cpp: $$(call source,$$*) $(T)/simt_rewrite
	$(call step,$@) $(T)/simt_rewrite $(filter %.cu,$^) -o $@ -d $@.d $(end)

build/cpu/%.cpp: %.cu $(T)/simt_rewrite
	$(call step,$@) $(T)/simt_rewrite $< -o $@ -d $@.d $(end)

# A header beside the source is found although its rewritten form is elsewhere.
BESIDE = -iquote $* -iquote $(dir $*) -iquote common/simt/check \
         -iquote tests/hardware $(addprefix -iquote ,$(firstword $(wildcard labs/spot_the_bug/*/)))

# What a program must know of its source is added to the assembly. A debugger is
# for the plain build alone.
TABLES :=
VOLATILE :=
with_tables = made=$(@:.o=).$$$$ && $1 $(BESIDE) $(DEPS) -MF $(@:.o=.d) -MT $@ -S $< -o $$made.s $(COLOUR) 2>$$made.said $3; code=$$?; \
   [ ! -s $$made.said ] || awk -v width=80 -f common/simt/compiler_words.awk $$made.said >&2; [ $$code = 0 ] || { rm -f $$made.s $$made.said; exit 1; }; \
   $(T)/simt_tables $2 <$$made.s >$$made-tables.s && \
   $(CXX) -c $$made-tables.s -o $$made.o && mv $$made.o $@ && rm $$made.s $$made-tables.s $$made.said

build/cpu/%.o: build/cpu/%.cpp $(T)/simt_tables | $(call FIRST_GCH,cpu)
	$(call step,$*) $(call with_tables,$(CU_cpu) $(call FIRST_H,cpu),--keep-debug $(VOLATILE),) $(end)

# A lab's two builds are compiled at once, and what is wrong with it is told by
# the plain one: by this one only what that does not find.
ONCE = $(if $(filter lab-% run,$(MAKECMDGOALS)),&& : >$$made.said || { $(CU_cpu) $(call FIRST_H,cpu) $(BESIDE) -w -fsyntax-only $< 2>/dev/null || : >$$made.said; false; })
build/cpu/%-analyse.o: build/cpu/%.cpp $(T)/simt_tables | $(call FIRST_GCH,analyse)
	$(call step,$* (counting)) $(call with_tables,$(CU_analyse) $(call FIRST_H,analyse),$(TABLES),$(ONCE)) $(end)

# Precompiled with the flags of those that use it, which g++ asks for.
build/first/cpu/cuda_first.h.gch: private CU = $(CU_cpu)
build/first/analyse/cuda_first.h.gch: private CU = $(CU_analyse)
build/first/%/cuda_first.h.gch: common/simt/include/cuda_first.h Makefile | $(FIRST)
	$(call step,$< ($*)) $(patsubst c++,c++-header,$(CU)) $(DEPS) $< -o $@ $(end)

$(foreach l,$(filter $(NEEDY_LABS:%=labs/%) $(NEEDY_LABS:%=solutions/%),$(BOTH)),$(eval build/gpu/$l.o: FOR_GPU = $$(call gencode,$(notdir $l))))
$(BOTH:%=build/gpu/%.o): build/gpu/%.o: $$(call source,$$*) build/gpu/settings
	$(call step,$* (gpu)) $(CU_gpu) $(DEPS) -c $< -o $@ $(end)

$(ON_CPU:%=build/cpu/%): %: %.o
$(ON_CPU:%=build/cpu/%-analyse): %-analyse: %-analyse.o
$(BOTH:%=build/gpu/%): %: %.o $(ON_GPU_A)

# The program of tile widths is that of a lab, but for what it knows of itself.
TILES := common/experiments/tiles
build/cpu/experiments/tiles: $(addprefix build/cpu/$(TILES),.o _info.o)
build/cpu/experiments/tiles-analyse: $(addprefix build/cpu/$(TILES),-analyse.o _info.o)
build/gpu/experiments/tiles: $(addprefix build/gpu/$(TILES),.o _info.o) $(ON_GPU_A)
build/gpu/experiments/ceilings: $(addprefix build/gpu/common/experiments/,ceilings.o bandwidth.o chip.o) $(ON_GPU_A)
GPU_PROGRAMS := $(BOTH:%=build/gpu/%) build/gpu/experiments/tiles build/gpu/experiments/ceilings

build/gpu/$(TILES).o: $(TILES).cu build/gpu/settings
	$(call step,$< (gpu)) $(CU_gpu) $(DEPS) -c $< -o $@ $(end)

# Not every compiler can be used to count. One that cannot is refused here,
# before a student sees a number.
COUNTS := build/cpu/common/simt/check/divergence-analyse
OWN_MAIN_COUNT += $(COUNTS)
$(COUNTS): $(COUNTS).o

# Once it is there, so is all that every lab is built with.
$(T)/compiler_counts: common/simt/check/compiler.sh $(COUNTS) | $(call of_lab,cpu) $(T)/vet $(T)/results
	$(call step,$(CXX) counts) sh $< $(COUNTS) common/simt/check/divergence.cu $(CXX) && touch $@ $(end)

include common/course/run.mk
include common/teach.mk
-include tests/tests.mk

# --- archives and programs ----------------------------------------------------

$(foreach b,cpu checked,$(foreach p,$(PARTS),$(eval $(call archive,$p,$b))))
$(foreach p,$(ON_GPU_A:build/gpu/lib%.a=%),$(eval $(call archive,$p,gpu)))
build/gpu/libharness.a: $(patsubst %.cu,build/gpu/%.o,$(filter common/harness/%,$(GPU_CU)))

# Programs for the CPU device: labs, whose main is the harness's, and others;
# each built to run and (-analyse) to count. What is a program's own stands in
# the rules above and in the files included.
ON_CPU_FAST  += $(BOTH:%=build/cpu/%) $(MUTANTS:%=build/cpu/mutants/%) build/cpu/experiments/tiles
ON_CPU_COUNT += $(BOTH:%=build/cpu/%-analyse) $(MUTANTS:%=build/cpu/mutants/%-analyse) build/cpu/experiments/tiles-analyse
$(ON_CPU_FAST) $(OWN_MAIN_FAST) $(ON_CPU_COUNT) $(OWN_MAIN_COUNT): $(BEGIN_O) $(END_O)
$(ON_CPU_FAST) $(ON_CPU_COUNT): $(call of_lab,cpu)
$(OWN_MAIN_FAST) $(OWN_MAIN_COUNT): $(call of_program,cpu)
$(ON_CPU_COUNT): | $(T)/compiler_counts

AROUND = $(BEGIN_O) $(END_O) %_info.o
$(ON_CPU_FAST) $(ON_CPU_COUNT) $(OWN_MAIN_FAST) $(OWN_MAIN_COUNT):
	$(call step,$@) $(CXX) $(LINKER) $(BEGIN_O) $(filter-out $(AROUND),$(filter %.o,$^)) $(END_O) \
	  $(filter %_info.o,$^) $(filter %.a,$^) $(LIBS_cpu) -o $@.$$$$ 2>$@.said || { \
	    awk -v width=80 -f common/simt/compiler_words.awk $@.said >&2; exit 1; } && mv $@.$$$$ $@ && rm -f $@.said $(end)

$(GPU_PROGRAMS):
	$(call step,$@) $(NVCC) -arch=$(ARCH) $^ $(LIBS_gpu) -o $@ $(end)

# Tools run on this machine's processor alone. Those that every lab is built
# with wait for nothing that they do not need.
$(T)/simt_rewrite: $(call objects,cpu,$(wildcard common/simt/rewrite/*.c)) build/cpu/libbase.a
$(T)/simt_tables: $(call objects,cpu,$(wildcard common/simt/tables/*.c)) build/cpu/libbase.a
$(foreach m,$(wildcard common/[!g]*/*_main.c slides/*/*_main.c),$(eval \
  $(call tool,$m): $(call objects,cpu,$m) $(if $(filter $(in_teach:*.c=%) slides/%,$m),build/cpu/libteach.a) $(if $(filter common/chip/%,$m),build/cpu/libchip.a) $(call of_lab,cpu)))
$(T)/%:
	$(call step,$@) $(CC) $(filter %.o,$^) $(filter %.a,$^) $(TOOL_LIBS) -lm -o $@ $(end)

# make lab 03 is a slip for make lab-03.
lab hint watch reset map bug solution labs:
	@echo 'write it with a hyphen, as in make $(patsubst labs,lab,$@)-03' >&2; exit 2
.PHONY: lab hint watch reset map bug solution labs

.PHONY: menu check help deps doctor demo status run banks bench sweep tiles roofline plots report bench-start \
        grade release skeletons format clean FORCE
.SECONDARY:
FORCE:
-include $(shell find build $(if $(ASKED),,! -path '*/mutants/*') $(if $(TESTING),,! -path 'build/*/tests/*' ! -path 'build/checked/*') -name '*.d' 2>/dev/null)
