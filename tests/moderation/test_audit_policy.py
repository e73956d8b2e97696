"""The documents in deploy/iam deny nothing that the staff do, and whatever would change an entry of the audit log."""

from collections.abc import Iterator
from typing import Any

import pytest

from accounts.permissions import Permission
from moderation.cases.effects import undo_action
from moderation.cases.writes import add_note, answer_appeal, appeal, assign_case
from moderation.models import ActionKind
from moderation.rules.writes import save_settings
from moderation.staff.writes import give_role, make_role, remove_role
from socialsite.table.connection import client, connection
from tests.conftest import post
from tests.iam.policy import is_denied
from tests.iam.recorder import ROLES
from tests.iam.uses import Use, uses_of
from tests.moderation.cases import about, decide, logged, read_case, report

ENTRIES = "audit#*"
WRITES = {"BatchWriteItem", "DeleteItem", "PutItem", "UpdateItem"}


@pytest.fixture
def asked(table) -> Iterator[list[Use]]:
    """Everything that the test asks of the table, as if the web did."""
    found: list[Use] = []

    def note(params: dict[str, Any], model: Any, **_: Any) -> None:
        if not model.name.startswith("Describe"):
            found.extend(uses_of("web", "dynamodb", model.name, params))

    connection()
    events = client().meta.events
    events.register("provide-client-params.dynamodb", note)
    yield found
    events.unregister("provide-client-params.dynamodb", note)


def test_nothing_that_the_staff_do_is_denied(alice, bob, mod, admin, asked):
    post_id = post(alice)
    report(bob, alice, post_id, rule_id="spam")
    assign_case(by=mod, case_id=about(alice), moderator_id=mod.user_id)
    add_note(by=mod, case_id=about(alice), text="Again")
    decide(mod, about(alice), ActionKind.HIDE, post_id, keep_open=True)
    action_id = decide(mod, about(alice), ActionKind.FREEZE)
    appeal(person_id=alice.user_id, action_id=action_id, text="Please")
    answer_appeal(
        by=admin,
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
    entered = [use for use in asked if use.key_shape == ENTRIES and use.action in WRITES]
    assert len(entered) == len(logged()) == 12
    assert set(entered) == {Use("web", "table", ENTRIES, True, "PutItem")}
    assert [str(use) for use in asked if is_denied(use)] == []


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("action", ["UpdateItem", "DeleteItem"])
@pytest.mark.parametrize("in_transaction", [False, True])
def test_changing_an_entry_is_denied_also_within_a_transaction(role, action, in_transaction):
    assert is_denied(Use(role, "table", ENTRIES, in_transaction, action))


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("action", ["PutItem", "BatchWriteItem"])
def test_a_put_outside_a_transaction_and_a_batch_are_denied(role, action):
    assert is_denied(Use(role, "table", ENTRIES, False, action))


@pytest.mark.parametrize("role", ROLES)
def test_every_role_may_continue_the_log(role):
    assert not is_denied(Use(role, "table", "audit", True, "UpdateItem"))
    assert not is_denied(Use(role, "table", ENTRIES, True, "PutItem"))
