"""The pytest plugin that notes what each role asks of Amazon's services, and fails the test that asks what its role may
not.

A call belongs to the role in whose code it began: a request is the web's, a step of the worker is the worker's, a
batch under Lambda is Lambda's, and a command is the operator's. What a test does itself, or a fixture, is nobody's.
"""

from collections.abc import Callable, Iterator
from contextvars import ContextVar
from functools import wraps
from typing import Any

import pytest
from botocore.handlers import BUILTIN_HANDLERS
from django.conf import settings
from django.core.handlers.base import BaseHandler
from django.core.management.base import BaseCommand

from notifications.live import sign_ins
from notifications.push.sender import Pusher
from relations import lambda_handler as relations_handler
from socialsite.due import clock, work
from socialsite.streams import lambda_handler
from socialsite.streams.worker import Worker
from socialsite.table import connection
from tests.iam.policy import Use, is_allowed, read_table, uses_of, write_table

NOBODY = "nobody"
ROLES = ("clock", "lambda", "live", "operator", "pusher", "relations", "web", "worker")
OF_COMMANDS = {"run_live": "live", "run_pusher": "pusher", "run_worker": "worker"}
# Commands that no role of Amazon has: they need the embedded engine or debug mode, or the credentials of the account.
LOCAL_COMMANDS = {"backup", "move", "restore", "runserver", "seed", "workbench"}
MODES = ("add", "anew")

_role: ContextVar[str] = ContextVar("role", default=NOBODY)
_is_within: ContextVar[bool] = ContextVar("is_within", default=False)
seen: dict[Use, str] = {}  # with the test that did it first
stated: set[Use] = set()
_test = ""
_looked_at = 0  # of `seen`, by the last test


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--record-iam",
        choices=MODES,
        help="write tests.iam.policy.tsv: add what this run does, or, after a run of all tests, make it anew",
    )


def pytest_configure(config: pytest.Config) -> None:
    stated.update(read_table())
    for cls, method, role in (
        (BaseHandler, "get_response", "web"),
        (connection, "_connect_until_it_works", "web"),
        (Worker, "step", "worker"),
        (Worker, "give_up", "worker"),
        (lambda_handler, "handle", "lambda"),
        (sign_ins, "read_signed_in", "live"),
        (sign_ins, "read_bells", "live"),
        # Each begins in a thread of its own.
        *((Pusher, name, "pusher") for name in ("run", "look", "_take_up", "_ask")),
    ):
        setattr(cls, method, acting_as(role)(getattr(cls, method)))
    # The command that plays an event here acts as the function that it plays.
    act = acting_as("relations", instead_of="operator")
    relations_handler.handle = act(relations_handler.handle)
    # The clock's thread may stand beside a worker, and has a role of its own there too.
    work.do_due = clock.do_due = acting_as("clock", instead_of="worker")(work.do_due)
    BaseCommand.execute = _in_its_role(BaseCommand.execute)  # type: ignore[method-assign]
    # botocore hooks these into each session that is made from now on.
    BUILTIN_HANDLERS.extend([("before-parameter-build", _look_at), ("before-call", _note)])


def acting_as(
    role: str, *, instead_of: str = ""
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Lets what a function asks for count as this role's, unless it is called within another one's."""

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(function)
        def act(*args: Any, **kwargs: Any) -> Any:
            if _is_within.get() and _role.get() != instead_of:
                return function(*args, **kwargs)
            tokens = _role.set(role), _is_within.set(True)
            try:
                return function(*args, **kwargs)
            finally:
                _role.reset(tokens[0])
                _is_within.reset(tokens[1])

        return act

    return decorate


def _in_its_role(execute: Callable[..., Any]) -> Callable[..., Any]:
    def act(command: BaseCommand, *args: Any, **kwargs: Any) -> Any:
        return acting_as(role_of_command(command))(execute)(command, *args, **kwargs)

    return act


def role_of_command(command: BaseCommand) -> str:
    name = type(command).__module__.rpartition(".")[2]
    if name in OF_COMMANDS:
        return OF_COMMANDS[name]
    return NOBODY if name in LOCAL_COMMANDS else "operator"


def _look_at(params: dict[str, Any], model: Any, context: dict[str, Any], **_: Any) -> None:
    role = _role.get()
    # The site makes calls of the embedded engine that it makes nowhere else.
    if role != NOBODY and settings.DYNAMODB_ENGINE != "embedded":
        service = model.service_model.service_name
        context["uses"] = list(uses_of(role, service, model.name, params))


def _note(context: dict[str, Any], **_: Any) -> None:
    """Only what is called counts: the address of a picture is built like a call, and is none."""
    for use in context.pop("uses", ()):
        seen.setdefault(use, _test)


@pytest.fixture(autouse=True)
def _roles_do_what_they_may(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fails a test in which a role did what neither tests.iam.policy.tsv states nor its document allows."""
    global _test, _looked_at
    _test = request.node.nodeid
    yield
    if request.config.getoption("--record-iam") or len(seen) == _looked_at:
        return
    _looked_at = len(seen)
    new = sorted(seen.keys() - stated)
    stated.update(new)  # each is told once
    if refused := [use for use in new if not is_allowed(use)]:
        pytest.fail("\n".join(map(sentence_about, refused)), pytrace=False)


def sentence_about(use: Use) -> str:
    return (
        f"{use}, first in {seen.get(use)}. Allow it in deploy/iam/{use.role}.json, "
        "and state it in tests.iam.policy.tsv (--record-iam=add does)."
    )


def pytest_sessionfinish(session: pytest.Session) -> None:
    mode = session.config.getoption("--record-iam")
    output = getattr(session.config, "workeroutput", None)
    if output is not None:  # a process of pytest-xdist: the one that started it writes
        output["iam"] = list(map(_plain, seen))
    elif mode:
        write_table(seen.keys() | stated if mode == "add" else seen.keys())


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Takes over what a process of pytest-xdist noted."""
    for values in getattr(node, "workeroutput", {}).get("iam", ()):
        seen.setdefault(Use(*values), "")


def _plain(use: Use) -> list[Any]:
    return [use.role, use.resource, use.key_shape, use.in_transaction, use.action]
