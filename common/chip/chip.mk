# Why is a kernel slow? A chip's limits, without the chip. Included by the
# Makefile; README.md beside this file says how it works.

CHIP ?= h200

# What one block asks for; and nvcc's machine code, if it is here. No GPU is
# needed.
WHY         = build/chip/$(subst /,_,$(call whose,$1))
CHIP_FILE   = $(or $(wildcard common/chip/chips/$(CHIP).csv $(CHIP)),$(error CHIP is \
                '$(CHIP)': use one of $(basename $(notdir $(wildcard common/chip/chips/*.csv))), or a file that make ceilings wrote))
WHY_SIZES   = $(or $(if $(and $(M),$(N),$(K)),$(M)x$(N)x$(K)),$(subst $(eval ) ,$(comma),$(strip $(SIZES))),512$(comma)1024$(comma)2048$(comma)8192$(comma)4096)
HAS_NVCC   := $(shell command -v nvcc)
# A kernel's CSV file: why_03.csv, or why_03_no_zero_fill.csv of a mutant.
WHY_CSV     = build/results/why_$(if $(filter mutants/%,$(OF)),$(OF:mutants/%=%),$(call number,$1)).csv
why_cubin   = $(if $(HAS_NVCC),build/chip/$(call whose,$1).cubin)
# Recorded code is that of the solutions alone.
why_code    = $(if $(call why_cubin,$1),--cubin $(call why_cubin,$1),$(if $(filter solutions/%,$(call whose,$1)),--facts common/chip/facts.csv))
# What is no product of matrices in device memory has no such limits.
WHY_LABS   := $(filter-out $(HOST_LABS) $(call labs_that,banks) $(NEEDY_LABS),$(LABS))
WHY_ASKED   = $(if $(filter $(WHY_LABS),$(call name,$1)),,$(error make why-$1: it is for labs $(WHY_LABS)))

why-%: FORCE $(T)/chip $$(call WHY_ASKED,$$*) $$(call map_program,$$*) $$(call why_cubin,$$*) ## Predict a kernel's time and limit: CHIP=h200 N=4096
	@mkdir -p build/results build/chip && $(T)/chip --chip $(CHIP_FILE) $(call why_code,$*) --csv $(call WHY_CSV,$*) --sizes $(WHY_SIZES) \
	  --requests $(call WHY,$*) --program $(call map_program,$*) $(call name,$*) && \
	  { ! grep -q '^measured,1' $(CHIP_FILE) || { echo && sh plots/draw.sh $(call WHY_CSV,$*) $(PLOTS) why; }; } || [ $$? = 77 ]

$(BOTH:%=build/chip/%.cubin): build/chip/%.cubin: $$(call source,$$*) $(wildcard common/*.h)
	$(call step,$@) $(NVCC) -cubin -O3 -std=c++17 -arch=sm_90 -Icommon $(WARN_CU) $< -o $@ $(end)

build/chip/mutants/%.cubin: build/mutants/%.cu $(wildcard common/*.h)
	$(call step,$@) $(NVCC) -cubin -O3 -std=c++17 -arch=sm_90 -Icommon $(WARN_CU) $< -o $@ $(end)

# The loop's machine code itself: labs/SASS.md.
sass-%: FORCE $(T)/sass $$(if $(HAS_NVCC),$$(call why_cubin,$$*),no-nvcc) ## Show the machine code that nvcc makes of a lab's loop
	@$(T)/sass --list $(call why_cubin,$*)

no-nvcc:
	@echo 'make sass-NN needs nvcc, though no GPU: labs/SASS.md shows what it prints' >&2; exit 2

# What nvcc makes of all solutions, anew.
why-facts: $(T)/chip $(WHY_LABS:%=build/cpu/solutions/%-analyse) $(WHY_LABS:%=build/chip/solutions/%.cubin)
	$(Q)sh common/chip/facts.sh $(WHY_LABS)

# All predictions of the README's tables. Held out: kernels that were measured
# after the rules were fixed.
HELD_OUT := 02_neighbours_in_a_column 03_barrier_in_k_loop 04_still_uncoalesced 06_rows_of_17 06_still_transposed 07_rows_of_16 \
            07_sum_indexed_at_run_time 08_not_unrolled 09_two_barriers 10_neighbouring_columns 10_tile_of_4 11_element_by_element \
            12_fetches_as_lab_11 12_lanes_along_a_row 13_one_part 13_through_registers 10_one_dimensional 10_two_dimensional 10_four_at_a_time
why-predictions: ## Predict the times of these tables anew (needs nvcc)
why-predictions: $(T)/chip $(WHY_LABS:%=build/cpu/solutions/%-analyse) $(WHY_LABS:%=build/chip/solutions/%.cubin) build/cpu/experiments/tiles-analyse \
                 $(HELD_OUT:%=build/cpu/mutants/%-analyse) $(HELD_OUT:%=build/chip/mutants/%.cubin) build/chip/tiles.cubin
	$(Q)HELD_OUT='$(HELD_OUT)' sh common/chip/predict.sh build/results/why_predictions.csv h200 h100

build/chip/tiles.cubin: common/experiments/tiles.cu $(wildcard common/*.h)
	$(call step,$@) $(NVCC) -cubin -O3 -std=c++17 -arch=sm_90 -Icommon $(WARN_CU) $< -o $@ $(end)

why-tables: ## Hold the model's predictions against recorded times
	@sh common/chip/tables.sh

.PHONY: why-facts why-predictions why-tables no-nvcc
