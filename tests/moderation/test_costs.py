"""What moderators and people write costs what docs/access-patterns.md says, and so do the lists."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from accounts.people.viewer import Viewer
from feed.publishing.writes import delete_post
from moderation.cases.decisions import Decision, decide_case
from moderation.cases.effects import undo_action
from moderation.cases.lists import get_case, get_next_case, list_cases, list_closed
from moderation.cases.reads import read_case
from moderation.cases.writes import (
    add_note,
    answer_appeal,
    appeal,
    assign_case,
    claim_case,
    leave_case,
)
from moderation.models import ActionKind, Queue
from moderation.reports.reads import get_strike, list_own_reports, list_strikes
from moderation.reports.writes import close_gone, file_report, flag_post
from socialsite import keys
from socialsite.clock import utc_now_iso
from socialsite.site_settings.site_setup import MINOR, SERIOUS
from socialsite.table.meter import Meter
from tests.conftest import person, post
from tests.moderation.cases import about, about_post, crowd_ids, decide, held_post, report

K = ActionKind
GET, BATCH, QUERY, UPDATE, TRANSACT = (
    "GetItem",
    "BatchGetItem",
    "Query",
    "UpdateItem",
    "TransactWriteItems",
)


@dataclass
class Scene:
    """Bob, of whom Alice reported a post, and who looks at it."""

    alice: Viewer
    bob: Viewer
    carol: Viewer
    mod: Viewer
    post_id: str

    def decide(self, kind: ActionKind, *posts: str, **rest: Any) -> Callable[[], object]:
        decision = Decision(kind, posts, text="Because", **rest)
        version = int(read_case(about(self.bob)).version)
        return lambda: decide_case(
            by=self.mod, case_id=about(self.bob), decision=decision, version=version
        )

    def done(self, kind: ActionKind, *posts: str, **rest: Any) -> str:
        return decide(self.mod, about(self.bob), kind, *posts, **rest)

    def appealed(self) -> str:
        action_id = self.done(K.SUSPEND)
        appeal(person_id=self.bob.user_id, action_id=action_id, text="No")
        return action_id

    def undo(self, action_id: str) -> Callable[[], object]:
        return lambda: undo_action(by=self.mod, case_id=about(self.bob), action_id=action_id)

    def answer(self, action_id: str, grant: bool | None, text: str = "Hm") -> Callable[[], object]:
        version = int(read_case(about(self.bob)).version)
        return lambda: answer_appeal(
            by=self.carol,  # of the moderator who decided it costs as `list_staff` more
            case_id=about(self.bob),
            action_id=action_id,
            text=text,
            version=version,
            grant=grant,
        )


def scene_of(alice: Viewer, bob: Viewer, carol: Viewer, mod: Viewer) -> Scene:
    post_id = post(bob)
    report(alice, bob, post_id, rule_id="spam")
    add_note(by=mod, case_id=about(bob), text="The log has its head")
    return Scene(alice, bob, carol, mod, post_id)


def cost(meter: Meter) -> tuple[list[str], float, float]:
    return [call.operation for call in meter.calls], meter.read_units, meter.write_units


# What moderators and people write costs what docs/access-patterns.md says. Reads: `test_costs.py`.

pytestmark = pytest.mark.engines("embedded", reason="the others report other capacity")


@pytest.fixture
def scene(alice, bob, carol, mod) -> Scene:
    return scene_of(alice, bob, carol, mod)


def gone(scene: Scene) -> Callable[[], object]:
    post_id = held_post(scene.bob)
    delete_post(by=scene.bob, post_id=post_id)
    return lambda: close_gone(case_id=about_post(post_id))


def flagged(scene: Scene) -> Callable[[], object]:
    post_id = post(scene.bob, "Cheap")
    return lambda: flag_post(
        post_id=post_id, author_id=scene.bob.user_id, rule_id="spam", severity=MINOR
    )


def put_on_desk(scene: Scene) -> Callable[[], object]:
    to = scene.mod.user_id
    return lambda: assign_case(by=scene.mod, case_id=about(scene.bob), moderator_id=to)


def left(scene: Scene) -> Callable[[], object]:
    claim_case(by=scene.mod, case_id=about(scene.bob))
    return lambda: leave_case(by=scene.mod, case_id=about(scene.bob))


def reported(scene: Scene, **rest: Any) -> Callable[[], object]:
    return lambda: file_report(by=scene.carol, person_id=scene.bob.user_id, **rest)


WRITES: dict[str, tuple[Callable[[Scene], Callable[[], object]], list[str], float, float]] = {
    "file_report, of a person": (reported, [BATCH, TRANSACT], 6, 10),
    "file_report, of a post": (
        lambda scene: reported(scene, post_id=scene.post_id),
        [BATCH, TRANSACT],
        7,
        10,
    ),
    "file_report, more urgent": (
        lambda scene: reported(scene, severity=SERIOUS),
        ["Query", BATCH, TRANSACT],
        6.5,
        10,
    ),
    "file_report, of the profile too": (
        lambda scene: lambda: file_report(by=scene.alice, person_id=scene.bob.user_id),
        [BATCH, BATCH, TRANSACT],
        7,
        9,
    ),
    "file_report, again": (
        lambda scene: (
            lambda: file_report(by=scene.alice, person_id=scene.bob.user_id, post_id=scene.post_id)
        ),
        [BATCH],
        7,
        0,
    ),
    "flag_post": (flagged, [BATCH, BATCH, TRANSACT], 7, 8),
    "claim_case": (
        lambda scene: lambda: claim_case(by=scene.mod, case_id=about(scene.bob)),
        [UPDATE],
        0,
        2,
    ),
    "leave_case": (left, [UPDATE], 0, 2),
    "assign_case": (put_on_desk, [GET, GET, GET, TRANSACT], 3, 10),
    "add_note": (
        lambda scene: lambda: add_note(by=scene.mod, case_id=about(scene.bob), text="Hm"),
        [BATCH, GET, TRANSACT],
        3,
        6,
    ),
    "decide_case, dismiss": (
        lambda scene: scene.decide(K.DISMISS),
        [GET, GET, QUERY, TRANSACT],
        3,
        13,
    ),
    "decide_case, warn": (lambda scene: scene.decide(K.WARN), [BATCH, GET, TRANSACT], 3, 17),
    "decide_case, suspend": (
        lambda scene: scene.decide(K.SUSPEND),
        [BATCH, GET, TRANSACT],
        3,
        19,
    ),
    "decide_case, hide a post": (
        lambda scene: scene.decide(K.HIDE, scene.post_id),
        [BATCH, GET, BATCH, TRANSACT],
        4,
        21,
    ),
    "decide_case, reset a profile": (
        lambda scene: scene.decide(K.RESET, parts=("name",)),
        [BATCH, GET, BATCH, TRANSACT],
        4,
        21,
    ),
    "decide_case, kept open": (
        lambda scene: scene.decide(K.WARN, keep_open=True),
        [BATCH, GET, TRANSACT],
        3,
        13,
    ),
    "undo_action, suspend": (
        lambda scene: scene.undo(scene.done(K.SUSPEND)),
        [BATCH, GET, GET, QUERY, TRANSACT],
        5,
        19,
    ),
    "undo_action, dismiss": (
        lambda scene: scene.undo(scene.done(K.DISMISS)),
        [BATCH, GET, GET, TRANSACT],
        4,
        13,
    ),
    "undo_action, hide a post": (
        lambda scene: scene.undo(scene.done(K.HIDE, scene.post_id)),
        [BATCH, GET, GET, QUERY, BATCH, TRANSACT],
        6,
        21,
    ),
    "undo_action, reset a profile": (
        lambda scene: scene.undo(scene.done(K.RESET, parts=("name",))),
        [BATCH, GET, GET, QUERY, BATCH, TRANSACT],
        8,
        21,
    ),
    "undo_action, again": (
        lambda scene: twice(scene.undo(scene.done(K.WARN))),
        [BATCH, GET],
        3,
        0,
    ),
    "appeal": (
        lambda scene: appealing(scene, scene.done(K.SUSPEND)),
        [GET, GET, TRANSACT],
        2,
        9,
    ),
    "answer_appeal, grant": (
        lambda scene: scene.answer(scene.appealed(), True),
        [BATCH, GET, GET, GET, QUERY, BATCH, QUERY, QUERY, TRANSACT],
        9,
        23,
    ),
    "answer_appeal, grant without a word": (
        lambda scene: scene.answer(scene.appealed(), True, text=""),
        [BATCH, GET, GET, GET, QUERY, BATCH, QUERY, QUERY, TRANSACT],
        9,
        21,
    ),
    "answer_appeal, refuse": (
        lambda scene: scene.answer(scene.appealed(), False),
        [BATCH, GET, GET, GET, QUERY, TRANSACT],
        6,
        17,
    ),
    "answer_appeal, ask back": (
        lambda scene: scene.answer(scene.appealed(), None),
        [BATCH, GET, GET, GET, TRANSACT],
        5,
        11,
    ),
    "close_gone": (gone, [GET, TRANSACT], 1, 7),
}


def twice(act: Callable[[], object]) -> Callable[[], object]:
    act()
    return act


def appealing(scene: Scene, action_id: str) -> Callable[[], object]:
    return lambda: appeal(person_id=scene.bob.user_id, action_id=action_id, text="No")


@pytest.mark.parametrize("name", WRITES)
def test_a_write_costs_what_the_document_says(name, scene, measure):
    prepare, *expected = WRITES[name]
    act = prepare(scene)
    with measure() as meter:
        act()
    assert cost(meter) == tuple(expected)


# What the lists of moderation cost, and a case: calls and units, as docs/access-patterns.md tells them.

REPORTS = keys.queue(Queue.REPORTS)


def crowd_of_cases(scene: Scene, number: int) -> None:
    """As many more people whom Alice reported."""
    for place in range(number):
        report(scene.alice, person(f"person_{place}"))


def test_the_lists_of_cases_are_a_query_and_their_people(scene, measure):
    crowd_of_cases(scene, 24)
    with measure() as meter:
        page = list_cases(REPORTS)
    assert len(page.items) == 20
    assert cost(meter) == ([QUERY, BATCH], 1 + 10, 0)
    for row in page.items:
        decide(scene.mod, row.case_id, K.DISMISS)
    with measure() as meter:
        closed = list_closed(utc_now_iso()[:7])
    assert len(closed.items) == 20
    assert cost(meter) == ([QUERY, BATCH, BATCH], 1 + 10 + 10.5, 0)


def test_the_next_case_is_a_query_and_one_look_at_ten_cases(scene, measure):
    crowd_of_cases(scene, 12)
    with measure() as meter:
        assert get_next_case(REPORTS, by=scene.mod, besides=about(scene.bob))
    assert cost(meter) == ([QUERY, BATCH], 0.5 + 10, 0)


def test_a_case_is_a_get_three_queries_and_one_batch(scene, measure):
    for by in crowd_ids(19):
        file_report(by=by, person_id=scene.bob.user_id, post_id=scene.post_id, comment="x" * 500)
    with measure() as meter:
        assert len(get_case(about(scene.bob)).reports) == 20
    operations, units, _ = cost(meter)
    assert operations == [GET, QUERY, QUERY, QUERY, BATCH]
    assert units <= 30


def test_what_people_see_of_theirs_costs_little(scene, measure):
    action_id = scene.done(K.WARN, keep_open=True)
    appeal(person_id=scene.bob.user_id, action_id=action_id, text="No")
    with measure() as meter:
        list_strikes(scene.bob.user_id)
    assert cost(meter) == ([QUERY], 0.5, 0)
    with measure() as meter:
        get_strike(scene.bob.user_id, action_id)
    assert cost(meter) == ([BATCH, QUERY], 2, 0)
    with measure() as meter:
        assert len(list_own_reports(scene.alice)) == 1
    assert cost(meter) == ([QUERY, BATCH], 0.5 + 1.5, 0)
