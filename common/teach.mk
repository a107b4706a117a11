# What students learn from beside the labs: hints, watching, spotting bugs, and
# the checks of what handouts and slides quote. The Makefile includes this.
