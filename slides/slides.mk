# The slides: figures drawn, code and numbers put in, then Marp makes HTML
# and PDF. The Makefile includes this.

DECKS   := $(basename $(notdir $(wildcard slides/[0-9ab]*_*.md)))
S       := build/slides
# With ANSWERS=no the decks go elsewhere.
SHOWN_S := $(S)$(if $(filter no,$(ANSWERS)),-without-answers)

$(T)/make_deck: $(call objects,cpu,$(wildcard slides/tool/*.c))
$(T)/draw_figure: $(call objects,cpu,$(wildcard slides/figures/*.c))

# --- figures ------------------------------------------------------------------

# Those that no data changes are SVG files in slides/figures and, where a
# handout shows them too, in labs/pictures. Of the others,
# figure NAME, ARGUMENTS: a rule for build/slides/figures/NAME.svg. What is
# recorded, counted or modelled below is made first.
define figure
FIGURES += $(S)/figures/$(strip $1).svg
$(S)/figures/$(strip $1).svg: $(T)/draw_figure $(filter %.csv,$2)
	@mkdir -p $$(@D)
	$$(Q)$(T)/draw_figure $$@ $2
endef

FIGURES :=
LADDER  := plots/data/h200_ladder.csv
$(eval $(call figure, clocks, clocks slides/figures/clocks.csv))
$(eval $(call figure, conflicts_old, conflict $(S)/banks.csv 1.x))
$(eval $(call figure, conflicts_today, conflict $(S)/banks.csv today))
$(foreach case,float_1 float_2 float_8 float_33 char_1 char_5, \
  $(eval $(call figure, stride_$(case), stride $(subst _, ,$(case)) today)))
$(foreach case,char_1, \
  $(eval $(call figure, stride_$(case)_old, stride $(subst _, ,$(case)) 1.x)))
# The bars of a lab's ladder begin with the lab before its part of the course.
$(foreach lab,01 02 03 04 06 07 08 09,$(eval $(call figure, ladder_$(lab), ladder $(LADDER) $(lab) 02 09)))
$(foreach lab,10 11 12,$(eval $(call figure, ladder_$(lab), ladder $(LADDER) $(lab) 09 13)))
$(foreach lab,14 15,$(eval $(call figure, ladder_$(lab), ladder $(LADDER) $(lab) 13 15)))
$(foreach lab,02 03 07,$(eval $(call figure, footprint_$(lab), footprint $(S)/footprint_$(lab).csv)))
$(foreach lab,03 04,$(eval $(call figure, sectors_$(lab), sectors $(S)/map_$(lab)_B.csv)))
$(foreach lab,04 06 11 12,$(eval $(call figure, queues_$(lab), queues $(S)/map_$(lab)_shared.csv)))

# --- what they show -----------------------------------------------------------

$(S)/banks.csv: $(T)/banks
	@mkdir -p $(@D)
	$(Q)$(T)/banks --csv $@ >/dev/null

# One request of a run, as make map-NN records it, and what is touched. Which
# one:
S_MAP_03_B      := --map-array B
S_MAP_04_B      := --map-array B
S_MAP_04_shared := --map-array Bs
S_MAP_11_shared := --map-array Bs
S_MAP_12_shared := --map-array Bs
# The store of the padded kernel.
S_MAP_06_shared  = --map-array Bs --map-line $(shell grep -n 'Bs\[tx\]\[ty\] =' solutions/06_*/*.cu | cut -d: -f1)
analyse = build/cpu/solutions/$(call name,$(firstword $(subst _, ,$1)))-analyse
$(S)/map_%.csv: $$(call analyse,$$*) slides/slides.mk
	@mkdir -p $(@D)
	$(Q)$< --quiet --map $@ $(S_MAP_$*) >/dev/null
$(S)/footprint_%.csv: $$(call analyse,$$*) slides/slides.mk
	@mkdir -p $(@D)
	$(Q)$< --quiet --footprint $@ >/dev/null

# --- decks --------------------------------------------------------------------

DECK_PARTS := $(T)/make_deck $(FIGURES) $(wildcard slides/figures/*.svg labs/pictures/*.svg solutions/*/*.cu plots/data/*.csv slides/code/*.cu config.mk)
$(S)/md/%.md: slides/%.md $(DECK_PARTS)
	@mkdir -p $(@D)
	$(Q)$(T)/make_deck $< $@
$(S)-without-answers/md/%.md: slides/%.md $(DECK_PARTS)
	@mkdir -p $(@D)
	$(Q)$(T)/make_deck $< $@ --answers=no

# COURSE, UNIVERSITY and LOGO (a PNG or SVG file) stand in config.mk.
slides: export DECK_COURSE = $(value COURSE)
slides: export DECK_UNIVERSITY = $(value UNIVERSITY)
slides: export DECK_LOGO = $(value LOGO)
slides: $(DECKS:%=$(SHOWN_S)/md/%.md) ## Make the decks: HTML, PDF, PPTX; ANSWERS=no for students
	@sh slides/make.sh $(SHOWN_S)

# --- handouts to print --------------------------------------------------------

# Of each lab, and of each translation that stands beside a handout
# (labs/01_cpu_naive/README.de.md).
handouts: export DECK_COURSE = $(value COURSE)
handouts: export DECK_UNIVERSITY = $(value UNIVERSITY)
handouts: export DECK_LOGO = $(value LOGO)
handouts: ## Make PDFs of the handouts; of some with LAB="01 02"
	@sh slides/handouts.sh build/handouts $(wildcard $(patsubst %,labs/%/README*.md,$(or $(foreach l,$(LAB),$(call name,$l)),$(LABS))))


# --- tests --------------------------------------------------------------------

# How the slides look needs a browser: make test-all. A report that is there is
# opened as well.
look: slides ## Open each slide, and a report that is there, in a browser
	$(Q)! command -v node >/dev/null || \
	  node tests/slides/look.mjs $(SHOWN_S) build/report/report.html || [ $$? = 77 ]

SHOWN := $(patsubst %.c,%.o,$(filter-out %_main.c,$(wildcard slides/tool/*.c slides/figures/*.c)))
build/cpu/tests/slides/test_decks: $(SHOWN:%=build/cpu/%) | $(FIGURES)
build/checked/tests/slides/test_decks: $(SHOWN:%=build/checked/%) | $(FIGURES)
build/cpu/tests/slides/test_schedules: build/cpu/slides/tool/read.o
build/checked/tests/slides/test_schedules: build/checked/slides/tool/read.o
test-all: look
.PHONY: slides handouts look
