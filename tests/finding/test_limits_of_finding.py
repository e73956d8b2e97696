"""What the index and the search bear: texts that nobody writes, words that too many have, authors who are not seen."""

from itertools import product

import pytest
from django.core.management import call_command
from django.test import Client

from accounts.people.restrictions import Restriction
from accounts.profile.writes import pause_account
from feed.posts.models import Audience
from feed.publishing.changes import edit_post
from finding import writes
from finding.models import WordEntry
from finding.words import words_in
from relations.blocks.writes import block
from socialsite.streams.status import list_dead_letters
from socialsite.table.reading import item_size
from tests.conftest import post, publish_post
from tests.finding.test_finding_posts import entries, found
from tests.finding.test_index_of_words import audit, choose, stored
from tests.moderation.cases import restrict
from tests.web.html import Html


@pytest.mark.parametrize("text", ["ㅋ" * 700, "က" + "ေ" * 900, "한" + "\u1160" * 500])
def test_a_text_of_one_sign_without_end_is_a_short_word(alice, drain_stream, text):
    post_id = post(alice, f"soup {text}")
    drain_stream()
    assert list_dead_letters() == []
    assert found("soup") == [post_id]
    assert all(len(word.encode()) <= 160 for word in words_in(text))
    call_command("index_posts")
    assert audit() == {}


def test_an_entry_stays_small_whatever_the_post_says(alice, drain_stream):
    tags = " ".join(f"#\ufdfa{number}" for number in range(70))
    post(alice, f"{tags} {' '.join(f'word{number}' for number in range(40))}")
    drain_stream()
    assert max(item_size(raw) for raw in stored(WordEntry.__name__)) <= 1_500


DAYS = ("after:2026-11-30 before:2026-11-01", "after:2026-11-27 before:2026-11-28")


def test_where_no_day_lies_between_nothing_is_found(alice, drain_stream):
    post(alice, "soup")
    drain_stream()
    for author, tab, days in product(("", "from:@alice "), ("", "posts"), DAYS):
        answer = Client().get("/search", {"tab": tab, "q": f"{author}soup {days}"})
        assert answer.status_code == 200
        assert Html(answer).post_ids() == []


def said(browser: Client, **asked: str) -> str:
    """The page without what was typed."""
    page = browser.get("/search", asked)
    return Html(page).one("div", id="found").text.replace(asked["q"], "")


HIDES = {
    "block": lambda alice, bob: block(by=alice, user_id=bob.user_id),
    "silent": lambda alice, bob: choose(alice, is_silent=True),
    "suspended": lambda alice, bob: restrict(alice, Restriction.SUSPENDED),
    "paused": lambda alice, bob: pause_account(by=alice),
}


@pytest.mark.parametrize("how", HIDES)
def test_words_of_people_who_are_not_found_cannot_be_tried(alice, bob, log_in, drain_stream, how):
    for _ in range(7):
        post(alice, "soup")
    for number in range(22):
        publish_post(by=alice, content="x", audience=Audience.ONLY_ME, nonce=f"n{number}")
    drain_stream()
    HIDES[how](alice, bob)
    browser = log_in(bob)
    for asked in ({}, {"tab": "posts"}, {"tab": "posts", "by": "likes"}):
        one = said(browser, q="from:@alice soup", **asked)
        assert one == said(browser, q="from:@alice salad", **asked)
        if how != "silent":
            nobody = said(browser, q="from:@nobody soup", **asked)
            assert one.replace("alice", "nobody") == nobody


def test_posts_for_oneself_alone_are_not_told_of(alice, bob, log_in, drain_stream):
    for number in range(25):
        publish_post(by=alice, content="x", audience=Audience.ONLY_ME, nonce=f"n{number}")
    drain_stream()
    page = said(log_in(bob), q="@alice")
    assert "back to" not in page
    assert "More posts" not in page


def test_a_word_that_many_have_takes_posts_back_where_none_was_left_out(
    alice, drain_stream, monkeypatch
):
    monkeypatch.setattr(writes, "NOTED", 2)
    monkeypatch.setattr(writes, "MOST_A_DAY", 400)
    for _ in range(5):
        post(alice, "soup")
    drain_stream()
    for is_silent in (True, False):
        choose(alice, is_silent=is_silent)
        drain_stream()
    assert len(found("soup")) == 5
    assert audit() == {}


def test_an_edit_under_a_word_of_a_raid_changes_its_entry(alice, drain_stream, monkeypatch):
    monkeypatch.setattr(writes, "NOTED", 2)
    monkeypatch.setattr(writes, "MOST_A_DAY", 4)
    first, *_ = [post(alice, f"raid number{number}") for number in range(7)]
    drain_stream()
    edit_post(by=alice, post_id=first, content="raid changed", version=1)
    drain_stream()
    assert audit() == {}
    assert found("raid changed") == [first]


def test_the_worker_forgets_words_that_are_far_from_common(alice, drain_stream, monkeypatch):
    monkeypatch.setattr(writes, "MOST_REMEMBERED", 100)
    for number in range(5):
        post(alice, " ".join(f"word{number}x{other}" for other in range(30)))
    drain_stream()
    assert len(writes._uses.posts) <= 130
    assert "word4x1" in entries()
