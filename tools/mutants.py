"""Changes one file in every small way, and says which changes no test notices.

Usage: python tools/mutants.py FILE [--tests tests/…] [-n 2] [--only 12,15]. Without `--tests` those of `TESTS` are
played. The changes are mutmut's, and a few of our own. mutmut itself leaves out functions with a decorator and whatever
stands outside functions, which here are most.

A process imports everything, starts the engine and plays the tests once, while coverage notes which of them reach each
line. Then it forks for each mutant: the child gives the one function its changed code and plays the tests that reach
the line, until one fails. What stands outside functions is changed before a process of its own imports it. A change
that nobody can notice stands in `docs/mutants.md` with the reason. The exit code is 1 if others survived.
"""

import argparse
import importlib
import json
import os
import re
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import libcst as cst
import pytest
from coverage import Coverage
from libcst.metadata import MetadataWrapper, PositionProvider
from mutmut.mutation.mutators import mutation_operators

ROOT = Path(__file__).resolve().parents[1]
EXPLAINED = ROOT / "docs/mutants.md"
HEAVY = [
    "boto3",
    "django.test",
    "hypothesis",
    "moto",
    "pynamodb.models",
]  # imported before processes fork
WORDS = {
    "gettext",
    "ngettext",
    "pgettext",
    "exception",
    "warning",
    "info",
    "error",
}  # calls with texts for people
OPTIONS = ["-q", "-p", "no:randomly", "--timeout=0", "-p", "no:xdist", "-p", "no:cacheprovider"]

# The tests that are about each file.
TESTS = {
    "accounts/people/restrictions.py": "tests/accounts/test_restrictions.py",
    "accounts/permissions.py": "tests/accounts/test_permissions.py tests/accounts/test_roles.py",
    "feed/posts/reads.py": "tests/feed/test_sight.py",
    "socialsite/keys": "tests/table/test_keys.py",
    "socialsite/streams/leases.py": "tests/streams/test_leases.py",
    "socialsite/streams/ledger.py": "tests/streams/test_ledger.py",
}


@dataclass(slots=True)
class Mutant:
    number: int
    lines: range  # of the statement
    function: str  # its qualified name, empty outside functions
    before: str
    after: str
    source: str
    fate: str = ""

    @property
    def row(self) -> str:
        return f"`{self.before}` → `{self.after}`"


# What mutmut does not change.


def without_a_part(node: cst.FormattedString) -> Iterator[cst.BaseExpression]:
    for number in range(len(node.parts)):
        yield node.with_changes(parts=[*node.parts[:number], *node.parts[number + 1 :]])


def opposite(node: cst.If | cst.IfExp | cst.CompIf | cst.While) -> Iterator[cst.CSTNode]:
    inner = node.test.with_changes(
        lpar=[cst.LeftParen(), *node.test.lpar], rpar=[*node.test.rpar, cst.RightParen()]
    )
    yield node.with_changes(
        test=cst.UnaryOperation(cst.Not(), inner, lpar=[cst.LeftParen()], rpar=[cst.RightParen()])
    )


def one_side(node: cst.BooleanOperation) -> Iterator[cst.BaseExpression]:
    yield from (
        side.with_changes(lpar=[*node.lpar, *side.lpar], rpar=[*side.rpar, *node.rpar])
        for side in (node.left, node.right)
    )


def nothing_returned(node: cst.Return) -> Iterator[cst.Return]:
    if node.value and not (
        isinstance(node.value, cst.Name) and node.value.value in {"None", "False"}
    ):
        yield node.with_changes(
            value=cst.Name("None"), whitespace_after_return=cst.SimpleWhitespace(" ")
        )


def not_done(node: cst.Expr | cst.Raise) -> Iterator[cst.Pass]:
    if isinstance(node, cst.Raise) or isinstance(node.value, cst.Call):
        yield cst.Pass()


OPERATORS: list[tuple[Any, Callable[[Any], Any]]] = [
    *mutation_operators,
    (cst.FormattedString, without_a_part),
    (cst.If | cst.IfExp | cst.CompIf | cst.While, opposite),
    (cst.BooleanOperation, one_side),
    (cst.Return, nothing_returned),
    (cst.Expr | cst.Raise, not_done),
]


class Finder(cst.CSTVisitor):
    """Finds what can be changed: not the types, the decorators, nor the words for people."""

    METADATA_DEPENDENCIES = (PositionProvider,)

    def __init__(self) -> None:
        self.found: list[tuple[cst.CSTNode, cst.CSTNode, range, str]] = []
        self._names: list[str] = []
        self._depth = 0  # of functions' bodies
        self._function = ""
        self._statements: list[range] = []

    def on_visit(self, node: cst.CSTNode) -> bool:
        if isinstance(
            node, cst.Annotation | cst.Decorator | cst.Import | cst.ImportFrom
        ) or is_text(node):
            return False
        if isinstance(node, cst.BaseStatement):
            place = self.get_metadata(PositionProvider, node)
            self._statements.append(range(place.start.line, place.end.line + 1))
        if isinstance(node, cst.FunctionDef | cst.ClassDef):
            self._names.append(node.name.value)
        for kind, operator in OPERATORS:
            if isinstance(node, kind):
                lines = self._statements[-1] if self._statements else range(0)
                self.found += [(node, to, lines, self._function) for to in operator(node)]
        return True

    def on_leave(self, node: cst.CSTNode) -> None:
        if isinstance(node, cst.BaseStatement):
            self._statements.pop()
        if isinstance(node, cst.FunctionDef | cst.ClassDef):
            self._names.pop()

    def on_visit_attribute(self, node: cst.CSTNode, attribute: str) -> None:
        if isinstance(node, cst.FunctionDef) and attribute == "body":
            if not self._depth:
                self._function = ".".join(self._names)
            self._depth += 1

    def on_leave_attribute(self, node: cst.CSTNode, attribute: str) -> None:
        if isinstance(node, cst.FunctionDef) and attribute == "body":
            self._depth -= 1
            if not self._depth:
                self._function = ""


def is_text(node: cst.CSTNode) -> bool:
    if isinstance(node, cst.Call):
        name = node.func.attr if isinstance(node.func, cst.Attribute) else node.func
        return isinstance(name, cst.Name) and name.value in WORDS
    return isinstance(node, cst.Expr) and isinstance(node.value, cst.BaseString)


def mutants_of(path: Path) -> list[Mutant]:
    wrapper = MetadataWrapper(cst.parse_module(path.read_text()))
    finder = Finder()
    wrapper.visit(finder)
    made: list[Mutant] = []
    seen = {wrapper.module.code}
    for node, to, lines, function in finder.found:
        source = wrapper.module.deep_replace(node, to).code
        if source in seen:
            continue
        seen.add(source)
        try:
            compile(source, str(path), "exec")
        except (SyntaxError, ValueError):
            continue
        before, after = differing(wrapper.module.code, source)
        made.append(Mutant(len(made), lines, function, before, after, source))
    return made


def differing(old: str, new: str) -> tuple[str, str]:
    """The lines that differ, each as one."""
    olds, news = old.splitlines(), new.splitlines()
    start = 0
    while start < min(len(olds), len(news)) and olds[start] == news[start]:
        start += 1
    end = 0
    while end < min(len(olds), len(news)) - start and olds[-1 - end] == news[-1 - end]:
        end += 1
    both = (olds[start : len(olds) - end], news[start : len(news) - end])
    return tuple(re.sub(r"\s+", " ", " ".join(lines)).strip() for lines in both)  # type: ignore[return-value]


def put_into(function: str, path: Path, source: str) -> bool:
    """Gives a function of the imported module its changed code, wherever the function is held."""
    name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
    place: Any = sys.modules[name]
    for part in function.split("."):
        place = vars(place).get(part)
    if forget := getattr(place, "cache_clear", None):
        forget()
    for inner in ("fget", "func", "__func__"):
        place = getattr(place, inner, place)
    while hasattr(place, "__wrapped__"):
        place = place.__wrapped__
    code = code_named(compile(source, str(path), "exec"), function)
    if not isinstance(place, FunctionType) or code is None:
        return False
    if code.co_freevars != place.__code__.co_freevars:
        return False
    place.__code__ = code
    return True


def code_named(code: CodeType, name: str) -> CodeType | None:
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            if inner.co_qualname == name:
                return inner
            if found := name.startswith(f"{inner.co_qualname}.") and code_named(inner, name):
                return found
    return None


@dataclass
class Session:
    """Plays the tests once, and then for each mutant in a fork."""

    path: Path
    mutants: list[Mutant]
    processes: int
    told: Path
    fates: dict[int, str] = field(default_factory=dict)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        coverage = Coverage(data_file=None, include=[str(self.path)], config_file=False)
        seconds: dict[str, float] = {}
        coverage.start()
        for item, following in zip(session.items, [*session.items[1:], session], strict=True):
            coverage.switch_context(item.nodeid)
            began = time.monotonic()
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            seconds[item.nodeid] = time.monotonic() - began
        coverage.stop()
        if session.testsfailed:
            return True
        items = {item.nodeid: item for item in session.items}
        reaching = coverage.get_data().contexts_by_lineno(str(self.path))

        def play(mutant: Mutant) -> None:
            ids = {one for line in mutant.lines for one in reaching.get(line, ()) if one in items}
            if not ids:
                os._exit(3)
            if not put_into(mutant.function, self.path, mutant.source):
                os._exit(4)
            silence(session.config)
            for one in sorted(ids, key=seconds.__getitem__):
                session._setupstate.teardown_exact(items[one])
                session.config.hook.pytest_runtest_protocol(item=items[one], nextitem=session)
                if session.testsfailed:
                    os._exit(1)
            os._exit(0)

        each = [mutant for mutant in self.mutants if mutant.function]
        for mutant, fate in in_forks(each, play, self.processes, 20 + 4 * sum(seconds.values())):
            self.fates[mutant.number] = fate
        self.told.write_text(json.dumps([self.fates, sum(seconds.values())]))
        return True


def silence(config: pytest.Config) -> None:
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for number in (1, 2):
        os.dup2(nowhere, number)
    if reporter := config.pluginmanager.getplugin("terminalreporter"):
        config.pluginmanager.unregister(reporter)


TERMINAL = os.dup(2)  # where pytest captures nothing
FATES = {0: "survived", 3: "reached by no test", 4: "outside"}


def in_forks(
    mutants: list[Mutant], play: Callable[[Mutant], None], processes: int, longest: float
) -> Iterator[tuple[Mutant, str]]:
    waiting, playing = mutants[::-1], dict[int, tuple[Mutant, float]]()
    while waiting or playing:
        while waiting and len(playing) < processes:
            mutant = waiting.pop()
            if os.isatty(TERMINAL):
                os.write(TERMINAL, f"\r{len(mutants) - len(waiting)} of {len(mutants)} ".encode())
            if pid := os.fork():
                playing[pid] = mutant, time.monotonic() + longest
                continue
            try:
                play(mutant)
            finally:  # whatever happens, the child goes no further
                os._exit(1)
        for pid, (mutant, until) in list(playing.items()):
            ended, status = os.waitpid(pid, os.WNOHANG)
            if ended:
                del playing[pid]
                yield mutant, FATES.get(os.waitstatus_to_exitcode(status), "killed")
            elif time.monotonic() > until:
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.005)


def play_outside(mutant: Mutant, path: Path, tests: list[str]) -> None:
    """Plays the tests in this fork, which imports the changed source."""
    get_code = SourceFileLoader.get_code

    def changed(loader: SourceFileLoader, name: str) -> CodeType | None:
        if loader.path == str(path):
            return compile(mutant.source, loader.path, "exec")
        return get_code(loader, name)

    SourceFileLoader.get_code = changed  # type: ignore[method-assign]
    os.setsid()
    nowhere = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(nowhere, number)
    os._exit(min(1, pytest.main([*OPTIONS, "-x", *tests])))


def explained() -> set[str]:
    rows = EXPLAINED.read_text().replace("\\|", "|").splitlines()
    return {row for row in rows if row.startswith("| `")}


def main() -> int:
    wants = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    wants.add_argument("file", type=Path)
    wants.add_argument("--tests", nargs="+", help="the tests that are about the file")
    wants.add_argument("-n", type=int, default=2, help="so many processes at once")
    wants.add_argument("--only", default="", help="only the mutants of these lines, such as 12,15")
    given = wants.parse_args()
    os.chdir(ROOT)
    sys.path.insert(0, str(ROOT))
    path = given.file.resolve()
    name = str(path.relative_to(ROOT))
    tests = given.tests or next(of.split() for file, of in TESTS.items() if name.startswith(file))
    lines = {int(one) for one in given.only.split(",") if one}
    mutants = [one for one in mutants_of(path) if not lines or lines & set(one.lines)]
    unchanged = path.read_text()
    # What is not changed must survive, or everything else would seem to be killed.
    inside = next(
        (replace(one, number=-1, source=unchanged) for one in mutants if one.function), None
    )
    mutants += [inside] if inside else []
    mutants.append(Mutant(-2, range(0), "", "", "", unchanged))
    began = time.monotonic()
    for module in HEAVY:
        importlib.import_module(module)

    with tempfile.TemporaryDirectory() as folder:
        told = Path(folder) / "told"
        if not (pid := os.fork()):
            os._exit(pytest.main([*OPTIONS, *tests], [Session(path, mutants, given.n, told)]))
        os.waitpid(pid, 0)
        if not told.exists():
            print("The tests do not pass as they are.")
            return 2
        fates, seconds = json.loads(told.read_text())
    outside = [one for one in mutants if fates.get(str(one.number), "outside") == "outside"]
    fates |= {
        str(mutant.number): fate
        for mutant, fate in in_forks(
            outside, lambda one: play_outside(one, path, tests), given.n, 60 + 4 * seconds
        )
    }

    checks = [one for one in mutants if one.number < 0]
    mutants = [one for one in mutants if one.number >= 0]
    if any(fates[str(one.number)] == "killed" for one in checks):
        print("The tests do not pass in a fork, though nothing is changed.")
        return 2
    reasons = explained()
    killed, others = 0, 0
    for mutant in mutants:
        fate = fates[str(mutant.number)]
        if fate == "killed":
            killed += 1
        elif not any(mutant.row in reason for reason in reasons):
            others += 1
            print(
                f"{name}:{mutant.lines.start}: {fate} ({mutant.function or 'outside'})\n    {mutant.row}"
            )
    minutes = (time.monotonic() - began) / 60
    known = len(mutants) - killed - others
    print(
        f"{name}: {len(mutants)} mutants, {killed} killed, {known} explained, {others} survived, {minutes:.1f} minutes"
    )
    return bool(others)


if __name__ == "__main__":
    sys.exit(main())
