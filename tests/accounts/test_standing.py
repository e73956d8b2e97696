"""Accounts that are frozen, suspended, paused or waiting, and the page that says so."""

from io import BytesIO

import pytest
from django.conf import settings
from django.test import Client, RequestFactory

from accounts.middleware import read_people
from accounts.models import UserInfo, UserSettings
from accounts.people.cards import Kind, moment_text
from accounts.people.reads import get_user_info
from accounts.people.restrictions import Frozen, Restriction
from accounts.people.viewer import Viewer
from accounts.profile.writes import change_pictures, edit_profile, pause_account, remove_picture
from accounts.sessions import sign_out
from feed.likes.writes import like_post
from feed.posts.reads import Pointer
from feed.publishing.writes import publish_post
from feed.sharing.writes import repost
from relations.follows.writes import Locked, follow, request_follow
from relations.friends.writes import accept_friend, request_friend
from relations.own_choices.writes import favourite
from relations.relation import NotRelated
from socialsite.table import NotFound, change, get, ids, keys, query
from tests.accounts.pictures import encode, halves
from tests.conftest import HTMX, PASSWORD, post
from tests.moderation.cases import A_SECOND_AGO, let_wait, restrict
from tests.relations.scenes import ACCEPT, OFF, ON, befriend, lock, relationship
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


# People who are suspended, or wait for a moderator, are not there for others, and they may read why.

PRESSES = {"follow": ON, "friend": ON, "favourite": ON, "mute": ON | {"length": "1h"}, "block": ON}
SUSPENDED = Restriction.SUSPENDED
states = pytest.mark.parametrize("state", ["suspended", "waiting"])


def locked_out(person, state: str) -> None:
    if state == "waiting":
        let_wait(person)
    else:
        restrict(person, SUSPENDED)


@pytest.mark.parametrize("path", ["/@bob", "/@bob/followers", "/@bob/following"])
def test_of_a_suspended_person_there_is_one_sentence(bob, alice, log_in, path):
    restrict(bob, SUSPENDED)
    for browser in (Client(), log_in(alice)):
        response = browser.get(path)
        assert response.status_code == 410
        text, _, _ = Html(response).one("main").text.partition(" Request ID: ")
        assert text == "Suspended This account is suspended. Go to the home page"
        assert "Brandt" not in response.content.decode()


@pytest.mark.parametrize("path", ["/@bob", "/@bob/followers", "/@bob/following"])
def test_somebody_who_waits_has_never_been_there(bob, alice, log_in, path):
    let_wait(bob)
    for browser in (Client(), log_in(alice)):
        assert browser.get(path).status_code == 404


@states
def test_their_posts_are_not_there(bob, alice, log_in, state):
    post_id = post(bob)
    locked_out(bob, state)
    for path in ("", "/likers"):
        assert log_in(alice).get(f"/@bob/posts/{post_id}{path}").status_code == 404
    assert log_in(alice).post(f"/@bob/posts/{post_id}/like", ON).status_code == 404


@states
@pytest.mark.parametrize("locked", [False, True], ids=["open", "locked"])
@pytest.mark.parametrize("press", PRESSES)
def test_nobody_can_begin_anything_with_them(bob, alice, log_in, state, press, locked):
    lock(bob, locked=locked)
    locked_out(bob, state)
    before = relationship(alice, bob)
    browser = log_in(alice)
    for headers in ({}, HTMX):
        response = browser.post(f"/@bob/{press}", PRESSES[press], headers=headers)
        assert response.status_code == 404
    assert relationship(alice, bob) == before


@pytest.mark.parametrize("ask", ["mute", "block"])
def test_nobody_is_asked_about_them(bob, alice, log_in, ask):
    restrict(bob, SUSPENDED)
    assert log_in(alice).get(f"/@bob/{ask}").status_code == 410


def test_what_they_asked_for_cannot_be_granted(bob, alice, log_in):
    request_friend(by=bob, user_id=alice.user_id)
    restrict(bob, SUSPENDED)
    assert log_in(alice).post("/@bob/friend", ACCEPT).status_code == 409
    assert not relationship(alice, bob).is_friend


def test_what_one_has_with_them_can_be_taken_back(bob, alice, log_in):
    follow(by=alice, user_id=bob.user_id)
    restrict(bob, SUSPENDED)
    assert log_in(alice).post("/@bob/follow", OFF, headers=HTMX).status_code == 200
    assert not relationship(alice, bob).follows


def test_following_them_is_refused_as_a_locked_account_until_one_asks(bob, alice):
    restrict(bob, SUSPENDED)
    with pytest.raises(Locked):
        follow(by=alice, user_id=bob.user_id)
    with pytest.raises(NotFound):
        request_follow(by=alice, user_id=bob.user_id)


def test_a_friendship_outlasts_a_suspension(bob, alice, log_in):
    request_friend(by=alice, user_id=bob.user_id)
    accept_friend(by=bob, user_id=alice.user_id)
    restrict(bob, SUSPENDED)
    assert Html(log_in(alice).get("/friends")).handles() == []
    restrict(bob, SUSPENDED, lasts=A_SECOND_AGO)
    assert Html(log_in(alice).get("/friends")).handles() == ["bob"]


@states
def test_every_browser_of_theirs_is_a_visitors_at_its_next_request(bob, log_in, state):
    browsers = [log_in(bob), log_in(bob)]
    for browser in browsers:
        assert browser.get("/posts/new").status_code == 200
    locked_out(bob, state)
    for browser in browsers:
        page = Html(browser.get("/local"))
        assert page.all("a", href="/login")
        assert not page.all("form", id="act")


@pytest.mark.parametrize(
    ("state", "says"),
    [
        ("suspended", "Your account is suspended."),
        ("waiting", "Your account is waiting for approval."),
    ],
)
@pytest.mark.parametrize("path", ["/local", "/about", "/@alice", "/nowhere", "/login"])
def test_every_page_says_so_and_leads_to_why(bob, alice, log_in, state, says, path):
    locked_out(bob, state)
    banner = Html(log_in(bob).get(path)).one("p", class_="banner")
    assert says in banner.text
    assert Html(log_in(bob).get(path)).one("a", class_="banner-link")["href"] == "/standing"


@states
def test_what_needs_an_account_leads_to_why_and_does_nothing(bob, alice, log_in, state):
    browser = log_in(bob)
    locked_out(bob, state)
    liked = f"/@alice/posts/{post(alice)}/like"
    for path in ("/", "/favourites", "/settings/profile", "/posts/new"):
        assert browser.get(path)["Location"] == "/standing"
    for path, form in (
        ("/@alice/follow", ON),
        (liked, ON),
        ("/posts", {"content": "hi", "nonce": "n" * 22}),
        ("/settings/profile", {"name": "Changed"}),
    ):
        assert browser.post(path, form)["Location"] == "/standing"
        assert browser.post(path, form, headers=HTMX)["HX-Redirect"] == "/standing"
    assert not list(query(keys.followings(bob.user_id)))
    assert not list(query(keys.posts(bob.user_id)))
    assert get_user_info(bob.user_id).name == "Bob Brandt"


@states
def test_signing_in_leads_to_why_and_in_no_circle(bob, state):
    locked_out(bob, state)
    browser = Client()
    for following in ("", "/settings/profile"):
        form = {"account": "bob", "password": PASSWORD, "next": following}
        response = browser.post("/login", form, follow=True)
        assert response.status_code == 200
        assert response.redirect_chain[-1] == ("/standing", 302)


def test_they_can_sign_out(bob, log_in):
    browser = log_in(bob)
    restrict(bob, SUSPENDED)
    assert Html(browser.get("/standing")).one("form", action="/logout")
    assert browser.post("/logout")["Location"] == "/"
    assert not list(query(keys.sign_ins(bob.user_id)))
    assert not browser.cookies[settings.SESSION_COOKIE_NAME].value


def test_it_ends_on_time_and_nobody_has_to_sign_in_anew(bob, alice, log_in):
    browser = log_in(bob)
    restrict(bob, SUSPENDED)
    assert browser.get("/posts/new").status_code == 302
    restrict(bob, SUSPENDED, lasts=A_SECOND_AGO)
    assert browser.get("/posts/new").status_code == 200
    assert log_in(alice).get("/@bob").status_code == 200


def test_lists_that_one_takes_along_keep_them(bob, alice, log_in):
    follow(by=alice, user_id=bob.user_id)
    restrict(bob, SUSPENDED)
    response = log_in(alice).get("/settings/data/following_accounts.csv")
    assert "bob@testserver" in b"".join(response.streaming_content).decode()


def test_being_shut_out_costs_a_page_no_call(bob, log_in, measure):
    browser = log_in(bob)
    restrict(bob, SUSPENDED)
    for path in ("/about", "/help/keys"):
        with measure() as meter:
            browser.get(path)
        assert [call.operation for call in meter.calls] == ["BatchGetItem"]


# A paused account: hidden with everything kept, until its owner comes back. Where it is hidden is in
# tests/moderation/test_hidden_means_hidden.py.

PAGE, BACK = "/settings/pause", "/settings/pause/end"


def is_seen(handle: str) -> bool:
    return Client().get(f"/@{handle}").status_code == 200


def test_a_pause_hides_the_person_and_coming_back_shows_them(alice, log_in):
    browser = log_in(alice)
    address = f"/@alice/posts/{post(alice)}"
    for _ in range(2):  # sending it twice is harmless
        assert browser.post(PAGE).status_code == 302
    assert not is_seen("alice")
    assert Client().get(address).status_code == 404
    for _ in range(2):
        assert browser.post(BACK)["Location"] == "/"
    assert is_seen("alice")
    assert Client().get(address).status_code == 200


def test_signing_in_does_not_end_it(alice):
    pause_account(by=alice)
    browser = Client()
    browser.post("/login", {"account": "alice", "password": PASSWORD})
    assert not is_seen("alice")
    standing = Html(browser.get("/standing"))
    assert standing.one(class_="standing").text.startswith("Your account is paused")
    assert standing.one("form", action=BACK)
    assert Html(browser.get("/local")).one("a", class_="banner-link").text == "Come back"


def test_nobody_follows_or_befriends_a_paused_person(alice, bob, log_in):
    request_friend(by=alice, user_id=bob.user_id)
    pause_account(by=alice)
    assert log_in(bob).post("/@alice/follow", {"on": "1"}).status_code == 404
    with pytest.raises(NotRelated):
        accept_friend(by=bob, user_id=alice.user_id)


def test_coming_back_lifts_no_suspension(alice, log_in):
    browser = log_in(alice)
    browser.post(PAGE)
    restrict(alice, Restriction.SUSPENDED)
    browser.post(BACK)
    assert not get_user_info(alice.user_id).is_paused
    assert not is_seen("alice")


def test_looking_pauses_nobody(alice, log_in):
    assert Html(log_in(alice).get(PAGE)).one("form", action=PAGE)
    assert is_seen("alice")


# The page that says how one's account stands, and the banner that leads to it.

HEADINGS = {
    Restriction.SUSPENDED: "Your account is suspended",
    Restriction.FROZEN: "Your account is frozen",
    Restriction.LIMITED: "Your account is limited",
    Restriction.NO_MESSAGES: "You can’t write messages",
}


def headings(browser: Client) -> list[str]:
    return [heading.text for heading in Html(browser.get("/standing")).all("h2")][: len(HEADINGS)]


def tell(viewer) -> None:
    """What moderators do when they wrote something down for someone."""
    told = [UserSettings.notice.set("yes")]
    change(UserSettings, keys.user_settings(viewer.user_id), told)


def test_an_account_that_nobody_restricted_is_in_good_standing(alice, log_in):
    assert headings(log_in(alice))[0] == "Your account is in good standing"


@pytest.mark.parametrize("restriction", Restriction)
def test_it_says_what_is_restricted_and_until_when(alice, log_in, restriction):
    restrict(alice, restriction)
    page = Html(log_in(alice).get("/standing"))
    card = get_user_info(alice.user_id)
    until = getattr(card, f"{restriction}_until")
    section = page.one("section", class_="standing")
    assert HEADINGS[restriction] in section.text
    assert section.text.endswith(f"Ends on {moment_text(until)}")


@pytest.mark.parametrize("restriction", Restriction)
def test_what_does_not_end_by_itself_is_a_moderators_to_end(alice, log_in, restriction):
    restrict(alice, restriction, lasts=None)
    section = Html(log_in(alice).get("/standing")).one("section", class_="standing")
    assert section.text.endswith("This lasts until a moderator lifts it.")


@pytest.mark.parametrize("restriction", Restriction)
def test_what_is_over_is_not_there(alice, log_in, restriction):
    restrict(alice, restriction, lasts=A_SECOND_AGO)
    assert headings(log_in(alice))[0] == "Your account is in good standing"


def test_several_stand_there_with_the_gravest_first(alice, log_in):
    for restriction in reversed(HEADINGS):
        restrict(alice, restriction)
    assert headings(log_in(alice)) == list(HEADINGS.values())


def test_who_waits_reads_that_a_moderator_will_look(alice, log_in):
    let_wait(alice)
    assert headings(log_in(alice))[0] == "Your account is waiting for approval"


def test_a_notice_is_on_every_page_until_it_is_read(alice, log_in, measure):
    browser = log_in(alice)
    assert not Html(browser.get("/local")).all("p", class_="banner")
    tell(alice)
    for path in ("/", "/local", "/@alice"):
        assert Html(browser.get(path)).one("p", class_="banner").text == (
            "You have a message from a moderator. Read it"
        )
    assert Html(browser.get("/standing")).one("form", action="/standing")
    with measure() as meter:
        assert browser.post("/standing")["Location"] == "/"
    assert [call.operation for call in meter.calls] == ["BatchGetItem", "UpdateItem"]
    assert not Html(browser.get("/local")).all("p", class_="banner")
    assert not Html(browser.get("/standing")).all("form", action="/standing")


def test_reading_it_twice_and_without_a_notice_changes_nothing(alice, log_in):
    for _ in range(2):
        assert log_in(alice).post("/standing").status_code == 302
    assert get(UserSettings, keys.user_settings(alice.user_id)).notice is None


def test_looking_alone_does_not_take_it_away(alice, log_in):
    tell(alice)
    for _ in range(2):
        assert Html(log_in(alice).get("/standing")).all("form", action="/standing")


def test_one_reads_ones_own_alone(alice, bob, log_in):
    tell(alice)
    log_in(bob).post("/standing")
    assert get(UserSettings, keys.user_settings(alice.user_id)).notice == "yes"


def test_it_is_kept_by_no_cache(alice, log_in):
    assert log_in(alice).get("/standing")["Cache-Control"] == "no-store"


# What a page asks to be read together with its viewer, and what is never shown of it.


def asked_by(browser):
    """A request of this browser, whose people were not read."""
    request = RequestFactory().get("/explore")
    request.session, request.resolver_match = browser.session, None
    read_people(request)
    return request


def test_it_comes_with_the_viewer_in_one_call(alice, log_in, measure):
    request = asked_by(log_in(alice))
    request.people.read_beside(keys.user_info)
    request.people.read_beside(keys.suggestions)
    with measure() as meter:
        beside = request.user.beside
    assert [call.operation for call in meter.calls] == ["BatchGetItem"]
    assert beside[keys.user_info(alice.user_id)] is not None
    assert beside[keys.suggestions(alice.user_id)] is None


def test_asked_too_late_nothing_comes(alice, log_in):
    request = asked_by(log_in(alice))
    assert request.user.handle == "alice"
    request.people.read_beside(keys.user_info)
    assert request.user.beside == {}


def test_nothing_comes_for_who_signed_out_or_was_suspended(alice, log_in):
    browser = log_in(alice)
    change(
        UserInfo,
        keys.user_info(alice.user_id),
        [UserInfo.suspended_until.set("9999-12-31T00:00:00+00:00")],
    )
    request = asked_by(browser)
    request.people.read_beside(keys.user_info)
    assert request.user.locked_out
    assert request.user.beside == {}
    change(UserInfo, keys.user_info(alice.user_id), [UserInfo.suspended_until.remove()])
    read = asked_by(browser)
    sign_out(by=read.user)
    request = asked_by(browser)
    request.people.read_beside(keys.user_info)
    assert not request.user.is_authenticated
    assert request.user.beside == {}
