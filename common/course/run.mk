# make run: how anybody's CUDA program is built (FILE, DEFINES, INCLUDES, STD).

# Links to the files, with names that make can read: build/cpu/run/x/src/x.cu is
# built as build/cpu/run/x/program. Anew, if it is with other settings.
RUN_PROGRAM :=
RUN_FOLDER  := $(or $(PWD),$(CURDIR))
ifneq ($(filter run,$(GOALS)),)
RUN_LINKS   := $(shell sh common/course/run_files.sh build/cpu/run $(call quoted,$(RUN_FOLDER)) \
                 $(call quoted,$(or $(value FILE),$(value FILES))))
ifneq ($(findstring !,$(RUN_LINKS)),)
$(error $(patsubst !%,%,$(RUN_LINKS)))
endif
RUN_BUILD   := $(patsubst %/src/,%,$(dir $(firstword $(RUN_LINKS))))
RUN_PROGRAM := $(RUN_BUILD)/program
RUN_CPP     := $(patsubst $(RUN_BUILD)/src/%.cu,$(RUN_BUILD)/%.cpp,$(filter %.cu,$(RUN_LINKS)))
RUN_CU_O    := $(RUN_CPP:.cpp=.o) $(RUN_CPP:.cpp=-analyse.o)
RUN_HOST_O  := $(patsubst $(RUN_BUILD)/src/%,$(RUN_BUILD)/%.o,$(filter-out %.cu,$(RUN_LINKS)))
RUN_HEADERS := $(addprefix -I,$(foreach i,$(INCLUDES),$(if $(filter /%,$i),$i,$(RUN_FOLDER)/$i)))
# Who includes omp.h means OpenMP, which nvcc is asked for by hand.
RUN_OMP     := $(shell grep -q '^ *. *include *<omp.h>' $(RUN_LINKS) && echo -fopenmp)
RUN_FLAGS   := -DTHRUST_DEVICE_SYSTEM=THRUST_DEVICE_SYSTEM_CPP $(DEFINES:%=-D%) $(RUN_HEADERS) $(RUN_OMP)
RUN_STD     := $(patsubst %11,%17,$(patsubst %14,%17,$(STD)))
RUN_CU      := -fexceptions -std=$(RUN_STD) -DSIMT_ARCH=$(subst .,,$(or $(BANKS),9.0))0 -Wno-extra -Wno-shadow=local $(RUN_FLAGS)

# Another file of the same name may be older than what was built of the first.
RUN_SETTINGS = $(call quoted,$(RUN_CU) $(VERBOSE) $(realpath $(RUN_LINKS)))
$(RUN_BUILD)/settings: FORCE
	@echo $(RUN_SETTINGS) | cmp -s - $@ || echo $(RUN_SETTINGS) >$@

$(RUN_CPP): $(RUN_BUILD)/%.cpp: $(RUN_BUILD)/src/%.cu $(T)/simt_rewrite $(RUN_BUILD)/settings
	$(STEP) $@ $(T)/simt_rewrite $(RUN_HEADERS) $< -o$@ -d $@.d
$(RUN_CU_O): private CU_cpu += $(RUN_CU)
$(RUN_CU_O): private CU_analyse += $(RUN_CU)
# Of a program with one .cu file nothing is recorded that the host alone runs.
$(RUN_CU_O): private TABLES := $(if $(word 2,$(RUN_CPP)),,--whole-program)

# Warnings about what is not ours wait for VERBOSE; what takes long is named.
export COURSE_QUIET := 1

# Lanes are in step at volatile accesses, which the compiler tells of: old
# reductions count on that.
ifneq ($(shell grep -lw volatile $(RUN_LINKS)),)
$(RUN_CU_O): private CU_cpu += -fsanitize=thread --param tsan-instrument-func-entry-exit=0 \
                                      --param tsan-distinguish-volatile=1
$(RUN_CU_O): private VOLATILE := --only-volatile
endif

# A class with a destructor may count on being returned without a copy, and of
# its memory a copy would free what is still used. Its headers are known when
# simt_rewrite has read them.
HAS_DESTRUCTOR = $(shell grep -lE '(^|[^[:alnum:]_])~ *[[:alpha:]_][[:alnum:]_]* *[(] *(void)? *[)]' $(RUN_CPP) $(RUN_CPP:=-*) 2>/dev/null)
$(RUN_CU_O): private BESIDE = $(if $(HAS_DESTRUCTOR),-felide-constructors)

# What is C++ or C alone is compiled as it stands.
$(RUN_HOST_O): $(RUN_BUILD)/%.o: $(RUN_BUILD)/src/% $(RUN_BUILD)/settings
	$(STEP) $@ sh common/simt/link.sh $@ $(if $(filter %.c,$<),$(CC) -std=gnu11,$(CXX) -std=$(RUN_STD)) -O2 -g -Wall -fno-strict-aliasing \
	  $(API_cpu) $(RUN_FLAGS) $(DEPS) -c "$$(readlink $<)"

$(RUN_PROGRAM) $(RUN_PROGRAM)-analyse: private LINKER = $(HEAP_LD)
$(RUN_PROGRAM): $(BEGIN_O) $(RUN_CPP:.cpp=.o) $(RUN_HOST_O) $(END)
	$(link) $(RUN_OMP)

$(RUN_PROGRAM)-analyse: $(BEGIN_O) $(RUN_CPP:.cpp=-analyse.o) $(RUN_HOST_O) $(END)
	$(link) $(RUN_OMP)
endif
