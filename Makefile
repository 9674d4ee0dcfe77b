# Thin: each target is a line or two that a person could type. "make test" and "make demo" set up
# all that they need first.
SHELL := /bin/bash
GO    ?= go
BIN   := bin/drawbridge
LINT  := $(GO) tool -modfile=tools/go.mod golangci-lint

.PHONY: all demo test faults conformance mcp-conformance lint gen fmt bench-floor bench-peers soak clean browser desktop

all: $(BIN) ## build everything

$(BIN): extension/dist/.built FORCE
	CGO_ENABLED=0 $(GO) build -trimpath -o $@ ./cmd/drawbridge

demo: $(BIN) browser ## watch an agent order in a small shop; URL=https://… reads any page instead
	$(BIN) demo $(if $(URL),--url '$(URL)')

test: extension/dist/.built e2e/widgets/node_modules/.installed browser desktop ## every test: Go with the race detector, the extension's, end to end
	npm --prefix extension test
	$(GO) test -race -timeout 45m ./e2e ./... # what takes longest begins first

faults: extension/dist/.built e2e/widgets/node_modules/.installed browser ## the known faults of browser tools, judged by the pages
	$(GO) run ./bench/faults

conformance: extension/dist/.built browser ## both dialects, server and extension, held to the wire as it is written down
	$(GO) run ./bench/faults -test TestConformance

mcp-conformance: extension/dist/.built bench/mcpconformance/node_modules/.installed ## the official MCP suite and inspector against our server
	$(GO) run -tags mcpfixtures ./bench/mcpconformance

lint: extension/dist/.built ## every linter, Go's and TypeScript's
	$(LINT) run ./...
	$(LINT) fmt --diff
	npm --prefix extension run lint

gen: extension/node_modules/.installed ## what is made from package protocol
	$(GO) generate ./protocol

fmt: extension/node_modules/.installed
	$(LINT) fmt
	npm --prefix extension run format

bench-floor: $(BIN) browser ## ratios against raw CDP, and of verbs against curl, measured in the same run
	$(GO) run ./bench/floor -program $(BIN)

soak: $(BIN) browser ## agents at work while something is killed every 20 s: SOAK=1h; AGENTS=50 for a crowd and no kills
	$(GO) run ./bench/soak -program $(BIN) -for $(or $(SOAK),5m) $(if $(AGENTS),-crowd $(AGENTS)) $(if $(SEED),-seed $(SEED))

bench-peers: $(BIN) bench/peers/node_modules/.installed browser ## other tools on the same pages; ROUNDS=3, JSON=1; README=1 writes the table there
	$(GO) run ./bench/peers $(if $(ROUNDS),--rounds $(ROUNDS)) $(if $(JSON),--json) $(if $(README),--readme README.md)

clean:
	rm -rf bin extension/dist extension/node_modules e2e/widgets/node_modules bench/peers/node_modules bench/mcpconformance/node_modules

# npm's packages, by the lockfile.
extension/node_modules/.installed: extension/package-lock.json extension/package.json
	npm --prefix extension ci --no-fund --no-audit
	touch $@

# The libraries whose widgets the tests show in pages: files to serve, nothing of theirs is run here.
e2e/widgets/node_modules/.installed: e2e/widgets/package-lock.json e2e/widgets/package.json
	npm --prefix e2e/widgets ci --ignore-scripts --no-fund --no-audit --loglevel=error
	touch $@

# The tools that Drawbridge is measured beside; none of their install scripts is run, which would fetch browsers.
bench/peers/node_modules/.installed: bench/peers/package-lock.json bench/peers/package.json
	npm --prefix bench/peers ci --ignore-scripts --no-fund --no-audit --loglevel=error
	touch $@

# The official suite and inspector of MCP.
bench/mcpconformance/node_modules/.installed: bench/mcpconformance/package-lock.json bench/mcpconformance/package.json
	npm --prefix bench/mcpconformance ci --ignore-scripts --no-fund --no-audit --loglevel=error
	touch $@

# The extension's bundle, which the Go binary embeds.
extension/dist/.built: extension/node_modules/.installed $(shell find extension/src extension/icons -type f 2>/dev/null) extension/build.mjs extension/manifest.json
	npm --prefix extension run --silent build
	touch $@

browser: ## Chromium, when none is found
	@scripts/need browser

desktop: ## a display, a window manager and a keyboard for the test of the agent window's manners
	@scripts/need desktop

FORCE:
