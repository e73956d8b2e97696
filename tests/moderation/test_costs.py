"""What moderators and people write costs what docs/access-patterns.md says. Reads: `test_costs_of_lists.py`."""

from collections.abc import Callable
from typing import Any

import pytest

from feed.publishing.writes import delete_post
from moderation.cases.writes import add_note, appeal, assign_case, claim_case, leave_case
from moderation.reports.writes import close_gone, file_report, flag_post
from socialsite.site_settings.site_setup import MINOR, SERIOUS
from tests.conftest import post
from tests.moderation.cases import about, about_post, held_post
from tests.moderation.costs import BATCH, GET, QUERY, TRANSACT, UPDATE, K, Scene, cost, scene_of

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
    "file_report, of a person": (reported, [BATCH, TRANSACT], 4, 10),
    "file_report, of a post": (
        lambda scene: reported(scene, post_id=scene.post_id),
        [BATCH, TRANSACT],
        4,
        10,
    ),
    "file_report, more urgent": (
        lambda scene: reported(scene, severity=SERIOUS),
        [BATCH, TRANSACT],
        4,
        10,
    ),
    "file_report, of the profile too": (
        lambda scene: lambda: file_report(by=scene.alice, person_id=scene.bob.user_id),
        [BATCH, BATCH, TRANSACT],
        5,
        9,
    ),
    "file_report, again": (
        lambda scene: (
            lambda: file_report(by=scene.alice, person_id=scene.bob.user_id, post_id=scene.post_id)
        ),
        [BATCH],
        4,
        0,
    ),
    "flag_post": (flagged, [BATCH, BATCH, TRANSACT], 5, 8),
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
        [BATCH, GET, GET, BATCH, TRANSACT],
        5,
        21,
    ),
    "undo_action, reset a profile": (
        lambda scene: scene.undo(scene.done(K.RESET, parts=("name",))),
        [BATCH, GET, GET, BATCH, QUERY, TRANSACT],
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
