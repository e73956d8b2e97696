"""Drafts keep their photos, with their order and descriptions, for as long as they are there, on every device."""

from datetime import timedelta

import pytest

from feed.composing.composer import release_photos
from feed.composing.composition import Composition, Seen
from feed.composing.draft_writes import delete_draft, save_draft
from feed.composing.models import Draft
from photos.models import Photo
from photos.writes import KEPT_UNUSED, remove_photo
from socialsite.clock import utc_now
from socialsite.table import NotFound, change, get, ids, keys, write_batch
from tests.feed.composing.shelves import autosave, drafts_of, fields, texts_of
from tests.feed.photographs import photo, post_photos
from tests.feed.photos.test_photos_in_the_composer import file
from tests.feed.photos.test_publish_photos import photo_of
from tests.feed.test_publish import contents
from tests.looks import broken_invariants
from tests.moderation.restricting import restrict
from tests.web.html import Html


def tiles(answer) -> list[tuple[str, str]]:
    return [(tile.photo_id, tile.description) for tile in answer.context["form"].tiles]


def noted(page: Html) -> str:
    """What is said beside the photos of the first post; there is a further one for the script."""
    return page.all(class_="photos-note")[0].text


def save(by, *photos: str, content: str = "Half", draft_id: str = "") -> Draft:
    composition = Composition(content=content, photos=photos)
    seen = Seen(draft_id or ids.new_id(), 0, "page1")
    saved = save_draft(by=by, composition=composition, seen=seen)
    return get(Draft, keys.draft(by.user_id, saved.draft_id), consistent=True)


def is_kept(by, photo_id: str) -> bool:
    one = photo_of(by, photo_id)
    assert bool(one.held_by or one.post_id) == (one.ttl is None)
    return one.ttl is None


def test_another_device_shows_the_photos_in_their_order_with_their_descriptions(alice, log_in):
    one, other = photo(alice, "Before"), photo(alice)
    form = fields("Half", photo=[other, one], description=["", "A heron"])
    assert autosave(log_in(alice), form)["status"] == 200
    assert is_kept(alice, one)
    answer = log_in(alice).get(drafts_of(alice)[0].url)
    assert tiles(answer) == [(other, ""), (one, "A heron")]
    page = Html(answer)
    assert [one["value"] for one in page.all(name="photo")] == [other, one]


def test_photos_alone_are_a_draft_and_its_row_says_so(alice, log_in):
    browser = log_in(alice)
    assert autosave(browser, fields("", photo=[photo(alice), photo(alice)]))["status"] == 200
    assert "2 photos" in Html(browser.get("/drafts")).one("article").text


def test_without_script_the_button_keeps_the_files(alice, log_in):
    browser = log_in(alice)
    form = fields("Half", photos=[file(), file()], descriptions=["One", ""])
    assert browser.post("/drafts", form).status_code == 302
    answer = browser.get(drafts_of(alice)[0].url)
    assert [text for _, text in tiles(answer)] == ["One", ""]
    assert all(is_kept(alice, one) for one, _ in tiles(answer))


def test_a_photo_that_leaves_a_draft_goes_a_day_later(alice, log_in, drain_stream):
    one, other = photo(alice), photo(alice)
    browser, form = log_in(alice), fields("Half", photo=[one, other])
    autosave(browser, form)
    autosave(browser, form | {"photo": [other], "version": "1"})
    drain_stream()
    assert not is_kept(alice, one)
    assert photo_of(alice, one).ttl > utc_now() + KEPT_UNUSED - timedelta(minutes=5)
    assert is_kept(alice, other)
    assert broken_invariants() == {}


def deleted(alice, draft):
    delete_draft(by=alice, draft_id=draft.draft_id, version=1)


def expired(alice, draft):
    write_batch(deletes=[draft.key])  # as TTL does


@pytest.mark.parametrize("ends", [deleted, expired])
def test_the_photos_of_a_draft_that_ends_go_a_day_later(alice, drain_stream, ends):
    one = photo(alice)
    ends(alice, save(alice, one))
    assert is_kept(alice, one), "until the worker was there"
    drain_stream()
    assert not is_kept(alice, one)
    assert broken_invariants() == {}


def test_of_two_drafts_with_a_photo_the_other_one_keeps_it(alice, log_in, drain_stream):
    one = photo(alice)
    browser, form = log_in(alice), fields("Half", photo=[one])
    autosave(browser, form)
    autosave(browser, form | {"version": "1", "content": "Phone", "writer": "page2"})
    assert autosave(browser, form | {"version": "1", "content": "Laptop"})["status"] == 409
    beside = next(one for one in drafts_of(alice) if one.composition.content == "Laptop")
    assert beside.composition.photos == (one,)
    for left in (True, False):
        draft = drafts_of(alice)[0]
        delete_draft(by=alice, draft_id=draft.draft_id, version=draft.version)
        drain_stream()
        assert is_kept(alice, one) == left


def test_publishing_attaches_them_and_the_rest_goes(alice, log_in, drain_stream):
    one, other = photo(alice), photo(alice)
    browser, form = log_in(alice), fields("Done", photo=[one, other], description=["A", "B"])
    autosave(browser, form)
    answer = browser.post("/posts", form | {"photo": [one], "description": ["A"], "version": "1"})
    assert answer.status_code == 302
    drain_stream()
    assert photo_of(alice, one).post_id
    assert photo_of(alice, one).held_by is None
    assert (is_kept(alice, other), texts_of(alice)) == (False, [])
    assert broken_invariants() == {}


def test_a_photo_that_a_post_took_meanwhile_is_told_and_the_text_is_kept(alice, log_in):
    one, used = photo(alice), photo(alice)
    browser, form = log_in(alice), fields("Half", photo=[used, one])
    autosave(browser, form)
    post_photos(alice, used, content="Look")
    saved = autosave(browser, form | {"version": "1", "content": "Half a thought"})
    assert saved["status"] == 200
    assert "no longer there, or another post shows it" in saved["said"]
    assert texts_of(alice) == ["Half a thought"]
    answer = browser.get(drafts_of(alice)[0].url)
    assert tiles(answer) == [(one, "")]
    answer = browser.post("/posts", form | {"version": "2"})
    assert answer.status_code == 422
    assert Html(answer).value("content") == "Half"
    assert contents(alice) == ["Look"]


def test_a_draft_whose_photo_was_deleted_from_the_album_says_so(alice, log_in):
    gone = photo(alice)
    draft = save(alice, gone)
    remove_photo(by=alice, photo_id=gone)
    answer = log_in(alice).get(f"/posts/new?draft={draft.draft_id}")
    assert tiles(answer) == []
    assert "A photo is no longer there" in noted(Html(answer))


def test_a_photo_of_someone_else_or_an_expired_one_is_never_kept(alice, bob, log_in):
    of_bob, old = photo(bob), photo(alice)
    past = [Photo.ttl.set(utc_now() - timedelta(minutes=1))]
    change(Photo, keys.photo(alice.user_id, old), past)
    saved = autosave(log_in(alice), fields("Half", photo=[of_bob, old]))
    assert "no longer there" in saved["said"]
    assert drafts_of(alice)[0].composition.photos == ()
    assert not is_kept(bob, of_bob)


def test_frozen_people_may_describe_the_photos_of_their_drafts(alice, log_in):
    one = photo(alice)
    restrict(alice, "frozen")
    form = fields("Half", photo=[one], description=["A heron"])
    assert autosave(log_in(alice), form)["status"] == 200
    assert photo_of(alice, one).alt == "A heron"


def test_a_late_release_leaves_a_draft_that_names_the_photo_alone(alice):
    one = photo(alice)
    draft = save(alice, one)
    for _ in range(2):
        release_photos(alice.user_id, [one, ids.new_id()], holder=draft.draft_id)
    assert is_kept(alice, one)
    write_batch(deletes=[draft.key])
    for _ in range(2):
        release_photos(alice.user_id, [one], holder=draft.draft_id)
    assert not is_kept(alice, one)
    with pytest.raises(NotFound):
        get(Draft, draft.key)
