# The ladder of all labs, and the experiments for reports. Included by the
# Makefile.

# --- make demo ----------------------------------------------------------------

# One file of results a lab: counted on the CPU device, or timed on the host if
# it has no kernel; where there is a GPU, timed on it as well. A lab that needs
# a GPU leaves a row that says SKIPPED where there is none. What was measured
# stays until a program or a setting is another.
ON_GPU  := $(filter gpu,$(DEVICE))
DEMO     = @HOST_LABS='$(HOST_LABS)' GPU_LABS='$(GPU_LABS)' sh common/experiments/demo.sh

build/results/demo.settings: FORCE
	@mkdir -p $(@D) && { echo '$(DEVICE) $(RUN)' | cmp -s - $@ || echo '$(DEVICE) $(RUN)' >$@; }

build/demo/right/%.csv: build/$(DEVICE)/solutions/% build/results/demo.settings
	$(DEMO) right $@ $<

build/results/counted/%.csv: build/demo/right/%.csv build/cpu/solutions/% build/cpu/solutions/%-analyse build/results/demo.settings
	$(DEMO) counted $@ $< $* $(RUN)

# Timed one after the other, and when all else is done: two at once would
# disturb each other.
LADDER   := $(filter-out $(OTHER_LABS),$(ALL_LABS))
DEMO_CSV := $(patsubst %,build/results/counted/%.csv,$(filter-out $(if $(ON_GPU),$(HOST_LABS) $(GPU_LABS)),$(LADDER)))
build/results/timed/%.csv: build/demo/right/%.csv $(LADDER:%=build/demo/right/%.csv) $(DEMO_CSV)
	$(DEMO) timed $@ $< $* $(RUN)

build/results/ladder.csv: $(T)/results $(DEMO_CSV) $(if $(ON_GPU),$(LADDER:%=build/results/timed/%.csv))
	$(Q)$< merge $@ $(filter %.csv,$^)

# What the device can do, for reports: any program of a lab knows.
CARD := build/$(DEVICE)/$(firstword $(filter solutions/%,$(BOTH)) $(BOTH))
build/results/device.csv: FORCE $(CARD)
	@mkdir -p $(@D)
	$(Q)$(CARD) --card --csv $@ >/dev/null

# --- make bench, make plots ---------------------------------------------------

# Labs that multiply matrices, and of these the ones that were chosen. What can
# be counted is neither without a kernel nor for a GPU alone.
PRODUCTS  := $(filter-out $(BANK_LABS) $(OTHER_LABS),$(ALL_LABS))
COUNTABLE := $(filter-out $(HOST_LABS) $(GPU_LABS),$(PRODUCTS))
FOR_BENCH := $(if $(filter roofline,$(WHAT))$(filter plots,$(GOALS)),$(COUNTABLE),$(PRODUCTS))
TIMED_BY   = $(patsubst %,build/$(DEVICE)/$(FROM)/%,$(filter $(FOR_BENCH),$(or $(CHOSEN),$(FOR_BENCH))))
COUNTED_BY = $(patsubst %,build/cpu/$(FROM)/%-analyse,$(filter $(COUNTABLE),$(or $(CHOSEN),$(COUNTABLE))))
CEILINGS  := $(if $(ON_GPU),$(RESULTS)/ceilings.csv)

BENCH_ := $(TIMED_BY)
BENCH_sweep := $(TIMED_BY)
BENCH_tiles := build/cpu/experiments/tiles-analyse $(if $(ON_GPU),build/gpu/experiments/tiles)
BENCH_roofline := $(COUNTED_BY) $(if $(ON_GPU),$(TIMED_BY) $(CEILINGS))
BENCH_ceilings := $(CEILINGS)
BENCH_start :=
BENCH_device := $(T)/bench_simt $(T)/bench_simt-analyse
BENCH_grader := $(T)/box_bench $(T)/grade
BENCH_NEEDS := $(T)/results $(if $(filter plots,$(GOALS)),$(COUNTED_BY) $(TILES) $(T)/banks) $(if $(filter bench,$(GOALS)),$(BENCH_$(WHAT)))
BENCH = DEVICE=$(DEVICE) FROM=$(FROM) RESULTS='$(RESULTS)' PLOTS='$(PLOTS)' FRESH=$(FRESH) HOST_LABS='$(HOST_LABS)' \
  CHOSEN='$(CHOSEN)' LABS='$(FOR_BENCH)' TIMED='$(TIMED_BY)' COUNTED='$(COUNTED_BY)' TILES='$(TILES)' \
  SIZES='$(SHAPES)' HOW='$(if $(SEED),--seed $(SEED)) $(if $(REPEAT),--repeat $(REPEAT))' REPEAT=$(REPEAT)

# Measured anew by FRESH=1, or after the program has changed.
$(RESULTS)/ceilings.csv: build/gpu/experiments/ceilings $(if $(FRESH),FORCE)
	@mkdir -p $(@D)
	$(Q)flock build $< $@ $(RESULTS)/chip.csv

# --- programs -----------------------------------------------------------------

# The program of tile widths is that of a lab, but for what it knows of itself.
IN_TILES := common/experiments/tiles
build/cpu/experiments/tiles: $(BEGIN_O) build/cpu/$(IN_TILES).o build/cpu/$(IN_TILES)_info.o $(END)
	$(link)

build/cpu/experiments/tiles-analyse: $(BEGIN_O) build/cpu/$(IN_TILES)-analyse.o build/cpu/$(IN_TILES)_info.o $(END) | $(T)/compiler_counts
	$(link)

build/gpu/experiments/tiles: $(addprefix build/gpu/$(IN_TILES),.o _info.o) $(ON_GPU_A)
	$(link_gpu)

build/gpu/experiments/ceilings: $(addprefix build/gpu/common/experiments/,ceilings.o bandwidth.o chip.o) $(ON_GPU_A)
	$(link_gpu)
