"""Cards that are kept are never stale and never of another reader: a page that is drawn from them is what a process
draws that has kept nothing, for each reader in turn, in each language, after each change."""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client

from accounts.models import UserInfo
from accounts.people.restrictions import Restriction
from accounts.people.viewer import Viewer
from accounts.profile.writes import change_handle, edit_profile
from feed.likes.writes import like_post
from feed.posts.models import Withheld
from feed.posts.reads import Pointer
from feed.sharing.writes import repost
from feed.templatetags import posts
from relations.blocks.writes import block, mute
from relations.muted_words.words import MutedWord
from relations.muted_words.writes import mute_word
from socialsite.process_state import reset_process_state
from socialsite.table import change, keys
from tests.conftest import browser_of, post
from tests.feed.scenes import (
    EVERYONE,
    FOLLOWERS,
    FRIENDS,
    ONLY_ME,
    answer,
    circle_of,
    clock_at,
    edit,
    post_photos,
    readers_of,
    say,
    show_to,
)
from tests.feed.scenes import photo as uploaded
from tests.moderation.cases import mark_sensitive, restrict, withhold

OF_THE_PAGE = re.compile(r'name="(?:csrfmiddlewaretoken|nonce|draft)"\s+value="[\w-]*"')
LANGUAGES = ("en", "de")


def read(browser: Client, address: str, language: str) -> str:
    """What someone sees there, without what is another one on each page."""
    answer = browser.get(address, headers={"Accept-Language": language})
    assert answer.status_code == 200
    return OF_THE_PAGE.sub("", answer.content.decode())


def assert_as_anew(browsers: dict[str, Client], *addresses: str) -> dict[str, str]:
    """Everyone reads in turn, twice, what others' pages have kept; then each from a process that has nothing.
    Returns what they saw at the first address in English."""
    places = [(address, language) for address in addresses for language in LANGUAGES]
    for place in places:
        for browser in browsers.values():
            read(browser, *place)
    seen = {}
    for place in places:
        for who, browser in browsers.items():
            warm = read(browser, *place)
            posts.CARDS.forget()
            posts.BUTTONS.forget()
            posts.MENUS.forget()
            reset_process_state()
            assert warm == read(browser, *place), (who, place)
            seen.setdefault(who, warm)
    return seen


@pytest.fixture
def browsers(alice, bob, carol, mod) -> dict[str, Client]:
    people = {"alice": alice, "bob": bob, "carol": carol, "mod": mod}
    return {name: browser_of(one) for name, one in people.items()} | {"a visitor": Client()}


Change = Callable[[Viewer, Viewer, str], Any]
CHANGES: dict[str, Change] = {
    "liked by a reader": lambda alice, bob, one: like_post(
        by=bob, post_id=one, author_id=alice.user_id
    ),
    "reposted by a reader": lambda alice, bob, one: repost(
        by=bob, post=Pointer(one, alice.user_id)
    ),
    "answered": lambda alice, bob, one: answer(bob, alice, one),
    "edited": lambda alice, _bob, one: edit(alice, one, "Something *else* <b>now</b>"),
    "for followers": lambda alice, _bob, one: show_to(alice, one, FOLLOWERS),
    "for its author": lambda alice, _bob, one: show_to(alice, one, ONLY_ME),
    "hidden": lambda alice, _bob, one: withhold(alice, one),
    "held": lambda alice, _bob, one: withhold(alice, one, Withheld.HELD),
    "sensitive": lambda alice, _bob, one: mark_sensitive(alice, one),
    "its author has another handle": lambda alice, _bob, _one: change_handle(
        by=alice, handle="alicia"
    ),
    "its author has another name": lambda alice, _bob, _one: edit_profile(
        by=alice, bio="", name="Al <b>ice</b>"
    ),
    "its author has another picture": lambda alice, _bob, _one: change(
        UserInfo, keys.user_info(alice.user_id), [UserInfo.avatar.set("avatars/new.webp")]
    ),
    "its author is limited": lambda alice, _bob, _one: restrict(alice, Restriction.LIMITED),
    "its author is suspended": lambda alice, _bob, _one: restrict(alice, Restriction.SUSPENDED),
    "its author is blocked by a reader": lambda alice, bob, _one: block(
        by=bob, user_id=alice.user_id
    ),
    "a reader is blocked": lambda alice, bob, _one: block(by=alice, user_id=bob.user_id),
    "a reader mutes its word": lambda _alice, bob, _one: mute_word(by=bob, word=MutedWord("hello")),
    "a reader leaves its word out": lambda _alice, bob, _one: mute_word(
        by=bob, word=MutedWord("hello", folds=False)
    ),
}


@pytest.mark.parametrize("change_name", CHANGES)
def test_after_a_change_each_reader_sees_what_holds_now(
    alice, bob, browsers, drain_stream, change_name
):
    one = post(alice, "Hello to everyone")
    post(bob, "Hello from me")
    drain_stream()
    before = assert_as_anew(browsers, "/local")
    CHANGES[change_name](alice, bob, one)
    drain_stream()
    after = assert_as_anew(browsers, "/local")
    assert after != before


def test_each_reader_sees_the_posts_that_are_for_them(alice, drain_stream):
    readers = readers_of(alice)
    circle_id = circle_of(alice, readers["circle"])
    for audience in (EVERYONE, FOLLOWERS, FRIENDS, ONLY_ME):
        say(alice, audience, content=f"for {audience or 'everyone'}")
    say(alice, "circle", circle_id, content="for a circle")
    drain_stream()
    browsers = {name: browser_of(one) for name, one in readers.items()}
    browsers |= {"alice": browser_of(alice), "a visitor": Client()}
    seen = assert_as_anew(browsers, "/@alice", "/")
    shown = {
        who: set(re.findall(r"for (\w+)</div>|for (a circle)</div>", page))
        for who, page in seen.items()
    }
    assert len(shown["alice"]) == 5
    assert len(shown["a visitor"]) == len(shown["stranger"]) == 1
    assert len({len(one) for one in shown.values()}) >= 3


def test_photos_for_everyone_are_kept_and_signed_ones_are_not(alice, bob, browsers, drain_stream):
    for name, audience in (("open", EVERYONE), ("closed", FRIENDS)):
        post_photos(alice, uploaded(alice), content=name, audience=audience)
    drain_stream()
    seen = assert_as_anew(browsers, "/@alice")
    assert "signature" not in seen["a visitor"]


def test_time_passes_on_cards_that_are_kept(alice, browsers):
    post(alice, "Hello")
    now = datetime.now(UTC)
    shown = []
    for later in (timedelta(0), timedelta(minutes=5), timedelta(hours=3), timedelta(days=2)):
        with clock_at(now + later):
            page = read(browsers["bob"], "/@alice", "en")
            shown.append(re.search(r"<time [^>]*>(\w+)</time>", page)[1])
    assert shown == ["now", "5m", "3h", "2d"]
    assert len(posts.CARDS) == 1


def test_marks_counts_and_the_page_to_come_back_to_are_each_readers_own(
    alice, bob, carol, browsers
):
    one = post(alice, "Hello")
    like_post(by=bob, post_id=one, author_id=alice.user_id)
    reset_process_state()
    pressed = {
        who: 'aria-pressed="true"' in read(browsers[who], "/@alice?x=" + who, "en")
        for who in ("bob", "carol", "bob")
    }
    assert pressed == {"bob": True, "carol": False}
    assert "%3Fx%3Dcarol" not in read(browsers["bob"], "/@alice?x=bob", "en")
    assert len(posts.CARDS) == 1


def test_one_card_is_kept_for_all_its_readers_in_a_language(alice, bob, browsers):
    post(alice, "Hello")
    reset_process_state()
    others = [browsers[who] for who in ("bob", "carol")]
    for browser in others:
        read(browser, "/@alice", "en")
        read(browser, "/local", "en")
    assert len(posts.CARDS) == 1
    read(others[0], "/@alice", "de")
    assert len(posts.CARDS) == 2


def test_muting_someone_leaves_their_kept_cards_out(alice, bob, carol, browsers, drain_stream):
    post(alice, "Hello")
    drain_stream()
    assert "Hello" in read(browsers["bob"], "/local", "en")
    mute(by=bob, user_id=alice.user_id)
    assert "Hello" not in read(browsers["bob"], "/local", "en")
    assert "Hello" in read(browsers["carol"], "/local", "en")
