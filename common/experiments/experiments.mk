# The ladder of all labs, and the experiments for reports. Included by the
# Makefile.

# --- the ladder ---------------------------------------------------------------

# One file of results a lab: counted on the CPU device, or timed on the host if
# it has no kernel; where there is a GPU, timed on it as well. A lab that needs
# a GPU leaves a row that says SKIPPED where there is none. What was measured
# stays until a program or a setting is another.
IN_DEMO  = build/$(if $(filter right,$1),demo,results)/$1/%.csv
COUNTED := $(patsubst %,$(call IN_DEMO,counted),$(filter-out $(GPU_LABS) $(HOST_LABS),$(LABS)))
ON_HOST := $(if $(filter gpu,$(DEVICE)),,$(HOST_LABS:%=$(call IN_DEMO,counted)))
SKIPPED := $(if $(filter gpu,$(DEVICE)),,$(GPU_LABS:%=$(call IN_DEMO,counted)))
TIMED   := $(if $(filter gpu,$(DEVICE)),$(LABS:%=$(call IN_DEMO,timed)))
RIGHT   := $(LABS:%=$(call IN_DEMO,right))
DEMO     = $(Q)sh common/experiments/demo.sh
SETTINGS := build/results/demo.settings
# One core of the host needs 5 s for 1024 and minutes for 4096, which a GPU does
# in milliseconds. A measurement takes 1024 at most for a lab without a kernel,
# and the demonstration 512, since it runs again and again.
HOST_SIDE := 1024
BENCH    = $(RUN) $(if $(strip $(SIZE)),,$(call cube,$(if $(filter $(HOST_LABS),$*),512,4096)))
cube     = --m $1 --n $1 --k $1

$(SETTINGS): FORCE
	@mkdir -p $(@D) && { echo '$(DEVICE) $(RUN)' | cmp -s - $@ || echo '$(DEVICE) $(RUN)' >$@; }

$(RIGHT): $(call IN_DEMO,right): build/$(DEVICE)/solutions/% $(SETTINGS)
	$(DEMO) right $@ $<

$(COUNTED): $(call IN_DEMO,counted): $(call IN_DEMO,right) build/cpu/solutions/%-analyse $(SETTINGS)
	$(DEMO) measure $@ $< build/cpu/solutions/$*-analyse --counters

$(ON_HOST): $(call IN_DEMO,counted): $(call IN_DEMO,right)
	$(DEMO) measure $@ $< build/cpu/solutions/$* --bench $(RUN)

$(SKIPPED): $(call IN_DEMO,counted): $(call IN_DEMO,right)
	$(DEMO) measure $@ $< build/cpu/solutions/$*

# Timed one after the other, and when all else is done: two at once would
# disturb each other.
$(TIMED): $(call IN_DEMO,timed): $(call IN_DEMO,right) $(RIGHT) $(COUNTED)
	$(Q)flock build sh common/experiments/demo.sh measure $@ $< build/gpu/solutions/$* --bench --cublas $(BENCH)

build/results/ladder.csv: $(T)/results $(COUNTED) $(ON_HOST) $(SKIPPED) $(TIMED)
	$(Q)$< merge $@ $(filter %.csv,$^)

# --- experiments --------------------------------------------------------------

# Every measurement goes to a CSV file of its own in RESULTS; the head of
# common/experiments/measure.sh says how it goes on after a break.
DRAW     = FROM=$(FROM) sh plots/draw.sh
MEASURE  = FRESH=$(FRESH) HOST_LABS='$(HOST_LABS)' HOST_SIDE=$(HOST_SIDE) sh common/experiments/measure.sh
HOW      = $(if $(SEED),--seed $(SEED)) $(if $(REPEAT),--repeat $(REPEAT))
TIME     = --bench --cublas $(HOW)
ON_GPU  := $(filter gpu,$(DEVICE))
CUBOID   = $(if $(strip $(SIZE)),$(if $(and $(M),$(N),$(K)),$(M)x$(N)x$(K),\
             $(error M, N and K go together, or set SIZES)))
# The labs that were chosen, or all that multiply matrices.
PRODUCTS = $(filter-out $(call labs_that,banks),$(LABS))
chosen   = $(if $(CHOSEN),$(foreach l,$(CHOSEN),$(or $(filter $1,$(call name,$l)),\
             $(error lab $l is not for this experiment: use some of $1))),$1)
TIMED_BY   = $(addprefix build/$(DEVICE)/$(FROM)/,$(call chosen,$(PRODUCTS)))
COUNTED_BY = $(patsubst %,build/cpu/$(FROM)/%-analyse,$(call chosen,$(filter-out $(HOST_LABS) $(GPU_LABS),$(PRODUCTS))))
# make looks at the prerequisites of each target, also of those that nobody
# asked for: a lab that cannot be counted must not stop make bench.
if_asked   = $(if $(filter $1,$(MAKECMDGOALS)),$$(COUNTED_BY))
# Labs 08 and 09 access memory as lab 07 does.
MAPPED_BY  = $(if $(CHOSEN),$(COUNTED_BY),$(filter-out %/08_unrolling-analyse %/09_prefetch-analyse,$(COUNTED_BY)))
BENCHED    = $(MEASURE) $(RESULTS)/bench.csv \
             "$(or $(SIZES),$(CUBOID),$(if $(ON_GPU),4096,256))" "$(TIME)" $(TIMED_BY)

bench: $$(TIMED_BY) $(T)/results ## Time labs at one size: LABS="02 06" SIZES=1024
	$(Q)$(BENCHED)
	@$(DRAW) $(RESULTS)/bench.csv $(PLOTS) ladder

sweep: $$(TIMED_BY) $(T)/results ## Time labs at many sizes: SIZES="512 1024"
	$(Q)$(MEASURE) $(RESULTS)/sweep.csv \
	  "$(or $(SIZES),$(if $(ON_GPU),512 1024 2048 4096 8192,64 128 256))" "$(TIME)" $(TIMED_BY)
	@$(DRAW) $(RESULTS)/sweep.csv $(PLOTS) sweep

# Counted on the CPU device; timed on a GPU alone, small, medium and large.
tiles: build/cpu/experiments/tiles-analyse $(T)/results $(if $(ON_GPU),build/gpu/experiments/tiles) ## Compare widths of a tile
	$(Q)$(MEASURE) $(RESULTS)/tiles_counts.csv "$(if $(ON_GPU),-,$(or $(SIZES),-))" \
	  "--counters $(if $(SEED),--seed $(SEED))" build/cpu/experiments/tiles-analyse
	@$(DRAW) $(RESULTS)/tiles_counts.csv $(PLOTS) tile_counters
	$(if $(ON_GPU),$(Q)$(MEASURE) $(RESULTS)/tiles.csv "$(or $(SIZES),128 1024 4096)" \
	  "$(TIME)" build/gpu/experiments/tiles)
	@$(DRAW) $(RESULTS)/tiles.csv $(PLOTS) tile_width

# Counted on the CPU device, and held against times and ceilings of a GPU.
roofline: $(call if_asked,roofline) $(T)/results $(if $(ON_GPU),$$(TIMED_BY) $(RESULTS)/ceilings.csv) ## Hold each lab against the chip's limits
	$(Q)$(MEASURE) $(RESULTS)/counts.csv - "--counters" $(COUNTED_BY)
	$(if $(ON_GPU),$(Q)$(BENCHED))
	@$(DRAW) $(RESULTS)/bench.csv $(PLOTS) roofline

COUNTED_TILES := $(if $(wildcard common/experiments/tiles.cu),build/cpu/experiments/tiles-analyse)

# Measures no times. What was timed before is drawn, by bench, sweep or tiles.
plots: $(call if_asked,plots) $(T)/results $(COUNTED_TILES) $(T)/banks ## Draw all plots from what is at hand
	@mkdir -p $(RESULTS)
	$(Q)$(MEASURE) $(RESULTS)/counts.csv "$(or $(SIZES),-)" "--counters" $(COUNTED_BY)
	$(if $(COUNTED_TILES),$(Q)$(MEASURE) $(RESULTS)/tiles_counts.csv "$(or $(SIZES),-)" "--counters" $(COUNTED_TILES))
	@$(T)/banks --csv $(RESULTS)/banks.csv >/dev/null || true
	@command -v gnuplot >/dev/null || { $(DRAW) - $(PLOTS); exit; }; \
	for plot in counts:counters_by_lab bench:ladder sweep:sweep $(if $(COUNTED_TILES),tiles_counts:tile_counters) \
	  tiles:tile_width bench:roofline banks:banks; do \
	  [ $$plot != banks:banks ] || [ -f $(RESULTS)/banks.csv ] || continue; \
	  $(DRAW) $(RESULTS)/$${plot%:*}.csv $(PLOTS) $${plot#*:} || exit 2; \
	done; \
	for program in $(MAPPED_BY); do \
	  lab=$${program##*/} && map=$(RESULTS)/map_$${lab%%_*} && \
	  { $$program --quiet --map $$map.csv --footprint $${map}_footprint.csv && \
	    $(DRAW) $$map.csv $(PLOTS) && $(DRAW) $${map}_footprint.csv $(PLOTS); } || \
	  [ $$? = 77 ] || exit 2; \
	done

# Measured anew by FRESH=1, or after the program has changed.
$(RESULTS)/ceilings.csv: build/gpu/experiments/ceilings $(if $(FRESH),FORCE)
	@mkdir -p $(@D)
	$(Q)flock build $< $@ $(RESULTS)/chip.csv

ceilings: $(if $(ON_GPU),$(RESULTS)/ceilings.csv,no-ceilings) ## Measure what this GPU can do, for make why-NN CHIP=FILE
	@echo "The chip, for make why-03 CHIP=$(RESULTS)/chip.csv: $(RESULTS)/chip.csv"

no-ceilings:
	@echo 'make ceilings needs a GPU and nvcc' >&2; exit 2

.PHONY: ceilings no-ceilings
