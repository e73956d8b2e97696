"""Photos' files: everyone's at `/m/`, a viewer's own address at `/pm/`, and nothing in any other way."""

import pytest
from django.conf import settings
from django.test import Client

from accounts.models import UserInfo, UserSettings
from accounts.people.restrictions import FOR_EVER
from accounts.sessions import end_sign_in, list_sign_ins
from photos import reads
from photos.reads import get_photos, picture_url, share_url
from photos.writes import PhotoGone, attach, make_public, take_back
from privacy.erasure.writes import close_account
from relations.blocks.writes import block
from socialsite.table import change, ids, keys, transact
from tests.conftest import HTMX
from tests.photos.conftest import files_in


def status(browser, url: str) -> int:
    return browser.get(url).status_code


def own(viewer, photo_id):
    (photo,) = get_photos(viewer, [photo_id])
    return photo


def shift_hours(monkeypatch, hours: int) -> None:
    real = reads.time.time
    monkeypatch.setattr(reads.time, "time", lambda: real() + hours * 3600)


def test_a_new_photo_is_shown_to_its_owner_alone(alice, bob, log_in, upload):
    photo = upload(alice)
    url = picture_url(photo.secret, 480, viewer_id=alice.user_id)
    answer = log_in(alice).get(url)
    assert answer.status_code == 200
    assert answer["Content-Type"] == "image/webp"
    assert answer["Cache-Control"].startswith("private, max-age=")
    assert "sandbox" in answer["Content-Security-Policy"]
    assert [status(browser, url) for browser in (log_in(bob), Client())] == [404, 404]
    assert status(log_in(alice), f"/m/{photo.secret}/480.webp") == 404


def test_a_signed_address_costs_one_call(alice, log_in, upload, measure):
    url = picture_url(upload(alice).secret, 480, viewer_id=alice.user_id)
    browser = log_in(alice)
    with measure() as measured:
        assert status(browser, url) == 200
    assert [call.operation for call in measured.calls] == ["BatchGetItem"]
    assert measured.read_units == 1.5


def signed_out(browser, viewer) -> None:
    browser.post("/logout")


def ended_elsewhere(browser, viewer) -> None:
    for one in list_sign_ins(viewer):
        end_sign_in(by=viewer, secret_hash=one.secret_hash)


def suspended(browser, viewer) -> None:
    change(UserInfo, keys.user_info(viewer.user_id), [UserInfo.suspended_until.set(FOR_EVER)])


def closed(browser, viewer) -> None:
    close_account(by=viewer)


def renewed_password(browser, viewer) -> None:
    """All sign-ins of the account are of an earlier epoch now."""
    change(UserSettings, keys.user_settings(viewer.user_id), [UserSettings.epoch.set(7)])


@pytest.mark.parametrize("end", [signed_out, ended_elsewhere, suspended, closed, renewed_password])
def test_no_copy_of_a_cookie_opens_a_photo_once_its_sign_in_has_ended(alice, log_in, upload, end):
    url = picture_url(upload(alice).secret, 480, viewer_id=alice.user_id)
    browser, thief = log_in(alice), Client()
    name = settings.SESSION_COOKIE_NAME
    thief.cookies[name] = browser.cookies[name].value
    assert status(thief, url) == 200
    end(browser, alice)
    assert status(thief, url) == 404


@pytest.mark.parametrize(
    "end",
    [lambda a, b: block(by=a, user_id=b.user_id), lambda a, b: block(by=b, user_id=a.user_id)],
    ids=["owner", "viewer"],
)
def test_a_block_ends_the_addresses_of_the_others_photos(alice, bob, log_in, upload, measure, end):
    photo = upload(alice)
    url = picture_url(photo.secret, 480, viewer_id=bob.user_id, owner_id=alice.user_id)
    hers = picture_url(photo.secret, 480, viewer_id=alice.user_id, owner_id=alice.user_id)
    browser = log_in(bob)
    with measure() as measured:
        assert status(browser, url) == 200
    assert [call.operation for call in measured.calls] == ["BatchGetItem"]
    assert measured.read_units <= 2  # DynamoDB Local counts nothing for what is not there
    end(alice, bob)
    assert status(browser, url) == 404
    assert status(browser, url.partition("&o=")[0]) == 404
    assert status(browser, f"{url.partition('&o=')[0]}&o={bob.user_id}") == 404
    assert status(log_in(alice), hers) == 200


def test_a_signed_address_dies_within_two_hours(alice, log_in, upload, monkeypatch):
    url = picture_url(upload(alice).secret, 480, viewer_id=alice.user_id)
    browser = log_in(alice)
    shift_hours(monkeypatch, 1)
    assert status(browser, url) == 200
    shift_hours(monkeypatch, 1)
    assert status(browser, url) == 404


@pytest.mark.parametrize(
    "change",
    [
        lambda url: url.replace("480", "960"),  # the signature is for the photo, in each size
        lambda url: url[:-1] + ("A" if url[-1] != "A" else "B"),
        lambda url: url.partition("?")[0],
        lambda url: url.replace("e=", "e=9"),
        lambda url: url.replace("480.webp", "481.webp"),
        lambda url: url.replace("480.webp", "..%2F..%2Fowners"),
    ],
    ids=["size", "signature", "none", "hour", "no such size", "path"],
)
def test_an_altered_address_shows_nothing_else(alice, log_in, upload, change):
    url = picture_url(upload(alice).secret, 480, viewer_id=alice.user_id)
    altered = change(url)
    assert status(log_in(alice), altered) == (200 if "960.webp" in altered else 404)


def test_for_everyone_there_is_a_copy_under_another_secret(alice, log_in, upload):
    photo = upload(alice)
    public = make_public(photo)
    transact(attach(by=alice, photo_id=photo.photo_id, post_id=ids.new_id(), public_secret=public))
    answer = Client().get(picture_url(public, 960))
    assert answer.status_code == 200
    assert answer["Cache-Control"] == "public, max-age=86400, immutable"
    assert "Vary" not in answer or "Cookie" not in answer["Vary"]
    assert Client().get(share_url(public))["Content-Type"] == "image/jpeg"
    assert public != photo.secret
    assert status(Client(), f"/m/{photo.secret}/960.webp") == 404
    assert status(log_in(alice), picture_url(public, 960, viewer_id=alice.user_id)) == 404


def test_taken_back_it_is_gone_and_never_comes_back_under_that_address(alice, upload, drain_stream):
    photo = upload(alice)
    first = make_public(photo)
    post_id = ids.new_id()
    transact(attach(by=alice, photo_id=photo.photo_id, post_id=post_id, public_secret=first))
    transact(take_back(alice.user_id, photo.photo_id))
    drain_stream()
    assert status(Client(), picture_url(first, 480)) == 404
    second = make_public(own(alice, photo.photo_id))
    drain_stream()
    assert status(Client(), picture_url(second, 480)) == 200
    assert status(Client(), picture_url(first, 480)) == 404


def test_a_copy_for_a_post_that_never_came_is_deleted(alice, upload, folder, drain_stream):
    photo = upload(alice)
    public = make_public(photo)
    drain_stream()
    transact(attach(by=alice, photo_id=photo.photo_id, post_id=ids.new_id()))
    drain_stream()
    assert status(Client(), picture_url(public, 480)) == 404
    assert [name for name in files_in(folder) if "public" in name] == []


def test_a_photo_is_attached_once_and_by_its_owner_alone(alice, bob, upload):
    photo = upload(alice)
    with pytest.raises(PhotoGone):
        transact(attach(by=bob, photo_id=photo.photo_id, post_id=ids.new_id()))
    transact(attach(by=alice, photo_id=photo.photo_id, post_id=ids.new_id()))
    assert own(alice, photo.photo_id).ttl is None
    with pytest.raises(PhotoGone):
        transact(attach(by=alice, photo_id=photo.photo_id, post_id=ids.new_id()))


def test_a_public_copy_that_is_not_the_photos_is_not_attached(alice, upload):
    photo = upload(alice)
    make_public(photo)
    with pytest.raises(PhotoGone):
        transact(
            attach(by=alice, photo_id=photo.photo_id, post_id=ids.new_id(), public_secret="x" * 22)
        )


def test_htmx_does_not_get_a_picture_of_somebody_else(alice, bob, log_in, upload):
    url = picture_url(upload(alice).secret, 480, viewer_id=alice.user_id)
    assert log_in(bob).get(url, headers=HTMX).status_code == 404
