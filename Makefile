# SPDX-License-Identifier: MIT
# Front door of the build; the work is done by CMake and by the scripts.
#   make          release build: build/pawl
#   make demo     installs missing packages, builds, runs an example, says where its report is
#   make gallery  builds, runs every example and writes pages for a browser
#   make web      builds the playground: web/dist, static files for any server
#   make serve    serves it on this machine: http://127.0.0.1:8000
#   make test     installs missing packages, runs all checks and tests, a sample of each campaign
#   make campaign the campaigns in full: random systems, mutants, every allocation refused, ...
#   make mutate   which test notices a scale (src/law/scale.h) that is a hundred times off
#   make deb      Debian packages in build/deb, checked by lintian
#   make deb-test installs them on a clean Debian in a folder and runs their programs
#   make bench, make fuzz, make install PREFIX=/usr/local, make format, make clean
BUILD := build
DEMO := woodpecker
PREFIX ?= /usr/local
PORT ?= 8000
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
MAKEFLAGS += --no-print-directory

.PHONY: all demo gallery web serve test campaign mutate bench fuzz install deb deb-test format clean

all:
	@scripts/setup check
	@cmake -S . -B $(BUILD) --log-level=NOTICE -DCMAKE_INSTALL_PREFIX=$(PREFIX)
	@cmake --build $(BUILD) --parallel $(JOBS)

demo:
	@scripts/setup
	@$(MAKE) all
	@mkdir -p $(BUILD)/demo
	$(BUILD)/pawl run examples/$(DEMO).pawl -o $(BUILD)/demo/$(DEMO).out
	@$(BUILD)/pawl plot -q -o $(BUILD)/demo/$(DEMO).svg $(BUILD)/demo/$(DEMO).out
	@echo
	@echo "Look at it in a browser:"
	@for page in $(BUILD)/demo/$(DEMO).out/report.html $(BUILD)/demo/$(DEMO).svg; do \
	  if [ -f $$page ]; then echo "  file://$(CURDIR)/$$page"; fi; done
	@if command -v xdg-open >/dev/null 2>&1; then \
	  echo "or: xdg-open $(BUILD)/demo/$(DEMO).out/report.html"; fi
	@echo "All examples: $(BUILD)/pawl examples, or make gallery"

gallery: all
	@PAWL=$(BUILD)/pawl scripts/gallery $(BUILD)/gallery

web:
	@scripts/setup web
	@JOBS=$(JOBS) scripts/web

serve: web
	@echo "http://127.0.0.1:$(PORT)/  (Ctrl-C ends it)"
	@python3 -m http.server --bind 127.0.0.1 --directory web/dist $(PORT)

test:
	@scripts/setup
	@scripts/test

campaign:
	@scripts/setup
	@scripts/test --campaign

mutate:
	@scripts/setup
	@scripts/mutate

bench:
	@scripts/setup bench
	@scripts/bench

fuzz:
	@scripts/setup
	@scripts/fuzz

install: all
	@cmake --install $(BUILD) --prefix $(PREFIX)

deb:
	@scripts/setup deb
	@scripts/deb $(BUILD)/deb

deb-test: deb
	@scripts/deb-test $(BUILD)/deb

format:
	@scripts/check-format --fix

clean:
	rm -rf $(BUILD) build-*
