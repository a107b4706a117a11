# How a .cu is built, for the CPU device and for a GPU. Included by the
# Makefile; which programs there are is in build/programs.mk.

# --- the CPU device -----------------------------------------------------------

# A lab on the CPU device. None of the analyse build's flags may be left out:
# common/simt/README.md says what each is for.
CU_lab     := $(CXX) -x c++ -std=c++17 -O2 -g -gdwarf-5 -dA -fno-exceptions \
              -fstack-clash-protection -ffp-contract=off -fno-strict-aliasing -fno-finite-loops -fno-stack-protector -fno-diagnostics-show-labels $(WARN_LAB) \
              -fno-optimize-sibling-calls -fno-var-tracking $(API_cpu) -Icommon
CU_cpu     := $(CU_lab) -fsanitize=bounds
CU_analyse := $(CU_lab) -fsanitize=thread \
              --param tsan-instrument-func-entry-exit=0 \
              --param tsan-distinguish-volatile=1 \
              -fsanitize-coverage=trace-pc -fno-reorder-blocks \
              -fno-reorder-blocks-and-partition -fno-thread-jumps \
              -fno-tree-dominator-opts -fno-tree-sra -fno-tree-vectorize \
              -fno-elide-constructors
# cuda_runtime.h comes first, precompiled where that pays: for many programs, or
# if it has been done. g++ asks for the flags of those that use it.
FIRST_H    = -iquote build/first/$1 -include cuda_first.h -fpch-deps
FIRST_GCH  = $(if $(or $(TESTING)$(filter demo,$(GOALS)),$(wildcard build/first)),build/first/$1/cuda_first.h.gch)
# A header beside the source is found although its rewritten form is elsewhere.
BESIDE     = -iquote $(<:build/cpu/%.cpp=%) -iquote $(dir $(<:build/cpu/%.cpp=%)) -iquote common/simt/check \
             -iquote tests/hardware $(addprefix -iquote ,$(firstword $(wildcard labs/warm_up/*/)))
# Set for single programs: options of simt_tables, and of the linker.
TABLES    :=
VOLATILE  :=
LINKER    :=
# Of others' programs: malloc() and new in kernels (simt/run/heap.c).
HEAP_LD   := $(addprefix -Wl$(comma)--wrap=,malloc simt_host_free _Znwm _Znam _ZdlPv _ZdaPv _ZdlPvm _ZdaPvm)

# A .cu for the CPU device: made C++, compiled twice, and linked twice. What a
# program must know of its source is added to the assembly. A debugger is for
# the plain build alone.
rewrite = $(STEP) $@ $(T)/simt_rewrite $(filter %.cu,$^) -o$@ -d $@.d
compile = sh common/simt/compile.sh $(T)/simt_tables
link    = $(STEP) $@ sh common/simt/link.sh $@ $(CXX) $(LINKER) $^ $(LIBS)

build/cpu/%.cpp: %.cu $(T)/simt_rewrite
	$(rewrite)

build/cpu/%.cpp: build/%.cu $(T)/simt_rewrite
	$(rewrite)

# What g++ makes of one, its OUT and command, for each build.
of_fast    = $1 $(CU_cpu) $(call FIRST_H,cpu) $(BESIDE) $(call DEPS_OF,$1) $<
of_analyse = $1 $(CU_analyse) $(call FIRST_H,analyse) $(BESIDE) $(call DEPS_OF,$1) $<

build/cpu/%.o: build/cpu/%.cpp $(T)/simt_tables | $(call FIRST_GCH,cpu)
	$(STEP) $@ $(compile) "--keep-debug $(VOLATILE)" '' $(call of_fast,$@)

build/cpu/%-analyse.o: build/cpu/%.cpp $(T)/simt_tables | $(call FIRST_GCH,analyse)
	$(STEP) $@ $(compile) "$(TABLES)" '' $(call of_analyse,$@)

# Where both builds of a program are wanted, they are compiled at once, and one
# tells what is wrong with it.
TWINS_IN := $(firstword $(if $(filter run,$(GOALS)),build/cpu/run) \
              $(if $(filter lab-%,$(GOALS)),$(if $(filter cpu,$(DEVICE)),build/cpu/$(firstword $(subst /, ,$(OF))))))
ifneq ($(TWINS_IN),)
$(TWINS_IN)/%.o $(TWINS_IN)/%-analyse.o: $(TWINS_IN)/%.cpp $(T)/simt_tables | $(call FIRST_GCH,cpu) $(call FIRST_GCH,analyse)
	$(STEP) $(TWINS_IN)/$*.o $(compile) "--keep-debug $(VOLATILE)" \
	  $(call quoted,'$(TABLES)' $(call of_analyse,$(TWINS_IN)/$*-analyse.o)) $(call of_fast,$(TWINS_IN)/$*.o)
endif

build/first/cpu/cuda_first.h.gch: private CU = $(CU_cpu)
build/first/analyse/cuda_first.h.gch: private CU = $(CU_analyse)
build/first/%/cuda_first.h.gch: common/simt/include/cuda_first.h Makefile
	$(STEP) $@ $(patsubst c++,c++-header,$(CU)) $(DEPS) $< -o $@

# Not every compiler can be used to count. One that cannot is refused here,
# before a student sees a number. Once it is there, so is all that every lab is
# built with.
COUNTS := build/cpu/common/simt/check/divergence-analyse
$(COUNTS): $(BEGIN_O) $(COUNTS).o $(END)
	$(link)

$(T)/compiler_counts: common/simt/check/compiler.sh $(COUNTS) | $(COURSE_A) $(T)/check $(T)/results
	$(Q)sh $< $(COUNTS) common/simt/check/divergence.cu $(CXX) && touch $@

# --- a GPU --------------------------------------------------------------------

FOR_GPU    = -arch=$(ARCH)
CU_gpu     = $(NVCC) -std=c++17 -O3 -lineinfo $(FOR_GPU) -Icommon $(WARN_CU)
# A GPU's: another ARCH builds anew what nvcc compiles.
build/gpu/settings: FORCE
	@mkdir -p $(@D)
	@echo '$(CU_gpu)' | cmp -s - $@ || echo '$(CU_gpu)' >$@

nvcc_o = $(STEP) $@ $(CU_gpu) $(DEPS) -c $< -o $@
build/gpu/%.o: %.cu build/gpu/settings
	$(nvcc_o)

build/gpu/%.o: build/%.cu build/gpu/settings
	$(nvcc_o)

link_gpu = $(STEP) $@ $(NVCC) -arch=$(ARCH) $^ $(LIBS) -o $@

# The lines that make lab-NN has shown of it, which it writes.
build/try/%.places:
	@mkdir -p $(@D) && : >$@

# A copy of a lab with all its small changes at once, which make lab-NN tries
# when it is wrong: harness/mode_try_cpu.c.
build/cpu/%-alternatives.cpp: build/cpu/%.cpp build/try/%.places $(T)/simt_alternatives labs/TODOS
	$(STEP) $@ $(T)/simt_alternatives $< build/try/$*.places $@

build/cpu/%-alternatives.o build/cpu/%-alternatives-analyse.o: private CU_cpu += -w -O1
build/cpu/%-alternatives.o build/cpu/%-alternatives-analyse.o: private CU_analyse += -w -O1
build/cpu/%-alternatives.o build/cpu/%-alternatives-analyse.o: build/cpu/%-alternatives.cpp $(T)/simt_tables | $(call FIRST_GCH,cpu) $(call FIRST_GCH,analyse)
	$(STEP) build/cpu/$*-alternatives.o $(compile) "--keep-debug" \
	  $(call quoted,'$(TABLES)' $(call of_analyse,build/cpu/$*-alternatives-analyse.o)) $(call of_fast,build/cpu/$*-alternatives.o) 2>$<.log

build/try/%-analyse: $(BEGIN_O) build/cpu/%-alternatives-analyse.o $(END)
	$(link)

build/try/%: $(BEGIN_O) build/cpu/%-alternatives.o $(END) | build/try/%-analyse
	$(link)
