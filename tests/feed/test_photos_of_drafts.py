"""Drafts and scheduled posts keep their photos."""

from datetime import timedelta

import pytest
from django.test import Client

from feed.composing import writes
from feed.composing.composer import release_photos
from feed.composing.composition import Composition, Seen
from feed.composing.draft_writes import delete_draft, save_draft
from feed.composing.models import Draft
from feed.composing.reads import PUBLISH, Reason
from feed.composing.writes import delete_scheduled
from feed.posts.models import Audience, Post
from feed.profiles.reads import list_posts
from feed.publishing.writes import Part
from photos.files import STORAGE
from photos.models import Photo
from photos.reads import picture_url
from photos.writes import KEPT_UNUSED, remove_photo
from socialsite.clock import utc_now
from socialsite.due.models import Due
from socialsite.site_settings.site_setup import SiteRules
from socialsite.site_settings.word_filters import Effect, Word
from socialsite.table import (
    NotFound,
    Unavailable,
    as_model,
    change,
    get,
    ids,
    keys,
    query,
    write_batch,
)
from tests.buckets import objects
from tests.feed.scenes import (
    all_scheduled,
    autosave,
    drafts_of,
    fields,
    in_hours,
    photo,
    post_photos,
    schedule,
    texts_of,
)
from tests.feed.test_photos import file, photo_of
from tests.feed.test_publishing import contents
from tests.feed.test_scheduling import come
from tests.kept import keep_site_rules
from tests.looks import broken_invariants, due_items
from tests.moderation.cases import restrict
from tests.together import together
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


# Scheduled posts with photos: kept until their time, published with them once, and never lost to a refusal.

HERON = SiteRules(words=(Word("w1", "word", "heron", Effect.REFUSE, "spam", ""),))


def planned_for(hours: int) -> dict[str, str]:
    return {"publish_at": in_hours(hours).strftime("%Y-%m-%dT%H:%M"), "zone": "Europe/Berlin"}


def planned() -> list[Due]:
    return due_items(PUBLISH)


def shown(alice) -> list[list[str]]:
    return [
        [one.says for one in post.photos] for post in list_posts(alice.card, viewer=alice).items
    ]


def test_the_clock_publishes_it_with_its_photos_in_their_order(alice, log_in, drain_stream):
    one, other = photo(alice), photo(alice)
    form = fields("Later", photo=[other, one], description=["B", "A"], **planned_for(5))
    assert log_in(alice).post("/posts", form).status_code == 302
    assert is_kept(alice, one)
    drain_stream()
    come(hours=6)
    drain_stream()
    assert shown(alice) == [["B", "A"]]
    (post,) = list_posts(alice.card).items
    assert all(one.is_public for one in post.photos)
    assert photo_of(alice, one).held_by is None
    assert planned() == []
    assert broken_invariants() == {}


def test_photos_of_a_post_for_some_stay_private(alice):
    schedule(alice, photos=(photo(alice),), audience=Audience.FRIENDS)
    come()
    (raw,) = query(keys.posts(alice.user_id))
    (shown,) = as_model(Post, raw).photos
    assert shown.public_secret is None


def test_a_clock_that_dies_after_it_made_them_public_is_followed_by_another(
    alice, drain_stream, monkeypatch
):
    schedule(alice, photos=(photo(alice), photo(alice)))

    def die(*_: object, **__: object) -> None:
        raise Unavailable("the engine is away")

    with monkeypatch.context() as broken:
        broken.setattr("feed.publishing.writes.write_post", die)
        come()
    assert contents(alice) == []
    come(hours=4)
    drain_stream()
    assert (len(shown(alice)[0]), planned()) == (2, [])
    assert broken_invariants() == {}


def test_four_clocks_at_once_publish_it_once_and_make_no_draft(alice, drain_stream):
    for _ in range(5):
        schedule(alice, photos=(photo(alice), photo(alice)))
    dues = planned()
    together(*[lambda due=due: writes.publish_due(due) for due in dues for _ in range(4)])
    come(hours=50)
    drain_stream()
    assert [len(one) for one in shown(alice)] == [2] * 5
    assert (drafts_of(alice), all_scheduled(alice)) == ([], [])
    assert broken_invariants() == {}


def test_one_that_is_refused_becomes_a_draft_that_still_has_them(alice, log_in, drain_stream):
    one = photo(alice, "A heron")
    schedule(alice, photos=(one,))
    keep_site_rules(HERON)
    come()
    drain_stream()
    (draft,) = drafts_of(alice)
    assert draft.reason == Reason.RULES
    assert is_kept(alice, one)
    assert tiles(log_in(alice).get(draft.url)) == [(one, "A heron")]
    assert broken_invariants() == {}


def test_one_whose_photo_is_gone_becomes_a_draft_with_the_others(alice, drain_stream):
    one, used, removed = photo(alice), photo(alice), photo(alice)
    schedule(alice, photos=(one, used), parts=(Part("Two", photos=(removed,)),))
    post_photos(alice, used, content="Look")
    remove_photo(by=alice, photo_id=removed)
    come()
    drain_stream()
    (draft,) = drafts_of(alice)
    assert draft.reason == Reason.PHOTOS
    assert "one of its photos is gone" in draft.reason.sentence
    assert draft.composition.photos == (one,)
    assert is_kept(alice, one)
    assert contents(alice) == ["Look"]
    assert broken_invariants() == {}


def test_deleting_it_lets_its_photos_go(alice, drain_stream):
    one = photo(alice)
    card = schedule(alice, photos=(one,))
    delete_scheduled(by=alice, slot=card.slot, version=card.version)
    drain_stream()
    assert not is_kept(alice, one)
    assert broken_invariants() == {}


@pytest.mark.parametrize("hours", [5, 30], ids=["same moment", "moved"])
def test_changing_it_keeps_those_that_stay_and_lets_the_others_go(
    alice, log_in, drain_stream, hours
):
    one, other, new = photo(alice), photo(alice), photo(alice)
    card = schedule(alice, hours=5, photos=(one, other))
    browser = log_in(alice)
    page = browser.get(card.edit_url)
    assert [photo_id for photo_id, _ in tiles(page)] == [one, other]
    form = fields("Later", photo=[new, one], scheduled=str(card.slot), version=str(card.version))
    for _ in range(2):
        assert browser.post("/posts", form | planned_for(hours)).status_code == 302
        drain_stream()
    (card,) = all_scheduled(alice)
    assert card.composition.photos == (new, one)
    assert [is_kept(alice, photo_id) for photo_id in (one, other, new)] == [True, False, True]
    assert broken_invariants() == {}


def test_scheduling_a_draft_takes_its_photos_along_and_publishing_at_once_too(
    alice, log_in, drain_stream
):
    one = photo(alice)
    browser, form = log_in(alice), fields("Later", photo=[one])
    autosave(browser, form)
    browser.post("/posts", form | {"version": "1", **planned_for(5)})
    drain_stream()
    assert (texts_of(alice), is_kept(alice, one)) == ([], True)
    (card,) = all_scheduled(alice)
    browser.post(card.publish_url)
    drain_stream()
    assert shown(alice) == [["Photo without description"]]
    assert broken_invariants() == {}


def test_a_photo_that_is_gone_or_someone_elses_is_told_and_the_text_is_kept(alice, bob, log_in):
    of_bob, free = photo(bob), photo(alice)
    form = fields("Later", photo=[of_bob, free], **planned_for(5))
    answer = log_in(alice).post("/posts", form)
    assert answer.status_code == 422
    assert "no longer there" in noted(Html(answer))
    assert Html(answer).value("content") == "Later"
    assert [one for one, _ in tiles(answer)] == [free]
    used = photo(alice)
    post_photos(alice, used, content="Look")
    answer = log_in(alice).post("/posts", form | {"photo": [used]})
    assert answer.status_code == 422
    assert all_scheduled(alice) == []


def test_word_rules_read_descriptions_when_it_is_scheduled(alice, log_in):
    keep_site_rules(HERON)
    form = fields("Later", photo=[photo(alice)], description=["A heron"], **planned_for(5))
    assert log_in(alice).post("/posts", form).status_code == 422
    assert all_scheduled(alice) == []


@pytest.mark.engines("embedded", "dynamodb-local", reason="moto's own S3 is started here")
def test_the_clock_writes_the_copies_for_everyone_into_the_bucket(alice, in_bucket):
    bucket = in_bucket(STORAGE)
    schedule(alice, photos=(photo(alice),))
    before = len(objects(bucket))
    come()
    (post,) = list_posts(alice.card).items
    assert Client().get(picture_url(post.photos[0].secret, 480)).status_code == 200
    assert len(objects(bucket)) > before
