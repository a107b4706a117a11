# CUDA C labs: matrix multiplication made faster step by step.
# Type `make` for a menu.
#
# Settings, as make NAME=value or one a line in config.mk (git ignores it):
#   DEVICE   cpu or gpu: where kernels run         (gpu if nvcc and a GPU are)
#   ARCH     GPU architecture for nvcc, as sm_90              (that of the GPU)
#   M N K    size of a run, all three                     (what the lab asks for)
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
#   LINE ARRAY REQUEST   what make map-NN draws: accesses of a source line, to an
#            array, and which one of a warp, from 0     (the costliest, first)
#   SOLUTIONS after-pass, never or always: when make solution-NN shows one
#   OF       labs or solutions: whose kernel make lab-NN and map-NN take  (labs)
#   V        1: print every command

.DEFAULT_GOAL := menu
.DELETE_ON_ERROR:
.SECONDEXPANSION:
.SUFFIXES:
MAKEFLAGS += --no-builtin-rules --warn-undefined-variables

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
STUDENT ?=
ANSWERS ?=
V      ?=
CC     := gcc
CXX    := g++
NVCC   := nvcc
T      := build/tools
comma  := ,

# N=1024,2048 are sizes of matrices that are square.
ifneq ($(findstring $(comma),$(N)),)
override SIZES := $(subst $(comma), ,$(N))
override N :=
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

# What is missing is told before a compiler stumbles over it.
ifneq ($(filter-out menu help deps doctor status clean,$(or $(MAKECMDGOALS),menu)),)
ifeq ($(FIRST),)
ifneq ($(shell printf '\043include <%s>\n' gelf.h elfutils/libdw.h cblas.h csv.h \
         cjson/cJSON.h seccomp.h libxml/xmlversion.h | \
         $(CC) -isystem /usr/include/libxml2 -E - \
         >/dev/null 2>&1 && echo yes),yes)
$(error not all that the course needs is installed: type make deps (make doctor tells what is missing))
endif
endif
endif

# What the students' archive (make release) leaves out.
TEACHING := $(filter demo solution-% skeletons release tiles test test-all soak,$(MAKECMDGOALS))
ifneq ($(and $(TEACHING),$(if $(wildcard solutions),,none)),)
$(error $(firstword $(TEACHING)) needs the solutions or the tests, which the students' archive has not)
endif

# --- flags --------------------------------------------------------------------

WARN_ALL := -Wall -Wextra -Wshadow -Wundef -Wvla -Wformat=2 -Wdouble-promotion \
            -Werror
WARN_C   := $(WARN_ALL) -Wpedantic -Wconversion -Wstrict-prototypes \
            -Wmissing-prototypes -Wcast-qual -Wwrite-strings
# A skeleton is unfinished, so what it does not use yet is no mistake. nvcc lets
# a kernel compare an int with blockDim.x, which is unsigned.
WARN_LAB := -Wall -Wextra -Wshadow -Wno-unused-variable -Wno-unused-parameter \
            -Wno-unused-but-set-variable -Wno-misleading-indentation \
            -Wno-sign-compare
WARN_CU  := -Xcompiler=-Wall,-Wextra,-Wno-unused-variable,-Wno-unused-parameter,-Wno-unused-but-set-variable \
            -diag-suppress=177,550
DEPS      = -MMD -MP
XML      := -isystem /usr/include/libxml2
CFLAGS   := -std=c11 -O2 -g $(WARN_C) -Icommon $(XML)
CUDA     := $(patsubst %/bin/nvcc,%,$(realpath $(shell command -v nvcc 2>/dev/null)))

API_cpu  := -Icommon/simt/include
API_gpu  := -isystem $(CUDA)/include
LIBS_cpu := -ldw -lelf -lcsv -lopenblas -lm -ldl -lpthread
LIBS_gpu := -lcsv -lopenblas -lm -ldl -lpthread

# A lab on the CPU device. None of the analyse build's flags may be left out:
# common/simt/README.md says what each is for.
CU_lab     := $(CXX) -x c++ -std=c++17 -O2 -g -fno-exceptions \
              -fstack-clash-protection $(WARN_LAB) \
              $(API_cpu) -Icommon
CU_cpu     := $(CU_lab) -fsanitize=bounds
CU_analyse := $(CU_lab) -fsanitize=thread \
              --param tsan-instrument-func-entry-exit=0 \
              --param tsan-distinguish-volatile=1 \
              -fsanitize-coverage=trace-pc -fno-reorder-blocks \
              -fno-reorder-blocks-and-partition -fno-thread-jumps \
              -fno-tree-dominator-opts -fno-tree-sra -fno-tree-vectorize \
              -fno-optimize-sibling-calls
# cuda_runtime.h comes first, precompiled where that pays: for many programs, or
# if it has been done.
FIRST_H    = -iquote build/first/$1 -include cuda_first.h -fpch-deps
FIRST_GCH  = $(if $(or $(filter demo test test-all,$(MAKECMDGOALS)),$(wildcard build/first)),build/first/$1/cuda_first.h.gch)
FOR_GPU     = -arch=$(ARCH)
CU_gpu      = $(NVCC) -std=c++17 -O3 -lineinfo $(FOR_GPU) -Icommon $(WARN_CU)

# --- what there is ------------------------------------------------------------

# From here on LABS are all labs, and CHOSEN those that were asked for.
# 10-15 are the labs from 10 to 15.
labs_of = $(if $(findstring -,$1),$(shell seq -f %02g $(subst -, ,$1) 2>/dev/null))
CHOSEN := $(foreach w,$(subst $(comma), ,$(LABS)),$(or $(call labs_of,$w),$w))
override LABS := $(sort $(notdir $(wildcard labs/[0-9][0-9]_* solutions/[0-9][0-9]_*)))
# labs/03_tiling, solutions/03_tiling and so on: each is one program.
BOTH := $(wildcard $(LABS:%=labs/%) $(LABS:%=solutions/%))
# The folder's name for what stands behind lab-: 03, 3 or 03_tiling.
name  = $(or $(filter $1 $1_% 0$1_%,$(LABS)),$(error there is no lab '$1': use one of $(LABS)))

# Labs that only a GPU can run, and the GPUs that nvcc builds them for, whatever
# ARCH is. Their programs for the CPU device say so, and hold no lab.
GPU_LABS := $(shell sed -n 's/^needs *\([^ |]*\).*/\1/p' labs/INDEX)
GPU_ONLY := $(filter $(GPU_LABS:%=labs/%) $(GPU_LABS:%=solutions/%),$(BOTH))
gencode   = $(foreach t,$(shell sed -n 's/^needs *$1 *|\([^|]*\)|.*/\1/p' labs/INDEX),\
              -gencode arch=$(t:sm_%=compute_%),code=$t)

MUTANTS := $(basename $(notdir $(wildcard tests/mutants/*.edit)))
LAB_PROGRAMS := $(BOTH) $(MUTANTS:%=mutants/%)
ON_CPU   := $(filter-out $(GPU_ONLY),$(LAB_PROGRAMS))

MAINS    := common/harness/main.c common/harness/ladder.c common/banks/show.c \
            common/course/make_skeleton.c common/course/describe_lab.c \
            common/simt/rewrite_main.c common/simt/flops_main.c \
            common/report/report_main.c \
            $(wildcard common/grade/*_main.c common/teach/*_main.c)
part      = $(filter-out $(MAINS),$(wildcard common/$1/*.c))
objects   = $(patsubst %.c,build/$1/%.o,$2)

REWRITER := $(filter-out $(MAINS),$(wildcard common/simt/rewrite*.c)) common/simt/lexer.c
FLOPS    := common/simt/flops.c common/simt/flops_of.c
RECORDER := $(addprefix common/simt/,record.c warp.c count.c totals.c intervals.c \
              shadow.c race.c findings.c findings_text.c symbols.c blocks.c trace.c)
SHARED   := $(addprefix common/simt/,shared_begin.c shared_end.c)
DEVICE_C := $(filter-out $(REWRITER) $(FLOPS) $(RECORDER) $(SHARED) common/simt/fast.c \
              common/simt/report%,$(call part,simt))
# Pure parts, which know no device; the reports on what a device counted are
# among them.
REPORT   := $(filter-out %_exit.c,$(wildcard common/simt/report*.c))
LIB      := $(call part,banks) $(call part,course) $(call part,output) $(REPORT)
# A student's report; in no lab's program.
PAPER    := $(call part,report) $(addprefix common/harness/,table.c csv_read.c measure.c counters.c)
# What checks and shows the texts of the labs; in no lab's program.
TEACH    := $(call part,teach)
# The ladder's table; in no lab's program.
TABLE    := common/harness/table.c common/harness/csv_read.c
HARNESS  := common/harness/main.c \
            $(filter-out common/harness/table.c,$(call part,harness)) $(LIB)
# What only nvcc can compile.
GPU_CU   := $(addprefix common/,harness/peak.cu harness/origin_gpu.cu experiments/bandwidth.cu)

BEGIN_O   := build/cpu/common/simt/shared_begin.o
END_O     := build/cpu/common/simt/shared_end.o
HOST_cpu  := $(call objects,cpu,$(filter-out %_gpu.c,$(HARNESS)))
HOST_gpu  := $(call objects,gpu,$(filter-out %_cpu.c,$(HARNESS))) \
             $(patsubst %.cu,build/gpu/%.o,$(filter common/harness/%,$(GPU_CU)))
DEVICE_O  := $(call objects,cpu,$(DEVICE_C)) build/cpu/common/simt/fiber_switch.o
FAST_O    := $(DEVICE_O) build/cpu/common/simt/fast.o
ANALYSE_O := $(DEVICE_O) $(call objects,cpu,$(RECORDER) common/simt/report_exit.c)

SIZE := $(if $(M),--m $(M)) $(if $(N),--n $(N)) $(if $(K),--k $(K))
SEEDED := $(SIZE) $(if $(SEED),--seed $(SEED))
RUN  := $(SEEDED) $(if $(REPEAT),--repeat $(REPEAT))
COUNT := $(SEEDED) $(if $(BANKS),--cc $(BANKS)) $(if $(VERBOSE),--verbose)

# --- for everybody ------------------------------------------------------------

menu: help
	@sh common/course/status.sh $(LABS)

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z%-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' \
	  $(filter-out %.d,$(MAKEFILE_LIST))

# Slides are an instructor's; what makes them is installed with them alone.
deps: ## Install what is missing, from Debian's or Ubuntu's packages
	@sh common/course/deps.sh $(if $(filter slides look test-all,$(MAKECMDGOALS)),nodejs npm chromium) $(if $(filter test-all,$(MAKECMDGOALS)),slurm-wlm munge)

doctor: ## Say what is installed, and what that means
	@sh common/course/doctor.sh $(DEVICE)

demo: build/results/ladder.csv $(T)/ladder ## Run all solutions that this device can: table, plots
	@sh plots/draw.sh build/results/ladder.csv build/plots
	$(Q)$(T)/ladder --index labs/INDEX --recorded plots/data/h200_ladder.csv \
	  build/results/ladder.csv

# --- for students -------------------------------------------------------------

status: ## Show how far each of your labs is
	@sh common/course/status.sh $(LABS)

lab-%: FORCE $$(call programs,$$(call whose,$$*)) ## Build and check your lab, as in make lab-03 VERBOSE=1
	@$(call check,$(call whose,$*))

# First whether the lab is right, on the device at hand. If it is, what it
# counts, and whether it is clean, which only the CPU device can tell; if it is
# finished and wrong, what the checks have to say about that.
# Whose program: the student's, with OF=solutions the course's, and with
# OF=mutants/03_no_zero_fill that of tests/mutants.
whose = $(if $(filter mutants/%,$(OF)),$(OF),$(if $(filter labs solutions,$(OF)),,$(error OF is \
          '$(OF)': use labs or solutions))$(OF)/$(call name,$1))
programs = $(addprefix build/,$(DEVICE)/$1 $(if $(filter $1,$(GPU_ONLY)),,cpu/$1-analyse))
results = build/results/$1.csv
findings = build/results/checks/$1.csv
check = mkdir -p $(dir $(results) $(findings)) && rm -f $(results) $(findings) && \
  { build/$(DEVICE)/$1 $(RUN) --csv $(results) || \
    { code=$$?; [ $$code != 77 ] || exit 0; $(if $(filter $1,$(GPU_ONLY)),, \
      ! grep -qs -e ',FAIL,' -e ',UNFINISHED,' $(results) || \
        build/cpu/$1-analyse --checks $(SEEDED) \
          --findings $(findings);) exit $$code; }; } \
  $(if $(filter $1,$(GPU_ONLY)),,&& \
  { build/cpu/$1-analyse --counters $(COUNT) --csv $(results) \
      --findings $(findings) || \
    { code=$$?; [ $$code = 77 ] || exit $$code; }; })

# One request of a warp, lane by lane, and what a thread, a warp and a block
# touch: recorded on the CPU device, and drawn.
map-%: FORCE $$(call map_program,$$*) ## Draw who accesses what, as in make map-03 LINE=46
	@$(call draw_map,build/results/map_$(call number,$*),$(call map_program,$*))

map_program = build/cpu/$(call whose,$1)-analyse
number      = $(firstword $(subst _, ,$(call name,$1)))
MAP        := $(if $(LINE),--map-line $(LINE)) $(if $(ARRAY),--map-array $(ARRAY)) \
              $(if $(REQUEST),--map-request $(REQUEST))
draw_map    = mkdir -p build/results && \
  { $2 --map $1.csv --footprint $1_footprint.csv $(MAP) $(SEEDED) \
      $(if $(BANKS),--cc $(BANKS)); code=$$?; [ $$code != 77 ] || exit 0; [ $$code = 0 ] || exit $$code; } && \
  echo && sh plots/draw.sh $1.csv build/plots && sh plots/draw.sh $1_footprint.csv build/plots

# A CUDA program with a main of its own, first as it is and then counted.
run: $$(RUN_PROGRAM) $$(RUN_PROGRAM)-analyse ## Run any CUDA program: FILE=path/x.cu ARGS=...
	$(Q)$(RUN_PROGRAM) $(ARGS); code=$$?; \
	  echo; echo "$(RUN_PROGRAM)-analyse, which counts:"; \
	  SIMT_REPORT=$(if $(VERBOSE),lines,table) $(RUN_PROGRAM)-analyse $(ARGS) && exit $$code

banks: $(T)/banks ## Show which accesses to shared memory conflict, and why
	$(Q)$(T)/banks
	@mkdir -p build/results && $(T)/banks --csv build/results/banks.csv >/dev/null
	@echo && sh plots/draw.sh build/results/banks.csv build/plots

# A report is made after all else that was asked for; if nothing was run yet, the
# solutions are run first. A student may have none.
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

test: $(T)/run $$(UNIT) $$(CHECKED) $$(WHOLE) $$(TESTED) $$(NVCC_LOGS) ## Run the tests: some minutes
	$(Q)$(T)/run $(filter-out $(OF_GRADER),$(UNIT) $(CHECKED) $(WHOLE)) \
	  --beside $(filter $(OF_GRADER),$(UNIT) $(CHECKED) $(WHOLE))

test-all: test $$(SLOW_CHECKED) $$(SLOW) $$(SOAKED) ## Run the tests, and those that need many minutes
	$(Q)HARDWARE_SIZES=all CORPUS=all GRADE_KILLS=20 GRADE_SEEDS=100 QUOTES=all SOAK=60 VET_TEXTS=20000 \
	  $(T)/run $(filter %/test_hardware %/test_material,$(WHOLE)) $(filter %/test_vet_compiler,$(UNIT)) $(CLASSES) \
	  $(SLOW_CHECKED) $(SLOW) $(SOAKED)

bench-simt: $(T)/bench_simt $(T)/bench_simt-analyse ## Measure how fast the CPU device itself is
	@mkdir -p build/results
	$(Q)for build in bench_simt bench_simt-analyse; do \
	  $(T)/$$build $(if $(SIZES),--sizes '$(SIZES)') $(if $(REPEAT),--repeat $(REPEAT)) \
	    --csv build/results/$$build.part || exit 1; echo; \
	done
	@cd build/results && awk 'NR == 1 || FNR > 1' bench_simt.part \
	  bench_simt-analyse.part > bench_simt.all && mv bench_simt.all bench_simt.csv && \
	  rm bench_simt.part bench_simt-analyse.part
	@echo "The same as CSV: build/results/bench_simt.csv"

check: ## Check formatting, C sources and shell scripts
	$(call lint,clang-format,$(FORMAT))
	$(call lint,cppcheck,$(CPPCHECK))
	$(call lint,clang-tidy,$(TIDY))
	$(call lint,shellcheck,$(SHELLCHECK))

# Runs a tool, or says that it is not here.
lint = @if command -v $1 >/dev/null; then echo "  CHECK $1" && $2; \
	else echo "skipped: $1 is not installed"; fi
SOURCES    = $(shell git ls-files '*.c' '*.h' '*.cu')
FORMAT     = clang-format --dry-run -Werror $(SOURCES)
CPPCHECK   = cppcheck --quiet --enable=warning,performance,portability --std=c11 \
             --inline-suppr --error-exitcode=1 -Icommon $(filter %.c,$(SOURCES))
TIDY       = clang-tidy --quiet --warnings-as-errors='*' \
             $(filter common/%.c slides/%.c,$(SOURCES)) -- -std=c11 -Icommon $(XML) $(API_cpu) 2>/dev/null
SHELLCHECK = shellcheck $(shell git ls-files '*.sh' '*/run_autograder' .ci/run)

skeletons: $(T)/make_skeleton ## Cut labs/ anew from solutions/
	@for lab in $(LABS); do \
	  mkdir -p labs/$$lab && \
	  $(T)/make_skeleton solutions/$$lab/*.cu -o labs/$$lab/$${lab#??_}.cu || exit 1; \
	done
	$(Q)$(T)/make_skeleton --todos labs/*/*.cu -o labs/TODOS

format: ## Rewrite the sources in the house format
	$(Q)clang-format -i $(shell git ls-files '*.c' '*.h' '*.cu')

clean: ## Remove everything that make made
	rm -rf build

include common/experiments/experiments.mk
include common/grade/grade.mk
-include slides/slides.mk

# --- rules --------------------------------------------------------------------

# Says what is made, and makes its folder. make test has a thousand of these, so
# they start no shell unless they must.
none :=
note  = $(info $(none)  $1)$(if $(wildcard $(@D)/.),,@mkdir -p $(@D))

build/cpu/%.o: %.c | $(FIRST)
	$(call note,CC    $<)
	$(Q)$(CC) $(CFLAGS) $(API_cpu) $(DEPS) -c $< -o $@

build/gpu/%.o: %.c | $(FIRST)
	@mkdir -p $(@D) && echo "  CC    $<"
	$(Q)$(CC) $(CFLAGS) $(API_gpu) $(DEPS) -c $< -o $@

build/cpu/%.o: %.S | $(FIRST)
	@mkdir -p $(@D) && echo "  AS    $<"
	$(Q)$(CC) -c $< -o $@

$(GPU_CU:%.cu=build/gpu/%.o): build/gpu/%.o: %.cu
	@mkdir -p $(@D) && echo "  NVCC  $<"
	$(Q)$(CU_gpu) $(DEPS) -c $< -o $@

$(BOTH:%=build/cpu/%.cpp): build/cpu/%.cpp: $$(wildcard $$*/*.cu) $(T)/simt_rewrite
	@mkdir -p $(@D)
	$(Q)$(T)/simt_rewrite $(filter %.cu,$^) -o $@

build/cpu/%.cpp: %.cu $(T)/simt_rewrite
	@mkdir -p $(@D)
	$(Q)$(T)/simt_rewrite $< -o $@

# A header beside the source is found although its rewritten form is elsewhere.
BESIDE = -iquote $* -iquote $(dir $*) -iquote tests/simt/programs \
         -iquote tests/hardware $(addprefix -iquote ,$(firstword $(wildcard exercises/*/)))

build/cpu/%.o: build/cpu/%.cpp | $(call FIRST_GCH,cpu)
	@echo "  CU    $* (cpu)"
	$(Q)$(CU_cpu) $(call FIRST_H,cpu) $(BESIDE) $(DEPS) -c $< -o $@

# The table of FLOPs is added to the assembly.
build/cpu/%-analyse.o: build/cpu/%.cpp $(T)/simt_flops | $(call FIRST_GCH,analyse)
	@echo "  CU    $* (cpu, counting)"
	$(Q)$(CU_analyse) $(call FIRST_H,analyse) $(BESIDE) $(DEPS) -MT $@ -S $< -o $(@:.o=.s)
	$(Q)$(T)/simt_flops <$(@:.o=.s) >$(@:.o=-table.s)
	$(Q)$(CXX) -c $(@:.o=-table.s) -o $@
# The plain build of a lab goes first, so that a mistake is told once.
$(BOTH:%=build/cpu/%-analyse.o): %-analyse.o: | %.o

# Precompiled with the flags of those that use it, which g++ asks for.
build/first/cpu/cuda_first.h.gch: private CU = $(CU_cpu)
build/first/analyse/cuda_first.h.gch: private CU = $(CU_analyse)
build/first/%/cuda_first.h.gch: common/simt/include/cuda_first.h Makefile | $(FIRST)
	@mkdir -p $(@D) && echo "  CU    $< ($*)"
	$(Q)$(patsubst c++,c++-header,$(CU)) $(DEPS) $< -o $@

$(foreach l,$(GPU_ONLY),$(eval build/gpu/$l.o: FOR_GPU := $(call gencode,$(notdir $l))))
$(BOTH:%=build/gpu/%.o): build/gpu/%.o: $$(wildcard $$*/*.cu)
	@mkdir -p $(@D) && echo "  CU    $* (gpu)"
	$(Q)$(CU_gpu) $(DEPS) -c $< -o $@

# What a program knows about its lab.
DESCRIBE = $(T)/describe_lab labs/INDEX labs/TODOS $(filter %.cu,$^) -o $@

$(BOTH:%=build/cpu/%.info.c): build/cpu/%.info.c: $$(wildcard $$*/*.cu) labs/INDEX labs/TODOS $(T)/describe_lab
	@mkdir -p $(@D)
	$(Q)$(DESCRIBE)

$(BOTH:%=build/gpu/%.info.c): build/gpu/%.info.c: $$(wildcard $$*/*.cu) labs/INDEX labs/TODOS $(T)/describe_lab
	@mkdir -p $(@D)
	$(Q)$(DESCRIBE)

build/cpu/%.info.o: build/cpu/%.info.c
	$(Q)$(CC) $(CFLAGS) $(API_cpu) $(DEPS) -c $< -o $@

build/gpu/%.info.o: build/gpu/%.info.c
	$(Q)$(CC) $(CFLAGS) $(API_gpu) $(DEPS) -c $< -o $@

$(GPU_ONLY:%=build/cpu/%): build/cpu/%: build/cpu/%.info.o $(HOST_cpu) $(FAST_O)
	@echo "  LINK  $@"
	$(Q)$(CXX) $(BEGIN_O) $(END_O) $^ $(LIBS_cpu) -o $@

$(GPU_ONLY:%=build/cpu/%-analyse): build/cpu/%-analyse: build/cpu/%.info.o $(HOST_cpu) $(ANALYSE_O)
	@echo "  LINK  $@"
	$(Q)$(CXX) $(BEGIN_O) $(END_O) $^ $(LIBS_cpu) -o $@

$(ON_CPU:%=build/cpu/%): build/cpu/%: build/cpu/%.o build/cpu/%.info.o $(BEGIN_O) $(END_O) $(HOST_cpu) $(FAST_O)
	@echo "  LINK  $@"
	$(Q)$(CXX) $(BEGIN_O) $< $(END_O) build/cpu/$*.info.o $(HOST_cpu) $(FAST_O) $(LIBS_cpu) -o $@

$(ON_CPU:%=build/cpu/%-analyse): build/cpu/%-analyse: build/cpu/%-analyse.o build/cpu/%.info.o $(BEGIN_O) $(END_O) $(HOST_cpu) $(ANALYSE_O) | $(T)/compiler_counts
	@echo "  LINK  $@"
	$(Q)$(CXX) $(BEGIN_O) $< $(END_O) build/cpu/$*.info.o $(HOST_cpu) $(ANALYSE_O) $(LIBS_cpu) -o $@

$(BOTH:%=build/gpu/%): build/gpu/%: build/gpu/%.o build/gpu/%.info.o $(HOST_gpu)
	@echo "  LINK  $@"
	$(Q)$(NVCC) -arch=$(ARCH) $^ $(LIBS_gpu) -o $@

# The program of tile widths is that of a lab.
TILES := common/experiments/tiles
build/cpu/experiments/tiles: $(BEGIN_O) build/cpu/$(TILES).o $(END_O) build/cpu/$(TILES)_info.o $(HOST_cpu) $(FAST_O)
build/cpu/experiments/tiles-analyse: $(BEGIN_O) build/cpu/$(TILES)-analyse.o $(END_O) build/cpu/$(TILES)_info.o $(HOST_cpu) $(ANALYSE_O)
build/cpu/experiments/tiles build/cpu/experiments/tiles-analyse:
	@mkdir -p $(@D) && echo "  LINK  $@"
	$(Q)$(CXX) $^ $(LIBS_cpu) -o $@

build/gpu/$(TILES).o: $(TILES).cu
	@mkdir -p $(@D) && echo "  CU    $< (gpu)"
	$(Q)$(CU_gpu) $(DEPS) -c $< -o $@

build/gpu/experiments/tiles: $(addprefix build/gpu/,$(TILES).o $(TILES)_info.o) $(HOST_gpu)
build/gpu/experiments/ceilings: $(addprefix build/gpu/common/,experiments/ceilings.o experiments/bandwidth.o \
  $(addprefix harness/,device_card.o device_kind_gpu.o origin.o origin_gpu.o nvml_gpu.o peak.o) \
  output/replace_file.o output/values.o)
build/gpu/experiments/tiles build/gpu/experiments/ceilings:
	@mkdir -p $(@D) && echo "  LINK  $@"
	$(Q)$(NVCC) -arch=$(ARCH) $^ $(LIBS_gpu) -o $@

# The benchmark of the CPU device, one program for each of its builds.
BENCH_C := $(wildcard common/simt/bench/*.c) common/harness/inputs.c common/output/replace_file.c
BENCH_O := $(call objects,cpu,$(BENCH_C))
$(T)/bench_simt: $(BEGIN_O) build/cpu/common/simt/bench/kernels.o $(END_O) $(BENCH_O) $(FAST_O)
$(T)/bench_simt-analyse: $(BEGIN_O) build/cpu/common/simt/bench/kernels-analyse.o $(END_O) $(BENCH_O) $(ANALYSE_O) $(call objects,cpu,$(LIB))
$(T)/bench_simt $(T)/bench_simt-analyse:
	@mkdir -p $(@D) && echo "  LINK  $@"
	$(Q)$(CXX) $^ $(LIBS_cpu) -o $@

# Not every compiler can be used to count. One that cannot is refused here, before
# a student sees a number.
$(T)/compiler_counts: common/simt/check_compiler.sh build/cpu/programs/divergence-analyse
	@mkdir -p $(@D)
	$(Q)sh $< build/cpu/programs/divergence-analyse tests/simt/programs/divergence.cu $(CXX) && touch $@

# Tools run on this machine's processor alone and know no device.
LIBS_tool :=
$(T)/simt_rewrite: $(call objects,cpu,common/simt/rewrite_main.c $(REWRITER))
$(T)/simt_flops: $(call objects,cpu,common/simt/flops_main.c $(FLOPS))
$(T)/make_skeleton: $(call objects,cpu,common/course/make_skeleton.c $(LIB))
$(T)/describe_lab: $(call objects,cpu,common/course/describe_lab.c $(LIB))
$(T)/banks: $(call objects,cpu,common/banks/show.c $(LIB))
$(T)/ladder: $(call objects,cpu,common/harness/ladder.c $(TABLE) $(LIB))
$(T)/ladder: LIBS_tool := -lcsv
$(T)/report: $(call objects,cpu,common/report/report_main.c $(PAPER) $(LIB))
$(T)/report: LIBS_tool := -lcsv
$(T)/%:
	@mkdir -p $(@D) && echo "  LINK  $@"
	$(Q)$(CC) $^ $(LIBS_tool) -lm -o $@

# --- make run --------------------------------------------------------------------

RUN_PROGRAM :=
ifneq ($(filter run,$(MAKECMDGOALS)),)
ifeq ($(strip $(FILES)),)
$(error say which program: make run FILE=path/to/program.cu)
endif
$(foreach f,$(FILES),$(if $(filter %.cu,$f),,$(error $f is no CUDA file: its name must end in .cu)) \
  $(if $(shell test -f '$f' && echo yes),,$(error $f: there is no such file)))

# ../a/b.cu is built as build/cpu/run/.._a_b; several files are one program,
# named after the first.
run_name     = build/cpu/run/$(subst /,_,$(basename $1))
RUN_PROGRAM := $(call run_name,$(firstword $(FILES)))
RUN_O       := $(foreach f,$(FILES),$(call run_name,$f).o)
RUN_COUNT_O := $(RUN_O:.o=-analyse.o)

define run_rules
$(call run_name,$1).cpp: $1 $(T)/simt_rewrite
	@mkdir -p $$(@D)
	$$(Q)$(T)/simt_rewrite $$< -o $$@
$(call run_name,$1).o $(call run_name,$1)-analyse.o: BESIDE := -iquote $(dir $1)
$(call run_name,$1)-analyse.o: | $(call run_name,$1).o
endef
$(foreach f,$(FILES),$(eval $(call run_rules,$f)))

$(RUN_PROGRAM): $(RUN_O) $(BEGIN_O) $(END_O) $(FAST_O)
	@echo "  LINK  $@"
	$(Q)$(CXX) $(BEGIN_O) $(RUN_O) $(END_O) $(FAST_O) $(LIBS_cpu) -o $@

$(RUN_PROGRAM)-analyse: $(RUN_COUNT_O) $(BEGIN_O) $(END_O) $(ANALYSE_O) $(call objects,cpu,$(LIB))
	@echo "  LINK  $@"
	$(Q)$(CXX) $(BEGIN_O) $(RUN_COUNT_O) $(END_O) $(ANALYSE_O) $(call objects,cpu,$(LIB)) $(LIBS_cpu) -o $@
endif

include tests/tests.mk
include common/teach.mk

.PHONY: menu check help deps doctor demo status run banks bench sweep tiles roofline plots report test test-all bench-simt \
        grade release bench-grade skeletons format clean FORCE
.SECONDARY:
FORCE:
-include $(shell find build -name '*.d' 2>/dev/null)
