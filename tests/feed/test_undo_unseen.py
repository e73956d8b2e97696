"""What someone did with a post can be taken back after the post was hidden from them: undoing asks for no sight."""

import pytest
from django.test import Client

from accounts.people.restrictions import Restriction
from accounts.people.viewer import Viewer
from feed.likes.writes import like_post
from feed.posts.models import Audience
from feed.posts.reads import Pointer
from feed.publishing.changes import change_audience
from feed.sharing.writes import repost
from feed.threads.writes import leave_thread, set_reply_aside
from relations.blocks.writes import block, mute, unblock
from relations.own_choices.writes import hide_reposts
from socialsite.table import fetch, keys
from socialsite.table.ids import new_id
from tests.conftest import HTMX, post
from tests.feed.answers import answer
from tests.looks import broken_invariants
from tests.moderation.restricting import restrict
from tests.relations.relations import relationship
from tests.web.html import Html

OFF = {"on": "0"}
DEEDS = ["like", "repost"]
LISTS = {"like": "/@alice/likes", "repost": "/@alice"}


@pytest.fixture
def post_id(bob) -> str:
    return post(bob, "Bob says so")


def do(deed: str, by: Viewer, author: Viewer, post_id: str) -> None:
    if deed == "like":
        like_post(by=by, post_id=post_id, author_id=author.user_id)
    else:
        repost(by=by, post=Pointer(post_id, author.user_id))


def narrow(alice: Viewer, bob: Viewer, post_id: str) -> None:
    change_audience(by=bob, post_id=post_id, audience=Audience.ONLY_ME)


HIDING = {
    "blocked by the author": lambda alice, bob, post_id: block(by=bob, user_id=alice.user_id),
    "blocking the author": lambda alice, bob, post_id: block(by=alice, user_id=bob.user_id),
    "for the author alone": narrow,
    "of someone suspended": lambda alice, bob, post_id: restrict(bob, Restriction.SUSPENDED),
}


def traces(viewer: Viewer, post_id: str) -> list[str]:
    wanted = [
        keys.like(post_id, viewer.user_id),
        keys.reposter(post_id, viewer.user_id),
        keys.like_trace(viewer.user_id, post_id),
    ]
    return [raw["type"]["S"] for raw in fetch(wanted, consistent=True).values()]


@pytest.mark.parametrize("hidden", HIDING)
@pytest.mark.parametrize("deed", DEEDS)
def test_a_button_from_before_still_undoes(alice, bob, post_id, log_in, deed, hidden):
    do(deed, alice, bob, post_id)
    HIDING[hidden](alice, bob, post_id)
    browser = log_in(alice)
    assert browser.get(f"/@bob/posts/{post_id}").status_code == 404
    response = browser.post(f"/@bob/posts/{post_id}/{deed}", OFF, headers=HTMX)
    assert response.status_code == 200
    assert traces(alice, post_id) == []


@pytest.mark.parametrize("hidden", HIDING)
@pytest.mark.parametrize("deed", DEEDS)
def test_the_own_list_keeps_a_place_for_it_and_undoes_it_there(
    alice, bob, post_id, log_in, drain_stream, deed, hidden
):
    do(deed, alice, bob, post_id)
    HIDING[hidden](alice, bob, post_id)
    drain_stream()
    browser = log_in(alice)
    page = Html(browser.get(LISTS[deed]))
    assert "no longer available" in page.one("div", id=f"unseen-{post_id}").text
    assert "Bob" not in page.one("div", id=f"unseen-{post_id}").text
    address = page.one("button", name="on", value="0")["formaction"]
    response = browser.post(address, OFF)
    assert response["Location"] == LISTS[deed]
    assert traces(alice, post_id) == []
    assert not Html(browser.get(LISTS[deed])).all("div", id=f"unseen-{post_id}")
    drain_stream()
    assert not broken_invariants()


def test_a_repost_taken_back_meanwhile_does_not_return_with_its_post(
    alice, bob, carol, post_id, log_in
):
    repost(by=alice, post=Pointer(post_id, bob.user_id))
    change_audience(by=bob, post_id=post_id, audience=Audience.ONLY_ME)
    log_in(alice).post(f"/@alice/posts/{post_id}/repost", OFF)
    change_audience(by=bob, post_id=post_id, audience=Audience.EVERYONE)
    assert Html(log_in(carol).get("/@alice")).post_ids() == []


def test_others_see_no_place_for_a_post_that_is_hidden_from_them(
    alice, bob, carol, post_id, log_in
):
    repost(by=alice, post=Pointer(post_id, bob.user_id))
    block(by=bob, user_id=carol.user_id)
    for browser in (log_in(carol), Client()):
        assert "unseen-" not in browser.get("/@alice").content.decode()


def test_the_own_page_shows_what_can_be_seen_in_its_order(alice, bob, carol, log_in):
    first, hidden, seen = post(alice, "First"), post(bob), post(carol)
    for author, one in ((bob, hidden), (carol, seen)):
        repost(by=alice, post=Pointer(one, author.user_id))
    block(by=bob, user_id=alice.user_id)
    page = Html(log_in(alice).get("/@alice"))
    assert page.post_ids() == [seen, first]
    assert page.one("div", id=f"unseen-{hidden}")


@pytest.mark.parametrize("deed", DEEDS)
def test_the_answer_does_not_say_whether_the_post_is_there(alice, bob, post_id, log_in, deed):
    block(by=bob, user_id=alice.user_id)
    browser = log_in(alice)
    addresses = (f"/@bob/posts/{post_id}", f"/@bob/posts/{new_id()}", f"/@nobody/posts/{post_id}")
    answers = [browser.post(f"{one}/{deed}", OFF) for one in addresses]
    assert [(one.status_code, one["Location"]) for one in answers] == [(302, "/")] * 3


@pytest.mark.parametrize("deed", DEEDS)
def test_nobody_begins_with_a_post_that_they_may_not_see(alice, bob, post_id, log_in, deed):
    block(by=bob, user_id=alice.user_id)
    response = log_in(alice).post(f"/@bob/posts/{post_id}/{deed}", {"on": "1"})
    assert response.status_code == 404
    assert traces(alice, post_id) == []


@pytest.mark.parametrize("where", ["root", "reply", "own reply"])
def test_a_conversation_that_was_left_is_joined_again_from_a_hidden_post(
    alice, bob, carol, post_id, log_in, where
):
    posts = {
        "root": ("bob", post_id),
        "reply": ("bob", answer(bob, bob, post_id)),
        "own reply": ("alice", answer(alice, bob, post_id)),
    }
    leave_thread(by=alice, root_id=post_id)
    block(by=bob, user_id=alice.user_id)
    browser, (handle, at) = log_in(alice), posts[where]
    assert browser.post(f"/@{handle}/posts/{at}/leave", OFF).status_code == 302
    assert not fetch([keys.left_thread(alice.user_id, post_id)], consistent=True)


def test_a_reply_that_was_hidden_is_shown_again_after_its_author_blocks(alice, bob, carol, log_in):
    root = post(alice)
    reply = answer(bob, alice, root)
    set_reply_aside(by=alice, reply=Pointer(reply, bob.user_id), on=True)
    block(by=bob, user_id=alice.user_id)
    response = log_in(alice).post(f"/@bob/posts/{reply}/hide", OFF)
    assert response["Location"] == f"/@alice/posts/{root}"
    assert "Hidden by" not in log_in(carol).get(f"/@alice/posts/{root}").content.decode()


def test_a_mute_and_hidden_reposts_end_while_the_person_blocks_the_viewer(alice, bob, log_in):
    mute(by=alice, user_id=bob.user_id)
    hide_reposts(by=alice, user_id=bob.user_id)
    block(by=bob, user_id=alice.user_id)
    browser = log_in(alice)
    for what in ("mute", "hide-reposts"):
        assert browser.post(f"/@bob/{what}", OFF).status_code == 404
    unblock(by=bob, user_id=alice.user_id)
    assert not relationship(alice, bob).mutes
    assert "Show reposts" not in browser.get("/@bob").content.decode()


@pytest.mark.parametrize("form", [{}, {"place": "muted"}])
@pytest.mark.parametrize("what", ["mute", "block", "follow", "favourite", "friend"])
def test_what_is_between_oneself_and_someone_suspended_ends(alice, bob, log_in, what, form):
    restrict(bob, Restriction.SUSPENDED)
    response = log_in(alice).post(f"/@bob/{what}", OFF | form, headers=HTMX)
    assert response.status_code in (200, 204)
