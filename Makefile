# Two commands set everything up: `make demo` and `make test`. Both create and use .venv.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

.PHONY: demo test check format bench lowest clean

$(STAMP): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade "pip>=25.1"
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable . --group dev
	@touch $(STAMP)

demo: $(STAMP)  ## record the bundled session and show its trace
	@$(BIN)/trace-recorder demo

check: $(STAMP)  ## format, lint, types, import contracts
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy
	$(BIN)/lint-imports

test: check  ## every check and every test
	$(BIN)/python -m pytest -q

format: $(STAMP)  ## rewrite the sources in house style
	$(BIN)/ruff format
	$(BIN)/ruff check --fix

bench: $(STAMP)  ## ratios of speed and memory, measured side by side
	$(BIN)/python bench/bench_reading.py
	$(BIN)/python bench/bench_session.py
	$(BIN)/python bench/bench_startup.py
	$(BIN)/python bench/bench_quotes.py
	$(BIN)/python bench/bench_validate.py
	$(BIN)/python bench/accuracy/run.py --no-write

# pip cannot resolve downwards; uv can.
lowest: pyproject.toml  ## the tests with the lowest allowed versions of our dependencies
	$(PYTHON) -m venv build/lowest
	build/lowest/bin/python -m pip install --quiet --disable-pip-version-check uv
	build/lowest/bin/uv pip install --quiet --python build/lowest/bin/python \
		--resolution lowest-direct --editable . --group dev
	build/lowest/bin/python -m pytest -q

clean:  ## remove everything that was made here
	rm -rf $(VENV) dist build .mypy_cache .ruff_cache .pytest_cache .hypothesis
