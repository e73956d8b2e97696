"""What no line of the site's own code calls: what would run a text, or trust what anyone could have made."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.test_architecture import PACKAGES, names, python_files

RUN_A_TEXT = {"eval", "exec", "compile", "__import__", "os.system", "os.popen"}
BROKEN_HASHES = {"hashlib.md5", "hashlib.sha1", "hashlib.new"}
BUILD_ANYTHING = {"pickle.loads", "pickle.load", "marshal.loads", "yaml.load", "shelve.open"}
GUESSABLE = {
    "random.random",
    "random.choice",
    "random.choices",
    "random.randint",
    "random.getrandbits",
}
NO_SECRETS = (  # demo data, delays between tries, and which requests are counted
    *("operations/demo/", "operations/seed/", "accounts/seed", "feed/seed", "benchmarks/"),
    "socialsite/table/meter.py",
    *("socialsite/table/", "socialsite/streams/", "socialsite/engine/"),
)


@cache  # and not at import: only one of the processes of a run needs it
def calls() -> tuple[tuple[Path, str], ...]:
    """Every function that the code calls by its name, or by its module's."""
    return tuple(_calls())


def _calls() -> Iterator[tuple[Path, str]]:
    for file in python_files(*PACKAGES):
        for node in ast.walk(ast.parse(file.read_text())):
            if not isinstance(node, ast.Call):
                continue
            match node.func:
                case ast.Name(name):
                    yield file, name
                case ast.Attribute(ast.Name(module), name):
                    yield file, f"{module}.{name}"


def callers_of(functions: set[str]) -> set[str]:
    return {names(file) for file, name in calls() if name in functions}


def test_the_calls_are_found():
    assert len(calls()) > 5_000
    assert callers_of({"secrets.token_urlsafe"})


def test_no_text_is_run_as_code():
    assert callers_of(RUN_A_TEXT) == set()


def test_nothing_is_built_from_what_could_hold_code():
    assert callers_of(BUILD_ANYTHING) == set()


def test_no_hash_is_one_that_was_broken():
    assert callers_of(BROKEN_HASHES) == set()


def test_no_secret_is_drawn_from_what_can_be_guessed():
    found = {file for file in callers_of(GUESSABLE) if not file.startswith(NO_SECRETS)}
    assert found == set()


@pytest.mark.parametrize("functions", [{"subprocess.run"}, {"subprocess.Popen"}])
def test_no_command_goes_through_a_shell(functions):
    for file in {file for file, name in calls() if name in functions}:
        assert "shell=True" not in file.read_text()
