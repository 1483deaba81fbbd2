# make run, make test, make bench, make fmt. `make help` says what each does.

GO      ?= go
DEVTOOL := $(GO) tool -modfile=internal/devtools/go.mod
BIN     := bin/bowerbird
ALL     := ./...
# Everything but the program itself builds without cgo on every system. Both lists
# are made for the system that is built for: a package for cgo only is not on them.
PORTABLE = $$($(GO) list ./app/... ./assets/... ./internal/... ./llm/... ./ndb/... ./netsafe/... ./tools/... ./ui/...)
# Fyne's own packages need cgo on macOS.
NOWINDOW = $$($(GO) list -f '{{.ImportPath}} {{join .Deps " "}}' $(PORTABLE) | grep -v ' fyne.io/' | cut -d' ' -f1)
UNIT     = $$($(GO) list ./... | grep -v '/internal/e2e')
# libsecp256k1 checks a signature four times as fast as pure Go; it is used
# where it is installed. Asked when a recipe runs, that is after the set-up.
# Without Fyne's animations: a cursor that fades all the time would draw the whole
# window all the time.
TAGS     = no_animations $$(CGO_ENABLED=$${CGO_ENABLED:-1} pkg-config --exists libsecp256k1 2>/dev/null && command -v gcc >/dev/null && echo libsecp256k1)
VERSION := $(shell sed -n 's/^ *Version = "\(.*\)"/\1/p' FyneApp.toml)
LDFLAGS := -X main.version=$(VERSION)

.PHONY: help run build test lint unit oracle faults race cross e2e relay-deps bench bench-store look shots packages packages-test packages-reproducible packages-windows packages-windows-test packages-macos packages-sbom fmt clean

help: ## says what each target does
	@sed -n 's/^\([a-z0-9-]*\):.*## /\1\t/p' Makefile | expand -t 24

run: ## installs what is missing, builds, and opens the window
	@packaging/setup.sh run
	@$(MAKE) --no-print-directory build
	@$(BIN)

build: ## builds bin/bowerbird
	$(GO) build -tags "$(TAGS)" -ldflags "$(LDFLAGS)" -o $(BIN) ./cmd/bowerbird

test: ## installs what is missing and runs every check
	@packaging/setup.sh test
	@$(MAKE) --no-print-directory -j2 lint relay-deps # one of which waits for the network
	@$(MAKE) --no-print-directory unit oracle race cross e2e

lint: ## formatting, vet, staticcheck
	@out=$$($(DEVTOOL) gofumpt -l $$(git ls-files '*.go')); \
	if [ -n "$$out" ]; then echo "not formatted (make fmt mends it):"; echo "$$out"; exit 1; fi
	$(GO) vet -tags "$(TAGS)" $(ALL)
	$(DEVTOOL) staticcheck -tags "$(TAGS)" $(ALL)

relay-deps: ## installs the relays and the examples that the tests run against
	internal/testkit/relay/install.sh
	cd internal/testkit/khatru && CGO_ENABLED=0 $(GO) vet ./... && CGO_ENABLED=0 $(GO) build -o bin/khatru .
	internal/testkit/vegalite/install.sh

# Some packages wait for relays and for the window more than they compute, so one more
# is tested at a time than there are cores.
AT_ONCE = -p $$(($$(getconf _NPROCESSORS_ONLN) + 1))

# Vet has been over the tests already (lint); the signatures are checked in pure Go too.
unit: ## all unit tests in full
	LC_ALL=en_GB.UTF-8 $(GO) test $(AT_ONCE) -vet=off -tags "$(TAGS)" -timeout 20m $(UNIT)
	$(GO) test ./ndb/nostr

# For longer: make oracle ORACLE=10m. The seed that it prints makes the same run again.
ORACLE ?= 60s

oracle: ## the note database against a scan of all notes, for 60 s
	BOWERBIRD_ORACLE=$(ORACLE) $(GO) test -vet=off -tags "$(TAGS)" -count=1 -timeout 0 -v -run TheOracleAgrees ./ndb

faults: build ## every fault test in full: an hour; some need root (docs/faults.md)
	BOWERBIRD_FAULTS=full $(GO) test -count=1 -timeout 3h -v -run 'Damage|Repair|PowerCut|Disk|FileSystem|Kill|Clock|Migration' ./ndb
	BOWERBIRD_FAULTS=full BOWERBIRD_BIN=$(CURDIR)/$(BIN) $(GO) test -count=1 -timeout 3h -v -run 'ThatIsKilled' ./internal/e2e
	BOWERBIRD_FAULTS=full $(GO) test -count=1 -timeout 3h -v -run 'ThatLimitsQuestions' ./app/notesync

# What only computes, and starts no goroutine: signatures, the keys of passwords, the
# shapes of letters. It takes most of the time when its every access is watched.
UNWATCHED = golang.org/x/crypto github.com/btcsuite github.com/decred github.com/go-text
# What starts goroutines, in the code or in its tests. All other packages run in these
# tests too, where two goroutines can meet in them.
RACING = $$(git grep -lE '^\s+go [a-zA-Z]|\.Go\(|AfterFunc\(|\.Parallel\(|httptest\.' -- '*.go' ':!internal/e2e' ':!internal/testkit/khatru' | \
	sed 's,/[^/]*$$,,; s,^,bowerbird/,' | sort -u)

race: ## the unit tests of what starts goroutines with the race detector, long loops shortened
	LC_ALL=en_GB.UTF-8 $(GO) test $(AT_ONCE) -race $(UNWATCHED:%=-gcflags=%/...=-race=false) -short -vet=off -tags "$(TAGS)" -timeout 20m $(RACING)

cross: ## builds for Windows and macOS without cgo; on macOS what stands below the window
	export CGO_ENABLED=0 GOOS=windows; $(GO) build $(PORTABLE)
	export CGO_ENABLED=0 GOOS=darwin; $(GO) build $(NOWINDOW)

e2e: build ## the built program over real relays, and its window on a display of its own
	BOWERBIRD_BIN=$(CURDIR)/$(BIN) $(GO) test -vet=off -tags "$(TAGS)" -count=1 -timeout 15m ./internal/e2e

bench: ## a table of benchmarks, with the project's figures beside those that measure one
	@$(GO) test -run '^$$' -bench . -benchmem -timeout 60m $(UNIT) 2>&1 | $(GO) run ./internal/benchtable
	@$(MAKE) --no-print-directory bench-store

bench-store: ## the store's figures at three sizes beside eventstore's (and NOSTRDB=PROGRAM), and the picture of their growth
	@$(GO) build -tags "$(TAGS)" -o bin/storebench ./internal/storebench
	@cd internal/testkit/khatru && CGO_ENABLED=0 $(GO) build -o bin/eventstore ./eventstore
	@bin/storebench -sizes 10000,200000,1000000 -growth bin/growth.json \
		-peer eventstore=internal/testkit/khatru/bin/eventstore $(if $(NOSTRDB),-peer "nostrdb=$(NOSTRDB)")
	@$(GO) run ./internal/storebench/draw bin/growth.json docs/growth.svg

look: ## keeps what the tests draw, as pictures in bin/look
	BOWERBIRD_LOOK=$(CURDIR)/bin/look $(GO) test -count=1 -tags "$(TAGS)" -timeout 20m -run 'Look|Sheet|Picture|Drawn|Checked|Asked' ./ui/...

shots: build ## draws the gallery in docs/screenshots anew
	packaging/shots.sh

packages: ## makes the packages for Linux in dist: deb, rpm and tar.gz
	@packaging/setup.sh packages
	packaging/packages.sh

packages-test: ## installs, runs and removes the packages in a clean Debian; needs root
	@packaging/setup.sh packages
	packaging/packages-test.sh

packages-reproducible: ## builds this commit's packages twice, elsewhere and from nothing, and compares them
	@packaging/setup.sh packages
	packaging/reproducible.sh

packages-windows: ## makes the packages for Windows in dist, here: an installer and a zip
	@packaging/setup.sh windows
	packaging/windows/windows.sh

packages-windows-test: ## installs, runs and removes them under Wine, without touching your own
	@packaging/setup.sh windows
	packaging/windows/test.sh

packages-macos: ## makes the app and its disk image in dist, on macOS alone
	packaging/macos/macos.sh

packages-sbom: ## writes what the program is made of to dist, as CycloneDX
	packaging/sbom.sh

fmt: ## formats the code
	$(DEVTOOL) gofumpt -w $$(git ls-files '*.go')

clean: ## removes what was built
	rm -rf bin dist
