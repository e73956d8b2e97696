"""Scheduled posts with photos: kept until their time, published with them once, and never lost to a refusal."""

import pytest
from django.test import Client

from feed.composing import writes
from feed.composing.reads import PUBLISH, Reason
from feed.composing.writes import delete_scheduled
from feed.posts.models import Audience, Post
from feed.profiles.reads import list_posts
from feed.publishing.writes import Part
from photos.files import STORAGE
from photos.reads import picture_url
from photos.writes import remove_photo
from socialsite.due.models import Due
from socialsite.site_settings.site_setup import SiteRules
from socialsite.site_settings.word_filters import Effect, Word
from socialsite.table import Unavailable, as_model, keys, query
from tests.buckets import objects
from tests.feed.composing import test_publish_due as clock
from tests.feed.composing.shelves import (
    all_scheduled,
    autosave,
    drafts_of,
    fields,
    in_hours,
    schedule,
    texts_of,
)
from tests.feed.composing.test_drafts_with_photos import is_kept, noted, tiles
from tests.feed.composing.test_publish_due import come
from tests.feed.photographs import photo, post_photos
from tests.feed.photos.test_publish_photos import photo_of
from tests.feed.test_publish import contents
from tests.kept import keep_site_rules
from tests.looks import broken_invariants
from tests.together import together
from tests.web.html import Html

HERON = SiteRules(words=(Word("w1", "word", "heron", Effect.REFUSE, "spam", ""),))


def planned_for(hours: int) -> dict[str, str]:
    return {"publish_at": in_hours(hours).strftime("%Y-%m-%dT%H:%M"), "zone": "Europe/Berlin"}


def planned() -> list[Due]:
    return [due for due in clock.planned() if due.kind == PUBLISH]


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
