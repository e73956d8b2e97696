"""Photos that are not for everyone show in apps: their addresses are for one reader and one token, need no cookie, and
open nothing once that reader may not see them."""

import re

import pytest
from django.conf import settings
from django.test import Client

from accounts.access.reads import Secret
from accounts.access.writes import end_access
from accounts.models import UserInfo, UserSettings
from accounts.people.restrictions import FOR_EVER
from feed.posts.models import Audience, Post
from feed.publishing.changes import change_audience
from feed.publishing.writes import delete_post
from photos import reads
from photos.files import PRIVATE
from photos.writes import remove_photo
from privacy.erasure.writes import close_account
from relations.blocks.writes import block
from relations.follows.writes import follow, unfollow
from socialsite.observing.logs import hide_secrets
from socialsite.table import change, keys
from tests.api.conftest import App, token_of
from tests.conftest import post
from tests.photos.conftest import *  # noqa: F403 - `folder`, `upload`

OPEN, GONE = 200, 404


def status(url: str) -> int:
    """What an `<img>` gets: nothing comes along that says for whom it is."""
    return Client().get(url).status_code


@pytest.fixture
def shown(alice, bob, upload):
    """A photo of alice's for her followers, its post, bob's token, and the address that his app got."""
    follow(by=bob, user_id=alice.user_id)
    photo = upload(alice)
    name = App(token_of(alice)).post(
        "/api/v1/statuses", status="Look", media_ids=photo.photo_id, visibility="private"
    )["id"]
    token = token_of(bob)
    (told,) = App(token).get(f"/api/v1/statuses/{name}")["media_attachments"]
    return photo, name, token, told["url"].removeprefix("http://testserver")


def test_a_photo_for_some_shows_without_a_cookie(shown, measure):
    _photo, _name, _token, url = shown
    assert url.startswith("/api/photos/")
    with measure() as measured:
        answer = Client().get(url)
    assert answer.status_code == OPEN
    assert answer["Content-Type"] == "image/webp"
    assert re.fullmatch(r"private, max-age=\d+, immutable", answer["Cache-Control"])
    assert answer["Cross-Origin-Resource-Policy"] == "cross-origin"
    assert "sandbox" in answer["Content-Security-Policy"]
    assert not answer.cookies
    assert len(measured.calls) == 2
    assert measured.read_units <= 6


def test_lists_give_the_same_addresses_and_visitors_get_none(shown, bob, drain_stream):
    _photo, name, token, _url = shown
    drain_stream()
    (first,) = App(token).get("/api/v1/timelines/home")
    assert first["id"] == name
    assert status(first["media_attachments"][0]["preview_url"]) == OPEN
    assert App().ask("get", f"/api/v1/statuses/{name}").status_code == 404


def token_ended(alice, bob, photo, name, token) -> None:
    end_access(user_id=bob.user_id, secret_hash=Secret.of(token).secret_hash)


def password_changed(alice, bob, photo, name, token) -> None:
    """All tokens of the account are of an earlier epoch now."""
    change(UserSettings, keys.user_settings(bob.user_id), [UserSettings.epoch.set(7)])


def reader_suspended(alice, bob, photo, name, token) -> None:
    change(UserInfo, keys.user_info(bob.user_id), [UserInfo.suspended_until.set(FOR_EVER)])


def reader_closed(alice, bob, photo, name, token) -> None:
    close_account(by=bob)


def author_suspended(alice, bob, photo, name, token) -> None:
    change(UserInfo, keys.user_info(alice.user_id), [UserInfo.suspended_until.set(FOR_EVER)])


def author_blocks(alice, bob, photo, name, token) -> None:
    block(by=alice, user_id=bob.user_id)


def reader_blocks(alice, bob, photo, name, token) -> None:
    block(by=bob, user_id=alice.user_id)


def follows_no_more(alice, bob, photo, name, token) -> None:
    unfollow(by=bob, user_id=alice.user_id)


def audience_narrowed(alice, bob, photo, name, token) -> None:
    change_audience(by=alice, post_id=name[:26], audience=Audience.ONLY_ME)


def moderators_hide(alice, bob, photo, name, token) -> None:
    change(Post, keys.post(alice.user_id, name[:26]), [Post.withheld.set("hidden")])


def post_deleted(alice, bob, photo, name, token) -> None:
    delete_post(by=alice, post_id=name[:26])


@pytest.mark.parametrize(
    "end",
    [
        token_ended,
        password_changed,
        reader_suspended,
        reader_closed,
        author_suspended,
        author_blocks,
        reader_blocks,
        follows_no_more,
        audience_narrowed,
        moderators_hide,
        post_deleted,
    ],
)
def test_it_opens_nothing_once_its_reader_may_not_see_it(alice, bob, shown, end):
    photo, name, token, url = shown
    assert status(url) == OPEN
    end(alice, bob, photo, name, token)
    answer = Client().get(url)
    assert (answer.status_code, answer.json()["error"]) == (GONE, "Record not found")


def test_it_ends_with_its_own_token_and_with_no_other(bob, shown):
    _photo, name, token, url = shown
    other = App(token_of(bob)).get(f"/api/v1/statuses/{name}")["media_attachments"][0]["url"]
    assert other != url
    end_access(user_id=bob.user_id, secret_hash=Secret.of(token).secret_hash)
    assert [status(url), status(other)] == [GONE, OPEN]


def test_it_dies_within_two_hours(shown, monkeypatch):
    *_rest, url = shown
    real = reads.time.time
    for hours, expected in ((1, OPEN), (2, GONE)):
        monkeypatch.setattr(reads.time, "time", lambda hours=hours: real() + hours * 3600)
        assert status(url) == expected


@pytest.mark.parametrize(
    "altered",
    [
        lambda url, bob, carol: url.replace(f"r={bob}", f"r={carol}"),
        lambda url, bob, carol: url.replace("&r=", "&x="),
        lambda url, bob, carol: re.sub(r"&r=.*", f"&r={bob}.{'A' * 43}", url),
        lambda url, bob, carol: re.sub(r"&s=[^&]+", "&s=AAAAAAAAAAAAAAAA", url),
        lambda url, bob, carol: re.sub(r"e=\d+", "e=99999999", url),
        lambda url, bob, carol: re.sub(r"e=\d+", "e=x", url),
        lambda url, bob, carol: re.sub(r"photos/[^/]+/", "photos/own/", url),
        lambda url, bob, carol: url.replace("1600.webp", "1601.webp"),
        lambda url, bob, carol: url.partition("?")[0],
    ],
    ids=["reader", "nobody", "token", "signature", "hour", "no-hour", "own", "size", "bare"],
)
def test_an_altered_address_opens_nothing(bob, carol, shown, altered):
    *_rest, url = shown
    asked = altered(url, bob.user_id, carol.user_id)
    assert asked != url
    assert status(asked) == GONE


def test_it_opens_no_other_photo_and_no_other_post(alice, bob, shown, upload):
    photo, name, _token, url = shown
    other = upload(alice)
    assert status(url.replace(photo.secret, other.secret)) == GONE
    assert status(url.replace(photo.photo_id, other.photo_id)) == GONE
    public = f"{post(alice)}{alice.user_id}"
    assert status(url.replace(name, public)) == GONE


def test_neither_kind_of_address_becomes_the_other(bob, shown, log_in):
    """Not even by the reader, with their own cookie, and whatever they put into the parts that they choose."""
    photo, name, _token, url = shown
    query = url.partition("?")[2]
    hour, signature = re.findall(r"[es]=([^&]+)", query)[:2]
    browser = log_in(bob)
    for owner in ("", name, f"{photo.photo_id} {photo.secret}"):
        address = f"/pm/{photo.secret}/480.webp"
        asked = {"e": hour, "s": signature, "o": owner, "u": ""}
        assert browser.get(address, asked).status_code == GONE
    theirs = reads.picture_url(photo.secret, 480, viewer_id=bob.user_id, owner_id=name[26:])
    signed = theirs.partition("?")[2].partition("&o=")[0]
    begun = url.partition("?")[0]
    reader = url.partition("&r=")[2]
    assert status(f"{begun}?{signed}&r={reader}") == GONE


def test_a_cookie_adds_nothing(bob, carol, shown, log_in):
    _photo, _name, token, url = shown
    end_access(user_id=bob.user_id, secret_hash=Secret.of(token).secret_hash)
    assert log_in(bob).get(url).status_code == GONE


def test_an_own_photo_shows_before_its_post_and_to_its_owner_alone(alice, bob, upload):
    photo = upload(alice)
    token = token_of(alice)
    told = App(token).get(f"/api/v1/media/{photo.photo_id}")
    assert [status(told[one]) for one in ("url", "preview_url")] == [OPEN, OPEN]
    assert status(told["url"].replace(alice.user_id, bob.user_id)) == GONE
    remove_photo(by=alice, photo_id=photo.photo_id)
    assert status(told["url"]) == GONE


def test_an_address_stays_good_when_the_photo_gets_its_copy_for_everyone(
    alice, bob, upload, drain_stream
):
    """Photos of an answer are private until the worker has copied them."""
    first = f"{post(alice)}{alice.user_id}"
    photo = upload(bob)
    app = App(token_of(bob))
    made = app.post(
        "/api/v1/statuses", status="Look", media_ids=photo.photo_id, in_reply_to_id=first
    )
    url = made["media_attachments"][0]["url"]
    assert "/api/photos/" in url
    drain_stream()
    assert "/m/" in app.get(f"/api/v1/statuses/{made['id']}")["media_attachments"][0]["url"]
    assert status(url) == OPEN


def test_it_says_nothing_that_opens_anything(shown):
    """Neither the token nor the secret of the site is in it, and the files are nowhere else."""
    photo, _name, token, url = shown
    assert token.partition(".")[2] not in url
    assert settings.SECRET_KEY not in url
    assert hide_secrets(f"GET {url} 200") == "GET /api/photos/… 200"
    for address in (f"/m/{photo.secret}/480.webp", f"/media/{PRIVATE}/{photo.secret}/480.webp"):
        assert status(address) == GONE
