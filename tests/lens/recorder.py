"""The pytest plugin that notes which function uses which item types, and fails the test in which a function does what
lens/uses.tsv does not state: `--record-uses=add` adds it.

A call belongs to the access pattern in whose name it is made. Where there is none, as in handlers of the stream, it
belongs to the nearest public function of the code. What a test asks itself is not noted.
"""

import sys
from collections.abc import Iterator
from functools import cache
from types import CodeType
from typing import Any

import pytest
from botocore.handlers import BUILTIN_HANDLERS

from lens.patterns import Use, read_uses, whole_names, write_uses
from socialsite.table import meter
from tests.lens.used_items import used_items

ROOMS = (
    *("socialsite", "accounts", "relations", "photos", "feed", "tags", "notifications"),
    *("chats", "moderation", "site_votes", "privacy"),
)
NOT_NAMED = "socialsite.table"  # how calls are made, whoever makes them
UPKEEP = "socialsite.engine"  # in Amazon's place it deletes whatever has expired
ON_CONNECTING = f"{NOT_NAMED}.data_state"  # within the first call of a process, whichever that is
BROWSER = "lens"
ELSEWHERE = {"benchmarks", "costs", "operations", "tests", BROWSER}  # their own calls are nobody's
# The folders of tests of which all were recorded: a use that is new there is new in the code. What others see first is
# counted at the end of the run.
RECORDED_WHOLE = {
    *("accounts", "feed", "lens", "moderation", "notifications", "photos", "privacy"),
    *("relations", "tags"),
}
MODES = ("add", "anew")

seen: dict[Use, str] = {}  # with the test that did it first
stated: set[Use] = set()
_test = ""
_looked_at = 0  # of `seen`, by the last test


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--record-uses",
        choices=MODES,
        help="write lens/uses.tsv: add what this run does, or, after a run of all tests, make it anew",
    )


def pytest_configure(config: pytest.Config) -> None:
    stated.update(read_uses())
    BUILTIN_HANDLERS.extend([("before-parameter-build", _look_at), ("after-call", _note)])


def _look_at(params: dict[str, Any], model: Any, context: dict[str, Any], **_: Any) -> None:
    if model.service_model.service_name == "dynamodb" and model.name != "Scan":
        context["used_by"] = function_that_asks(), params


def _note(model: Any, parsed: dict[str, Any], context: dict[str, Any], **_: Any) -> None:
    function, params = context.pop("used_by", ("", {}))
    if function and "Error" not in parsed:
        for item, verb in used_items(model.name, params, parsed):
            seen.setdefault(Use(item, function, verb), _test)


def function_that_asks() -> str:
    """The function to which a call belongs, `relations.reads:list_followers`; empty for a test's own."""
    named = whole_names().get(meter._access_pattern.get(), "")
    if named.startswith(f"{BROWSER}."):
        return ""  # it reads whatever is asked for
    frame = sys._getframe(1)
    while frame := frame.f_back:  # type: ignore[assignment]
        claim = _claim_of(frame.f_code, frame.f_globals.get("__name__", ""), bool(named))
        if claim is not None:
            return claim or named
    return named


@cache
def _claim_of(code: CodeType, module: str, is_named: bool) -> str | None:
    """The function to which a call belongs that this code makes; empty if that is the pattern, or nobody; None if it
    belongs to whoever called this code."""
    name, room = code.co_qualname, module.partition(".")[0]
    if module == ON_CONNECTING and is_public(name):
        return f"{module}:{name}"
    if module.startswith(NOT_NAMED) or module == __name__:
        return None
    if module.startswith(UPKEEP):
        return ""
    if room in ROOMS and (is_named or is_public(name)):
        return "" if is_named else f"{module}:{name}"
    return "" if room in ELSEWHERE else None


def is_public(name: str) -> bool:
    return not any(part.startswith(("_", "<")) for part in name.split("."))


@pytest.fixture(autouse=True)
def _uses_are_stated(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fails a test in which a function used items as lens/uses.tsv does not state."""
    global _test, _looked_at
    _test = request.node.nodeid
    yield
    if request.config.getoption("--record-uses") or len(seen) == _looked_at:
        return
    _looked_at = len(seen)
    new = sorted(use for use in seen.keys() - stated if is_recorded_whole(seen[use]))
    if new:
        stated.update(new)  # each is told once
        pytest.fail("\n".join(map(sentence_about, new)), pytrace=False)


def is_recorded_whole(test: str) -> bool:
    return test.removeprefix("tests/").partition("/")[0] in RECORDED_WHOLE


def sentence_about(use: Use) -> str:
    return (
        f"{use}, first in {seen.get(use)}. State it in lens/uses.tsv (--record-uses=add does), "
        "from which the table browser says who uses an item."
    )


def pytest_sessionfinish(session: pytest.Session) -> None:
    mode = session.config.getoption("--record-uses")
    output = getattr(session.config, "workeroutput", None)
    if output is not None:  # a process of pytest-xdist: the one that started it writes
        output["uses"] = [[use.item, use.function, use.verb] for use in seen]
    elif mode:
        write_uses(seen.keys() | stated if mode == "add" else seen.keys())


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    if not config.getoption("--record-uses") and (new := sorted(seen.keys() - stated)):
        told = f"{len(new)} uses are not in lens/uses.tsv, such as that {sentence_about(new[0])}"
        terminalreporter.write_line(told)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Takes over what a process of pytest-xdist noted."""
    for values in getattr(node, "workeroutput", {}).get("uses", ()):
        seen.setdefault(Use(*values), "")
