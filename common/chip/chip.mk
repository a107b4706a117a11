# What would bind a kernel on a chip, without the chip? Included by the
# Makefile; README.md beside this file says how it works. No GPU is needed for
# nvcc's machine code.

# What is no product of matrices in device memory has no such limits.
WHY_LABS := $(filter-out $(HOST_LABS) $(BANK_LABS) $(OTHER_LABS) $(NEEDY_LABS),$(ALL_LABS))
CUBIN    := $(if $(HAS_NVCC),build/chip/$(WHOSE).cubin)

# What nvcc refuses is no failure of make lab-03, which predicts by rule then.
cubin = $(STEP) $@ $(NVCC) -cubin -O3 -std=c++17 -arch=sm_90 -Icommon $(WARN_CU) $(filter %.cu,$^) -o $@ $(if $(filter lab-%,$(GOALS)),2>/dev/null || rm -f $@)
build/chip/%.cubin: build/%.cu $(wildcard common/*.h)
	$(cubin)

build/chip/%.cubin: %.cu $(wildcard common/*.h)
	$(cubin)

# All predictions of the README's tables. Held out: kernels that are no lab's
# solution; those of tests/chip/ladder were no help in finding the rules, or not
# at first.
HELD_OUT := 02_neighbours_in_a_column 03_barrier_in_k_loop 04_still_uncoalesced 06_rows_of_17 06_still_transposed 07_rows_of_16 \
            07_sum_indexed_at_run_time 08_not_unrolled 09_two_barriers 10_neighbouring_columns 10_tile_of_4 11_element_by_element \
            12_fetches_as_lab_11 12_lanes_along_a_row 14_one_part 14_through_registers $(patsubst tests/chip/ladder/%.cu,%,$(wildcard tests/chip/ladder/*.cu))
OF_facts := $(T)/chip $(WHY_LABS:%=build/cpu/solutions/%-analyse) $(WHY_LABS:%=build/chip/solutions/%.cubin)
OF_predictions := $(OF_facts) build/cpu/experiments/tiles-analyse build/chip/common/experiments/tiles.cubin \
  $(HELD_OUT:%=build/cpu/mutants/%-analyse) $(HELD_OUT:%=build/chip/mutants/%.cubin)
OF_tables :=

why: $(OF_$(or $(filter tables facts predictions,$(WHAT)),tables))
	$(Q)HELD_OUT='$(HELD_OUT)' sh common/chip/model.sh '$(WHAT)' $(WHY_LABS)
.PHONY: why
