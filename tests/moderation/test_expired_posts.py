"""A post that ended by itself while moderators had it: nothing is left to decide, and nothing breaks."""

import pytest

from feed.posts.content_checks import Verdict
from feed.posts.models import Withheld
from moderation.cases.decisions import NothingToActOn
from moderation.cases.reads import is_open, read_case
from moderation.models import ActionKind
from tests.feed.expiring import SECOND, clock_at, end_of, ending_post, posts_shown, remove_expired
from tests.looks import broken_invariants
from tests.moderation.cases import about, about_post, decide, report


def held(author) -> str:
    return ending_post(author, verdict=Verdict(withheld=Withheld.HELD))


def test_a_held_post_counts_once_it_is_released_and_until_its_end(alice, mod, drain_stream):
    post_id = held(alice)
    drain_stream()
    assert posts_shown(alice) == 0
    decide(mod, about_post(post_id), ActionKind.RELEASE)
    drain_stream()
    assert posts_shown(alice) == 1
    assert broken_invariants() == {}
    with clock_at(end_of(alice, post_id)):
        assert posts_shown(alice) == 0


def test_the_case_of_a_held_post_closes_with_it(alice, mod, log_in, drain_stream):
    post_id = held(alice)
    drain_stream()
    browser = log_in(mod)
    page = f"/moderation/cases/post/{post_id}"
    with clock_at(end_of(alice, post_id)):
        assert browser.get(page).status_code == 200
        assert browser.get("/moderation/queue").status_code == 200
        remove_expired()
        drain_stream()
        assert not is_open(read_case(about_post(post_id)))
        assert browser.get(page).status_code == 200
        assert broken_invariants() == {}


@pytest.mark.parametrize("kind", [ActionKind.HIDE, ActionKind.SENSITIVE])
def test_a_post_that_ended_meanwhile_is_not_decided_about(alice, bob, mod, drain_stream, kind):
    post_id = ending_post(alice)
    report(bob, alice, post_id)
    drain_stream()
    with clock_at(end_of(alice, post_id) + SECOND):
        with pytest.raises(NothingToActOn):
            decide(mod, about(alice), kind, post_id)
        remove_expired()
        drain_stream()
        assert posts_shown(alice) == 0
        assert broken_invariants() == {}
