"""The number of posts on a profile is the number that everyone may see; the author alone reads all."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client

from accounts.profile.writes import save_privacy
from feed.posts.models import Audience
from feed.publishing.writes import delete_post, publish_post
from moderation.cases.effects import Target, effects_of, effects_of_undoing
from moderation.models import ActionKind
from relations.follows.writes import follow
from socialsite.table import ids, transact
from tests.conftest import HTMX, post
from tests.looks import broken_invariants
from tests.relations.relations import befriend
from tests.web.html import Html

CLOSED = [Audience.FOLLOWERS, Audience.FRIENDS, Audience.ONLY_ME]


def closed_post(author, audience: str = Audience.FRIENDS) -> str:
    return publish_post(by=author, content="Sh!", nonce=ids.new_id(), audience=audience)


def counted(browser: Client) -> str | None:
    """The number on Bob's profile, None where there is none."""
    counts = Html(browser.get("/@bob")).one("ul", class_="counts").text
    found = re.search(r"(\d+)\s+posts?\b", counts)
    return found[1] if found else None


@pytest.fixture
def browsers(alice, bob, carol, log_in, drain_stream) -> dict[str, Client]:
    """Alice is a stranger to Bob; Carol follows him and is a friend."""
    follow(by=carol, user_id=bob.user_id)
    befriend(bob, carol)
    drain_stream()
    members = {"stranger": alice, "friend": carol, "author": bob}
    return {"visitor": Client()} | {kind: log_in(one) for kind, one in members.items()}


def seen(browsers) -> dict[str, str | None]:
    return {kind: counted(browser) for kind, browser in browsers.items()}


def all_see(others: str | None, *, author: str) -> dict[str, str | None]:
    return {"visitor": others, "stranger": others, "friend": others, "author": author}


def test_posts_for_some_are_counted_for_the_author_alone(bob, browsers, drain_stream):
    for _ in range(2):
        post(bob)
    for audience in CLOSED:
        closed_post(bob, audience)
    assert seen(browsers) == all_see("2", author="5")
    drain_stream()
    assert not broken_invariants()


def test_publishing_one_changes_nothing_that_others_read(bob, browsers):
    post(bob)
    before = seen(browsers)
    form = {"content": "Sh!", "nonce": "n" * 22, "audience": "friends"}
    assert browsers["author"].post("/posts", form, headers=HTMX).status_code == 200
    assert seen(browsers) == before | {"author": "2"}


@pytest.mark.parametrize("audience", ["", *CLOSED])
def test_a_deleted_post_is_counted_no_more(bob, browsers, drain_stream, audience):
    post(bob)
    closed_post(bob)
    post_id = closed_post(bob, audience)
    for _ in range(2):
        delete_post(by=bob, post_id=post_id)
    assert seen(browsers) == all_see("1", author="2")
    drain_stream()
    assert not broken_invariants()


def test_hiding_and_showing_a_post_for_some_tells_others_nothing(bob, browsers, drain_stream):
    posts = (post(bob), closed_post(bob), closed_post(bob, Audience.ONLY_ME))
    target = Target(bob.user_id, posts[1:])
    for effects, author in ((effects_of, "1"), (effects_of_undoing, "3")):
        transact(*effects(ActionKind.HIDE, target))
        assert seen(browsers) == all_see("1", author=author)
        drain_stream()
        assert not broken_invariants()
    transact(*effects_of(ActionKind.HIDE, Target(bob.user_id, posts)))
    assert seen(browsers) == all_see("0", author="0")
    drain_stream()
    assert not broken_invariants()


def test_a_locked_archive_shows_others_no_number(bob, browsers):
    post(bob)
    tomorrow = datetime.now(UTC) + timedelta(days=1)
    save_privacy(
        by=bob, locked=False, archived_before=tomorrow, not_suggested=False, not_indexed=False
    )
    assert seen(browsers) == all_see(None, author="1")
