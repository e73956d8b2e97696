"""The album: a person's own photos, described and deleted there; a deleted photo takes its files along."""

from datetime import timedelta

import pytest

from photos.reads import get_photos, list_album
from photos.writes import (
    PhotoGone,
    PhotoInUse,
    attach,
    enclose,
    keep,
    make_public,
    release,
    remove_photo,
)
from socialsite.clock import utc_now
from socialsite.streams.worker import Worker
from socialsite.table import Erase, ids, keys, transact
from tests.conftest import HTMX
from tests.photos.conftest import files_in
from tests.web.html import Html


def alt_of(viewer, photo_id: str) -> str | None:
    return get_photos(viewer, [photo_id])[0].alt


def test_the_album_shows_the_own_photos_newest_first(alice, bob, log_in, upload):
    first, second = upload(alice), upload(alice)
    upload(bob)
    assert [one.photo_id for one in list_album(alice).items] == [second.photo_id, first.photo_id]
    page = log_in(alice).get("/photos").content.decode()
    assert page.index(second.photo_id) < page.index(first.photo_id)
    assert "Kept until" in page


def test_the_menu_leads_to_the_album(alice, log_in):
    (link,) = Html(log_in(alice).get("/")).all("a", href="/photos")
    assert link.text.strip() == "Photos"


def test_a_photo_in_a_post_says_so_and_stays(alice, log_in, upload):
    photo, post_id = upload(alice), ids.new_id()
    transact(attach(by=alice, photo_id=photo.photo_id, post_id=post_id))
    browser = log_in(alice)
    html = Html(browser.get("/photos"))
    assert html.one("a", href=f"/@alice/posts/{post_id}").text.strip() == "Used in a post"
    assert browser.post(f"/photos/{photo.photo_id}/delete").status_code == 409
    with pytest.raises(PhotoInUse):
        remove_photo(by=alice, photo_id=photo.photo_id)
    described = browser.post(f"/photos/{photo.photo_id}/description", {"description": "later"})
    assert described.status_code == 409
    assert alt_of(alice, photo.photo_id) is None


@pytest.mark.parametrize("headers", [None, HTMX], ids=["page", "htmx"])
def test_a_deleted_photo_takes_its_files_along(
    alice, log_in, upload, folder, drain_stream, headers
):
    photo = upload(alice)
    for _ in range(2):
        answer = log_in(alice).post(f"/photos/{photo.photo_id}/delete", headers=headers)
        assert answer.status_code == (200 if headers else 302)
    drain_stream()
    assert files_in(folder) == []
    assert get_photos(alice, [photo.photo_id]) == []


def test_played_twice_the_deletion_harms_no_other_photo(alice, upload, folder):
    gone, stays = upload(alice), upload(alice)
    transact(Erase(keys.photo(alice.user_id, gone.photo_id)))
    for _ in range(2):
        Worker().drain()
    assert {name.split("/")[1] for name in files_in(folder) if "private/" in name} == {stays.secret}


def test_nobody_deletes_or_describes_the_photo_of_another_person(alice, bob, log_in, upload):
    photo, browser = upload(alice, description="mine"), log_in(bob)
    browser.post(f"/photos/{photo.photo_id}/delete")
    answer = browser.post(f"/photos/{photo.photo_id}/description", {"description": "x"})
    assert answer.status_code == 404
    assert alt_of(alice, photo.photo_id) == "mine"


def test_a_description_is_saved_twice_without_harm_and_taken_away(alice, log_in, upload):
    photo, browser = upload(alice), log_in(alice)
    address = f"/photos/{photo.photo_id}/description"
    for _ in range(2):
        assert browser.post(address, {"description": "Two <halves>"}).status_code == 302
    assert alt_of(alice, photo.photo_id) == "Two <halves>"
    shown = browser.post(address, {"description": "Other"}, headers=HTMX)
    assert 'alt="Other"' in shown.content.decode()
    browser.post(address, {"description": ""})
    assert alt_of(alice, photo.photo_id) is None


def test_a_description_that_is_too_long_is_refused_with_what_was_typed(alice, log_in, upload):
    photo, typed = upload(alice), "x" * 2001
    for headers in (None, HTMX):
        answer = log_in(alice).post(
            f"/photos/{photo.photo_id}/description", {"description": typed}, headers=headers
        )
        assert answer.status_code == 422
        assert typed in answer.content.decode()
    assert alt_of(alice, photo.photo_id) is None


def test_a_photo_of_a_message_is_in_nothing_else_and_has_the_end_of_the_message(alice, upload):
    photo, until = upload(alice, description="words"), utc_now() + timedelta(days=7)
    place = {"chat_id": "a.b", "message_id": ids.new_id(), "until": until}
    transact(enclose(by=alice, photo_id=photo.photo_id, **place))
    (photo,) = get_photos(alice, [photo.photo_id])
    assert (photo.is_free, photo.alt) == (False, None)
    assert until - photo.ttl < timedelta(seconds=1)
    for action in (
        attach(by=alice, photo_id=photo.photo_id, post_id=ids.new_id()),
        keep(photo, holder="draft"),
        enclose(by=alice, photo_id=photo.photo_id, **place | {"message_id": ids.new_id()}),
    ):
        with pytest.raises(PhotoGone):
            transact(action)
    with pytest.raises(PhotoGone):
        make_public(photo)


def test_a_draft_keeps_a_photo_and_lets_it_go(alice, upload):
    photo = upload(alice)
    for holder in ("draft", "other"):
        transact(keep(photo, holder=holder))
        (photo,) = get_photos(alice, [photo.photo_id])
    assert photo.ttl is None
    transact(release(photo, holder="draft"))
    (photo,) = get_photos(alice, [photo.photo_id])
    assert (photo.ttl, photo.held_by) == (None, {"other"})
    transact(release(photo, holder="other"))
    (photo,) = get_photos(alice, [photo.photo_id])
    assert photo.ttl is not None
    assert photo.held_by is None
