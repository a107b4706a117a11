# The slides: figures drawn, code and numbers put in, then Marp makes HTML
# and PDF. The Makefile includes this.

S       := build/slides
# With ANSWERS=no the decks go elsewhere.
SHOWN_S := $(S)$(if $(filter no,$(ANSWERS)),-without-answers)
DECKS   := $(patsubst slides/%,$(SHOWN_S)/md/%,$(wildcard slides/[0-9ab]*_*.md))

FIGURES := $(S)/figures.drawn
$(FIGURES): slides/figures.sh slides/figures/clocks.csv plots/data/h200_ladder.csv $(T)/draw_figure $(T)/banks \
  $(foreach l,02 03 04 06 07 11 12,$(patsubst %,build/cpu/solutions/%-analyse,$(filter $l_%,$(ALL_LABS))))
	$(Q)sh $< && touch $@

DECK_PARTS := $(T)/make_deck $(FIGURES) $(wildcard slides/figures/*.svg labs/pictures/*.svg solutions/*/*.cu plots/data/*.csv slides/code/*.cu config.mk)
$(SHOWN_S)/md/%.md: slides/%.md $(DECK_PARTS)
	@mkdir -p $(@D)
	$(Q)$(T)/make_deck $< $@ $(if $(filter no,$(ANSWERS)),--answers=no)

# COURSE, UNIVERSITY and LOGO (a PNG or SVG file) stand in config.mk. Handouts
# are of each lab, in the language LANGUAGE.
slides: $(DECKS)
SLIDES = DECK_COURSE=$(call quoted,$(value COURSE)) DECK_UNIVERSITY=$(call quoted,$(value UNIVERSITY)) DECK_LOGO=$(call quoted,$(value LOGO)) \
  HANDOUTS='$(wildcard $(patsubst %,labs/%/README.md,$(or $(NAMED),$(ALL_LABS))))'

# How the slides look needs a browser: make test WHAT=all.
OF_DECKS := $(filter-out %_main.c,$(wildcard slides/tool/*.c slides/figures/*.c))
build/cpu/tests/slides/test_decks: $(call objects,cpu,$(OF_DECKS)) | $(FIGURES)
build/checked/tests/slides/test_decks: $(call objects,checked,$(OF_DECKS)) | $(FIGURES)
