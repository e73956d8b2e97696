"""A reported reply shows what it answers: the first post of its thread, and the three right above it."""

import pytest
from django.test import Client

from feed.publishing.changes import change_audience
from feed.publishing.writes import delete_post
from moderation.cases.lists import get_case
from moderation.models import ActionKind
from tests.conftest import post
from tests.feed.answers import answer
from tests.moderation.cases import about, decide, logged
from tests.moderation.costs import BATCH, GET, QUERY, cost
from tests.moderation.queues import page_of, part, report

TEXTS = ["First", "Second", "Third", "Fourth", "Fifth"]


@pytest.fixture
def moderator(mod, log_in) -> Client:
    return log_in(mod)


@pytest.fixture
def talk(alice, bob, carol) -> list[str]:
    """A post, four replies below each other, and Bob's answer to the last, which Carol reported."""
    written = [post(alice, TEXTS[0])]
    for number, text in enumerate(TEXTS[1:]):
        by, to = (carol, alice) if number % 2 else (alice, carol)
        written.append(answer(by, to if number else alice, written[-1], text))
    written.append(answer(bob, carol, written[-1], "Rude"))
    report(bob, by=[carol], post_id=written[-1])
    return written


def looks() -> list[dict]:
    return [entry.detail for entry in logged() if entry.action == "view private post"]


def order(said: str, *texts: str) -> bool:
    return sorted(texts, key=said.index) == list(texts)


def test_it_shows_what_the_reply_answers(moderator, mod, alice, bob, carol, talk):
    report(carol, by=[bob], post_id=talk[2])
    decide(mod, about(carol), ActionKind.HIDE, talk[2])
    said = part(page_of(moderator, bob), "case-evidence")
    gap = "Some posts between are not shown here."
    assert order(said, "Rude", "First", gap, "Hidden", "Third", "Fourth", "Fifth")
    assert "Second" not in said
    assert not looks()


def test_it_stays_when_the_reply_and_the_first_post_are_deleted(moderator, alice, bob, talk):
    delete_post(by=bob, post_id=talk[-1])
    delete_post(by=alice, post_id=talk[0])
    said = part(page_of(moderator, bob), "case-evidence")
    assert order(said, "Rude", "The first post of this conversation was deleted.", "Fourth")
    assert "First" not in said.replace("The first", "")


def test_a_thread_that_is_for_some_by_now_is_covered_until_the_moderator_asks(
    moderator, alice, bob, talk
):
    change_audience(by=alice, post_id=talk[0], audience="friends")
    said = part(page_of(moderator, bob), "case-evidence")
    assert "Rude" in said  # as it was when it was reported
    assert not any(text in said for text in TEXTS)
    shown = moderator.post(f"{about(bob).url}/reveal").content.decode()
    assert all(text in shown for text in ("First", "Third", "Fourth", "Fifth"))
    assert looks() == [{"posts": sorted([talk[0], *talk[2:5]])}]
    assert "Fifth" not in part(page_of(moderator, bob), "case-evidence")


@pytest.mark.engines("embedded", reason="the others report other capacity")
def test_it_is_two_batches_more_however_many_replies(bob, carol, talk, measure):
    for _ in range(14):
        report(bob, by=[carol], post_id=answer(bob, carol, talk[-2], "Rude again"))
    with measure() as meter:
        case = get_case(about(bob))
    assert sum(bool(one.context) for one in case.evidence) == 10
    operations, units, _ = cost(meter)
    assert operations == [GET, QUERY, QUERY, QUERY, BATCH, BATCH, BATCH]
    assert units <= 45
