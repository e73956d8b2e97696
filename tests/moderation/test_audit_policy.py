"""The policy in docs/audit-log.md denies nothing that the site does, and whatever would change an entry."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import pytest

from accounts.permissions import Permission
from moderation.models import ActionKind
from moderation.services.appeal import answer_appeal, appeal
from moderation.services.claim import assign_case
from moderation.services.note import add_note
from moderation.services.roles import give_role, make_role, remove_role
from moderation.services.site import save_settings
from moderation.services.undo import undo_action
from socialsite.streams.worker import Worker
from socialsite.table import keys
from socialsite.table.connection import client, connection
from tests.conftest import post
from tests.moderation.cases import about, decide, logged, read_case, report

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "audit-log.md"
OPERATIONS = {"Put": "PutItem", "Update": "UpdateItem", "Delete": "DeleteItem"}
SINGLE = {*OPERATIONS.values()}


@dataclass(frozen=True)
class Write:
    """An operation as Amazon judges it."""

    action: str
    partition: str
    enclosing: str = ""


def statements() -> list[dict[str, Any]]:
    policy = re.search(r"```json\n(.*?)```", DOCUMENT.read_text(), re.DOTALL)
    assert policy
    return json.loads(policy[1])["Statement"]


def is_denied(write: Write) -> bool:
    return any(denies(statement, write) for statement in statements())


def denies(statement: dict[str, Any], write: Write) -> bool:
    actions = statement["Action"]
    named = [actions] if isinstance(actions, str) else actions
    condition = dict(statement["Condition"])
    patterns = condition.pop("ForAnyValue:StringLike")["dynamodb:LeadingKeys"]
    holds = any(fnmatchcase(write.partition, pattern) for pattern in patterns)
    if others := condition.pop("ForAllValues:StringNotEquals", None):
        holds &= write.enclosing not in others["dynamodb:EnclosingOperation"]
    assert not condition
    return f"dynamodb:{write.action}" in named and holds


def parts_of(operation: str, request: dict[str, Any]) -> Iterator[Write]:
    if operation == "TransactWriteItems":
        for item in request["TransactItems"]:
            for kind, part in item.items():
                if kind in OPERATIONS:
                    key = part.get("Key") or part["Item"]
                    yield Write(OPERATIONS[kind], key["PK"]["S"], operation)
    elif operation == "BatchWriteItem":
        for requests in request["RequestItems"].values():
            for one in requests:
                part = one.get("PutRequest", {}).get("Item") or one["DeleteRequest"]["Key"]
                yield Write(operation, part["PK"]["S"])
    elif operation in SINGLE:
        yield Write(operation, (request.get("Key") or request["Item"])["PK"]["S"])


@pytest.fixture
def writes(table) -> Iterator[list[Write]]:
    """Every write of the test, as it goes to the engine."""
    seen: list[Write] = []

    def note(params: dict[str, Any], model: Any, **_: Any) -> None:
        seen.extend(parts_of(model.name, params))

    connection()
    events = client().meta.events
    events.register("provide-client-params.dynamodb", note)
    yield seen
    events.unregister("provide-client-params.dynamodb", note)


def test_nothing_that_the_staff_do_is_denied(writes, alice, bob, mod, admin):
    post_id = post(alice)
    report(bob, alice, post_id, rule_id="spam")
    assign_case(by=mod, case_id=about(alice), moderator_id=mod.user_id)
    add_note(by=mod, case_id=about(alice), text="Again")
    decide(mod, about(alice), ActionKind.HIDE, post_id, keep_open=True)
    action_id = decide(mod, about(alice), ActionKind.FREEZE)
    appeal(person_id=alice.user_id, action_id=action_id, text="Please")
    answer_appeal(
        by=mod,
        case_id=about(alice),
        action_id=action_id,
        text="Yes",
        version=int(read_case(about(alice)).version),
        grant=True,
    )
    other = decide(mod, about(alice), ActionKind.WARN)
    undo_action(by=mod, case_id=about(alice), action_id=other)
    make_role(by=admin, title="Greeter", permissions=[Permission.LOG])
    give_role(by=admin, user_id=bob.user_id, role="greeter")
    give_role(by=admin, user_id=bob.user_id, role="")
    remove_role(by=admin, name="greeter")
    save_settings(by=admin, values={"banner": "Hello"})
    Worker().drain()
    entered = [write for write in writes if write.partition.startswith("audit#")]
    assert len(entered) == len(logged()) == 12
    assert {(write.action, write.enclosing) for write in entered} == {
        ("PutItem", "TransactWriteItems")
    }
    assert [write for write in writes if is_denied(write)] == []


@pytest.mark.parametrize("action", ["UpdateItem", "DeleteItem"])
@pytest.mark.parametrize("enclosing", ["", "TransactWriteItems"])
def test_changing_an_entry_is_denied_also_within_a_transaction(action, enclosing):
    assert is_denied(Write(action, keys.audit_entries("2026-11"), enclosing))
    assert not is_denied(Write(action, keys.audit_head().pk, enclosing))


def test_a_put_outside_a_transaction_and_a_batch_are_denied():
    assert is_denied(Write("PutItem", keys.audit_entries("2026-11")))
    assert is_denied(Write("BatchWriteItem", keys.audit_entries("2026-11")))
    assert not is_denied(Write("PutItem", "u#X"))
