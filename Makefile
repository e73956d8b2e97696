# What one does with the project, each in one command. `make` alone lists them.
PYTHON ?= python3
BIN := .venv/bin

POINTER := To see what this machine lacks, run \`python3 manage.py doctor\`.

# The address that `make run` serves, such as 0.0.0.0:8080; Django's own choice when empty.
ADDRESS ?=
# Further arguments of pytest, such as ARGS="-k follow".
ARGS ?=
# How often `make test-often` plays, beside how many busy processes, and what instead of all that CI plays.
N ?= 20
BUSY ?= 0
PLAY ?=
# What `make mutants` changes, and the tests to play instead of those that are about the file.
FILE ?=
TESTS ?=
# What `make simulate` plays: a seed, drawn if none is given, and how many steps of it; a year instead with YEAR=1.
SEED ?=
STEPS ?= 20000
YEAR ?=
# The folder of tests that is meant, such as ROOM=feed; all of them when empty.
ROOM ?=

# Compiled code is kept whatever the environment says: without it each start of a process compiles the whole site.
export PYTHONDONTWRITEBYTECODE :=

# A process more than processors, as each waits for its engine or browser. One that has run its tests takes over half of
# what is left to another.
PROCESSES ?= $(shell expr $$(getconf _NPROCESSORS_ONLN) + 1)
PYTEST := $(BIN)/python -m pytest -n $(PROCESSES) --dist worksteal

# What takes long, as it kills, freezes, injects and attacks, plays many orders, or starts whole sites and processes.
FAULT_TESTS := tests/api/test_streaming.py tests/attacks tests/aws/test_tasks.py tests/engine tests/faults tests/injected \
	tests/model tests/moderation/test_played_orders.py tests/notifications/push/test_faults_of_services.py \
	tests/notifications/test_live.py tests/operations/alarms/test_runbook.py tests/operations/commands/test_runserver.py \
	tests/operations/installation/test_at_amazon.py tests/operations/installation/test_upgrade.py tests/operations/moving \
	tests/operations/serving tests/operations/test_installation.py tests/operations/test_restore_under_load.py \
	tests/operations/workbench/test_move.py tests/pictures/test_hostile_pictures.py \
	tests/privacy/test_erasure_of_many_items.py tests/simulation
# What has a command of its own.
APART := tests/browser $(FAULT_TESTS)

# What needs no engine, starts its own, or looks at pages is run once, on the embedded one.
OWN_FOLDERS := attacks benchmarks browser engine faults injected model operations/demo operations/serving simulation web
OWN_ENGINE := $(foreach folder,$(OWN_FOLDERS),--ignore=tests/$(folder)) \
	--ignore-glob='*_page.py' --ignore-glob='*_pages.py'

.DEFAULT_GOAL := help
.PHONY: help setup run serve worker seed upgrade doctor deploy undeploy command setup-dev test test-browser test-faults simulate test-often mutants test-local test-moto \
	format lint types templates messages documents check benchmark screenshots clean

help: ## list these commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: .venv/.requirements ## install what the site needs into .venv
	@$(BIN)/python -m socialsite.engine.install || { echo "$(POINTER)" >&2; exit 1; }

.venv/.requirements: requirements.txt
	@tools/make-environment $(PYTHON) $<
	@touch $@

run: setup ## serve the site for development (ADDRESS=8001 for another port, DEMO=0 to start empty)
	@$(BIN)/python manage.py runserver $(ADDRESS)

serve: setup ## serve the site in production mode on this machine, over https (ADDRESS=9443, DATA_DIR=…)
	@ADDRESS=$(ADDRESS) $(BIN)/python -m operations.serving

doctor: ## say what this machine has and lacks
	@$(PYTHON) manage.py doctor

worker: setup ## run the stream worker alone
	@$(BIN)/python manage.py run_worker

seed: setup ## fill the table with demo data
	@$(BIN)/python manage.py seed

upgrade: setup ## bring this code into the service of this machine, else the data of a stopped site up (DATA_DIR=…)
	@$(BIN)/python -m operations.installation upgrade $(ARGS)

# What `make deploy` is told, each as `--name value`.
AMAZON := stack region email domain certificate image architecture worker budget admin machine table
given = $(foreach one,$(AMAZON),$(if $($(shell echo $(one) | tr a-z A-Z)),--$(one) $($(shell echo $(one) | tr a-z A-Z))))

deploy: setup ## bring the site to Amazon (STACK=… REGION=… EMAIL=…; docs/amazon.md)
	@$(BIN)/python -m operations.amazon deploy $(given)

undeploy: setup ## take away from Amazon what costs by the hour, and leave the data (STACK=… REGION=…)
	@$(BIN)/python -m operations.amazon undeploy $(given)

command: setup ## run a command of manage.py at Amazon (STACK=… REGION=… ARGS="audit")
	@$(BIN)/python -m operations.amazon command $(given) --words "$(ARGS)"

setup-dev: setup .venv/.requirements-dev ## install what tests and checks need, with a browser
	@tools/install-browser
	@tools/install-gettext
	@tools/install-npm-packages

.venv/.requirements-dev: requirements-dev.txt .venv/.requirements
	@tools/make-environment $(PYTHON) $<
	@touch $@

test: setup-dev ## run the tests on the embedded engine (ROOM=feed for those of a folder, ARGS="-k follow")
	@$(PYTEST) $(if $(ROOM),tests/$(ROOM)) $(APART:%=--ignore=%) $(ARGS)

test-browser: setup-dev ## run the tests that look at pages in Chromium (ARGS="-k photo"; SLOW=1: answers come late)
	@$(PYTEST) tests/browser $(ARGS)

test-faults: setup-dev ## kills, freezes, faults, attacks and models; with FAULTS=long all of them, in hours
	@$(PYTEST) $(FAULT_TESTS) $(ARGS)

simulate: setup-dev ## play the whole site in one process under faults (SEED= STEPS=20000 YEAR=1; docs/simulation.md)
	@$(BIN)/python -m tests.simulation $(if $(SEED),--seed $(SEED)) --steps $(STEPS) $(if $(YEAR),--year) $(ARGS)

test-often: setup-dev ## what CI plays N=20 times, what failed and how often (BUSY=2 beside it, PLAY="make test")
	@$(BIN)/python tools/flaky.py -n $(N) --busy $(BUSY) $(PLAY)

mutants: setup-dev ## change FILE=… in every small way, and say which changes no test notices (TESTS="tests/…")
	@$(BIN)/python tools/mutants.py $(FILE) $(if $(TESTS),--tests $(TESTS))

test-local: setup-dev ## run the tests on Amazon's DynamoDB Local
	@tools/install-java
	@ENGINE=dynamodb-local $(BIN)/python -m socialsite.engine.install  # once, before several processes want it
	@$(PYTEST) --engine=dynamodb-local $(OWN_ENGINE) $(ARGS)

test-moto: setup-dev ## run the tests on moto
	@$(PYTEST) --engine=moto $(OWN_ENGINE) $(ARGS)

format: setup-dev ## format the code and mend what can be mended by itself
	@$(BIN)/ruff format .
	@$(BIN)/ruff check --fix .

check: lint types templates test test-browser test-faults ## everything that must hold before a change is handed in

lint: setup-dev ## check format and code
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/bandit --quiet --configfile pyproject.toml --recursive .

types: setup-dev ## check types
	@$(BIN)/mypy

templates: setup-dev ## check the templates
	@$(BIN)/djlint templates --check
	@$(BIN)/djlint templates --lint --quiet

messages: setup-dev ## gather the texts of the site into locale/ and compile their translations
	@$(BIN)/python manage.py makemessages
	@$(BIN)/python manage.py compilemessages --ignore=.venv --ignore=node_modules

documents: setup-dev ## write what is made of the code: docs/access-patterns.md, docs/concepts/, docs/model.md, docs/scale.md, roles at Amazon
	@DOCUMENTS=write $(BIN)/python -m pytest -q tests/lens/concepts tests/lens/test_model_map.py tests/test_documents.py \
		tests/aws/test_machine.py tests/aws/test_template.py tests/benchmarks/test_footprints.py
	@$(BIN)/python -m benchmarks.scale

benchmark: setup-dev ## measure the site, in half an hour (ARGS="timeline fanout" for some)
	@$(BIN)/python -m benchmarks $(ARGS)

screenshots: setup-dev ## take pictures of every page into docs/screenshots (ARGS="home post" for some)
	@$(BIN)/python tools/screenshots.py $(ARGS)

clean: ## remove what was installed and generated; the data in var/ stays
	rm -rf .venv node_modules .pytest_cache .mypy_cache .ruff_cache .hypothesis staticfiles
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
