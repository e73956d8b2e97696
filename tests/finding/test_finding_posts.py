"""Public posts are found by their words, and only those that the viewer may see now."""

import pytest
from django.test import Client

from accounts.profile.writes import save_privacy
from feed.posts.models import Audience
from feed.publishing.changes import change_audience
from feed.publishing.writes import delete_post
from finding.query import read_query
from finding.reads import find_best
from finding.words import words_in
from relations.blocks.writes import block, mute
from socialsite.table import ids, reading
from tests.conftest import post, publish_post
from tests.web.html import Html


def found(text: str, browser: Client | None = None) -> list[str]:
    answer = (browser or Client()).get("/search", {"tab": "posts", "q": text})
    assert answer.status_code == 200
    return Html(answer).post_ids()


def entries() -> list[str]:
    return [raw["word"]["S"] for raw in reading.scan() if raw["type"]["S"] == "WordEntry"]


@pytest.mark.parametrize(
    "text",
    [
        *("creme", "LÉGUMES", "soup creme", '"creme de legumes"', "soup -bread", "今天喝", "喝汤"),
        *("from:@alice creme", "#lunch soup", "creme before:2999-01-01", "creme after:2001-01-01"),
        '"creme',
    ],
)
def test_a_post_is_found_by_its_words(alice, bob, drain_stream, text):
    mine = post(alice, "Crème de légumes: soup! 今天喝汤 #lunch")
    post(bob, "A walk, with bread")
    drain_stream()
    assert found(text) == [mine]


@pytest.mark.parametrize(
    "text",
    [
        '"legumes creme"',
        "soup bread",
        "soup -creme",
        "from:@bob creme",
        "art",
        "天今",
        "soup lang:de",
    ],
)
def test_what_does_not_fit_is_not_found(alice, bob, drain_stream, text):
    post(alice, "Crème de légumes: party soup! 今天喝汤 #lunch")
    drain_stream()
    assert found(text) == []


def test_posts_for_fewer_people_never_enter_the_index(alice, drain_stream):
    for audience in (Audience.FOLLOWERS, Audience.ONLY_ME):
        publish_post(by=alice, content="Secret soup", nonce=ids.new_id(), audience=audience)
    drain_stream()
    assert entries() == []


def test_deletions_and_blocks_and_mutes_hold_before_the_worker_has_run(
    alice, bob, carol, log_in, drain_stream
):
    of_alice, of_bob = post(alice, "soup"), post(bob, "soup")
    drain_stream()
    block(by=alice, user_id=bob.user_id)
    mute(by=carol, user_id=alice.user_id)
    assert found("soup", log_in(alice)) == [of_alice]
    assert found("soup", log_in(bob)) == found("soup", log_in(carol)) == [of_bob]
    delete_post(by=bob, post_id=of_bob)
    assert found("soup") == [of_alice]
    drain_stream()
    assert entries() == ["soup"]


def test_who_does_not_want_it_is_not_found_and_their_entries_go(alice, drain_stream):
    mine = post(alice, "soup")
    drain_stream()
    choice = {"locked": False, "archived_before": None, "not_suggested": False}
    save_privacy(by=alice, not_indexed=False, not_searched=True, **choice)
    assert found("soup") == []
    drain_stream()
    assert entries() == []
    save_privacy(by=alice, not_indexed=False, not_searched=False, **choice)
    drain_stream()
    assert found("soup") == [mine]


def test_a_closed_post_leaves_the_index(alice, drain_stream):
    mine = post(alice, "soup")
    drain_stream()
    change_audience(by=alice, post_id=mine, audience=Audience.ONLY_ME)
    assert found("soup") == []
    drain_stream()
    assert entries() == []


@pytest.mark.parametrize(
    "text",
    [
        "a" * 10_000,
        "soup " * 500,
        '"',
        '""""',
        "\u202e\u200fsoup",
        "-",
        "from:",
        "#",
        "@",
        "before:x",
    ],
)
def test_whatever_is_typed_gets_an_answer(alice, drain_stream, text):
    post(alice, "soup")
    drain_stream()
    found(text)
    find_best(read_query(text))


def test_words_of_scripts_without_blanks_are_pairs():
    assert words_in("今天喝汤") == ["今天", "天喝", "喝汤"]
    assert words_in("the soup of https://example.org @alice") == ["soup"]
