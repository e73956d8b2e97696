"""Who is frozen reads everything and says nothing; what takes back, hides or is one's own alone stays possible."""

from io import BytesIO

import pytest

from accounts.people.cards import Kind, moment_text
from accounts.people.reads import get_user_info
from accounts.people.restrictions import Frozen, Restriction
from accounts.people.viewer import Viewer
from accounts.profile.writes import change_pictures, edit_profile, remove_picture
from feed.likes.writes import like_post
from feed.posts.reads import Pointer
from feed.publishing.writes import publish_post
from feed.sharing.writes import repost
from relations.follows.writes import follow, request_follow
from relations.friends.writes import accept_friend, request_friend
from relations.own_choices.writes import favourite
from socialsite.table import ids, keys, query
from tests.accounts.pictures import encode, halves
from tests.conftest import HTMX, post
from tests.moderation.restricting import A_SECOND_AGO, restrict
from tests.relations.relations import ACCEPT, OFF, ON, befriend, lock, relationship
from tests.web.html import Html

FROZEN = Restriction.FROZEN
POST = {"content": "Hello", "nonce": "n" * 22}


@pytest.fixture
def frozen(alice) -> Viewer:
    """Alice, as her next request reads her."""
    restrict(alice, FROZEN)
    return Viewer(alice.user_id, "", get_user_info(alice.user_id, viewer=alice))


def likes(post_id: str) -> int:
    return len(list(query(keys.likes(post_id))))


@pytest.mark.parametrize(
    "service",
    [
        lambda by, other: publish_post(by=by, content="Hello", nonce="n" * 22),
        lambda by, other: like_post(by=by, post_id=ids.new_id(), author_id=other.user_id),
        lambda by, other: repost(by=by, post=Pointer(ids.new_id(), other.user_id)),
        lambda by, other: follow(by=by, user_id=other.user_id),
        lambda by, other: request_follow(by=by, user_id=other.user_id),
        lambda by, other: request_friend(by=by, user_id=other.user_id),
        lambda by, other: accept_friend(by=by, user_id=other.user_id),
        lambda by, other: favourite(by=by, user_id=other.user_id),
        lambda by, other: edit_profile(by=by, bio="Hello"),
        lambda by, other: change_pictures(
            by=by, uploads={Kind.AVATAR: BytesIO(encode(halves(), "PNG"))}
        ),
    ],
    ids=["publish", "like", "repost", "follow", "ask-to-follow", "ask-to-be-friends", "accept-friend",
         "favourite", "edit-profile", "change-pictures"],
)  # fmt: skip
def test_every_service_that_others_would_see_is_refused_before_it_asks_anything(
    frozen, bob, service, measure
):
    with measure() as meter, pytest.raises(Frozen):
        service(frozen, bob)
    assert meter.calls == []


@pytest.mark.parametrize(
    ("address", "form"),
    [
        ("/posts", POST),
        ("/@bob/posts/{post}/like", ON),
        ("/@bob/posts/{post}/repost", ON),
        ("/@bob/follow", ON),
        ("/@bob/friend", ON),
        ("/@bob/friend", ACCEPT),
        ("/@bob/favourite", ON),
        ("/settings/profile", {"name": "Changed"}),
        ("/welcome", {"bio": "Changed"}),
    ],
)
def test_every_press_is_answered_with_why_and_changes_nothing(
    frozen, alice, bob, log_in, address, form
):
    request_friend(by=bob, user_id=alice.user_id)
    address, browser, before = (
        address.format(post=post(bob)),
        log_in(alice),
        relationship(alice, bob),
    )
    response = browser.post(address, form)
    page = Html(response).one("main")
    assert response.status_code == 403
    assert frozen.card.frozen_text in page.text
    assert Html(response).all("a", href="/standing")
    toast = browser.post(address, form, headers=HTMX)
    assert toast.status_code == 403
    assert "you can\\u2019t post" in toast["HX-Trigger"]
    assert relationship(alice, bob) == before
    assert get_user_info(alice.user_id).bio == ""
    assert not list(query(keys.posts(alice.user_id)))


def test_it_says_until_when(frozen, alice):
    until = moment_text(frozen.card.frozen_until)
    assert frozen.card.frozen_text.startswith(f"Until {until} you can read")
    restrict(alice, FROZEN, lasts=None)
    for_ever = get_user_info(alice.user_id)
    assert for_ever.frozen_text.startswith("Until a moderator lifts this")


@pytest.mark.parametrize("path", ["/", "/posts/new"])
def test_in_place_of_the_form_stands_why(frozen, alice, log_in, path):
    page = Html(log_in(alice).get(path))
    assert not page.all("textarea")
    assert frozen.card.frozen_text in page.one("main").text
    assert page.all("a", href="/standing")
    restrict(alice, FROZEN, lasts=A_SECOND_AGO)
    assert Html(log_in(alice).get(path)).all("textarea")


def test_what_takes_back_stays_possible(alice, bob, log_in):
    liked, own = post(bob), post(alice)
    follow(by=alice, user_id=bob.user_id)
    favourite(by=alice, user_id=bob.user_id)
    like_post(by=alice, post_id=liked, author_id=bob.user_id)
    befriend(alice, bob)
    restrict(alice, FROZEN)
    browser = log_in(alice)
    for address in (
        "/@bob/follow",
        "/@bob/favourite",
        "/@bob/friend",
        f"/@bob/posts/{liked}/like",
        f"/@alice/posts/{own}/delete",
    ):
        assert browser.post(address, OFF).status_code == 302
    now = relationship(alice, bob)
    assert not any((now.follows, now.is_favourite, now.is_friend))
    assert likes(liked) == 0
    assert not list(query(keys.posts(alice.user_id)))


def test_settings_mutes_and_blocks_stay_possible(alice, bob, log_in):
    restrict(alice, FROZEN)
    browser = log_in(alice)
    for address, form in (
        ("/@bob/mute", ON | {"length": "1h"}),
        ("/@bob/block", ON),
        ("/settings/privacy", {"locked": "on", "pending": "keep"}),
        ("/settings/appearance", {"theme": "dark", "language": "de"}),
    ):
        assert browser.post(address, form).status_code == 302
    assert browser.get("/settings/data/blocked_accounts.csv").status_code == 200
    now = relationship(alice, bob)
    assert now.mutes
    assert now.blocks
    still_alice = Viewer(alice.user_id, "", get_user_info(alice.user_id))
    for kind in Kind:
        remove_picture(by=still_alice, kind=kind)


def test_everything_can_be_read(alice, bob, log_in):
    shown = post(bob)
    restrict(alice, FROZEN)
    for path in ("/", "/local", "/@bob", f"/@bob/posts/{shown}", "/friends", "/explore"):
        assert log_in(alice).get(path).status_code == 200


def test_a_locked_account_is_not_asked_either(frozen, alice, bob, log_in):
    lock(bob)
    assert log_in(alice).post("/@bob/follow", ON).status_code == 403
    assert not relationship(alice, bob).asked_to_follow


def test_it_ends_on_time(alice, bob, log_in):
    restrict(alice, FROZEN, lasts=A_SECOND_AGO)
    assert log_in(alice).post("/posts", POST).status_code == 302
