"""Posts with photos: up to four, each in one post only, with or without words."""

from datetime import timedelta

import pytest

from feed.cards.reads import get_post
from feed.posts.content_checks import TooLarge
from feed.posts.models import Post
from feed.publishing.photos import CLEAR_PHOTOS, CannotAttach, cut_evenly
from feed.publishing.stream import clear_photos_at_the_end
from feed.publishing.writes import SubmittedAndDeleted, delete_post, publish_post
from feed.timelines.models import MediaEntry
from photos.files import list_places
from photos.models import Photo
from photos.reads import list_album
from socialsite.clock import utc_now
from socialsite.due.work import do_due
from socialsite.table import MOST_BYTES, change, fetch, get, ids, item_size, keys
from socialsite.texts.shortened import shortened_to_bytes
from tests.feed.composing.test_publish_due import planned
from tests.feed.expiring import clock_at, end_of
from tests.feed.photographs import photo, post_photos
from tests.looks import broken_invariants
from tests.together import together


def photo_of(by, photo_id) -> Photo:
    return get(Photo, keys.photo(by.user_id, photo_id), consistent=True)


def test_a_post_shows_its_photos_in_their_order_with_their_descriptions(alice):
    first, second = photo(alice, "A heron"), photo(alice)
    card = get_post(post_photos(alice, second, first), alice.user_id, viewer=alice)
    assert [one.photo_id for one in card.photos] == [second, first]
    assert [one.says for one in card.photos] == ["Photo without description", "A heron"]
    assert card.photos[1].url == f"{card.url}/photos/2"


def test_a_photo_of_a_post_stays_and_one_of_none_goes_after_a_day(alice):
    used, unused = photo(alice), photo(alice)
    post_id = post_photos(alice, used)
    assert photo_of(alice, used).post_id == post_id
    assert photo_of(alice, used).ttl is None
    assert photo_of(alice, unused).ttl is not None


def test_a_post_with_a_photo_needs_no_words(alice):
    card = get_post(post_photos(alice, content=""), alice.user_id, viewer=alice)
    assert card.html == ""
    assert len(card.photos) == 1


def test_a_photo_of_someone_else_is_refused_and_so_is_one_that_another_post_shows(alice, bob):
    of_bob, used, free = photo(bob), photo(alice), photo(alice)
    post_photos(alice, used)
    for refused in (of_bob, used, ids.new_id()):
        with pytest.raises(CannotAttach) as refusal:
            post_photos(alice, free, refused)
        assert refusal.value.photo_ids == (refused,)
    assert photo_of(alice, free).post_id is None


def test_an_expired_photo_is_refused(alice):
    old = photo(alice)
    gone = [Photo.ttl.set(utc_now() - timedelta(minutes=1))]
    change(Photo, keys.photo(alice.user_id, old), gone)
    with pytest.raises(CannotAttach):
        post_photos(alice, old)


def test_the_same_form_is_the_same_post_and_other_photos_are_another(alice):
    one, other = photo(alice), photo(alice)
    form = {"by": alice, "content": "Look", "nonce": "form"}
    first = publish_post(**form, photos=[one])
    assert publish_post(**form, photos=[one]) == first
    assert publish_post(**form, photos=[other]) != first


def test_the_same_form_after_its_post_was_deleted_says_so(alice, drain_stream):
    one = photo(alice)
    form = {"by": alice, "content": "Look", "nonce": "form", "photos": [one]}
    delete_post(by=alice, post_id=publish_post(**form))
    drain_stream()
    with pytest.raises(SubmittedAndDeleted):
        publish_post(**form)


def test_of_eight_posts_that_want_the_same_photo_one_gets_it(alice):
    wanted = photo(alice)
    tries = together(*[lambda: post_photos(alice, wanted) for _ in range(8)])
    assert sum(isinstance(one, str) for one in tries) == 1
    assert sum(isinstance(one, CannotAttach) for one in tries) == 7
    assert (
        len(list(fetch([keys.post(alice.user_id, one) for one in tries if isinstance(one, str)])))
        == 1
    )


def test_a_deleted_post_takes_its_photos_their_files_and_its_pointer_along(alice, drain_stream):
    one = photo(alice)
    post_id = post_photos(alice, one)
    assert list(list_places(alice.user_id))
    delete_post(by=alice, post_id=post_id)
    drain_stream()
    drain_stream()
    gone = [keys.photo(alice.user_id, one), keys.media_entry(alice.user_id, post_id)]
    assert fetch(gone, consistent=True) == {}
    assert list(list_places(alice.user_id)) == []


def test_photos_of_a_post_that_ends_by_itself_end_with_it(alice, drain_stream):
    one = photo(alice)
    post_photos(alice, one, expires_in="1h")
    drain_stream()
    do_due(now=utc_now() + timedelta(minutes=50))
    assert photo_of(alice, one)
    for _ in range(2):
        do_due(now=utc_now() + timedelta(minutes=70))
    drain_stream()
    assert list(list_places(alice.user_id)) == []
    assert list_album(alice).items == []


def test_an_audit_knows_that_photos_of_an_ended_post_may_go_before_it(alice, drain_stream):
    post_id = post_photos(alice, expires_in="1h")
    drain_stream()
    with clock_at(end_of(alice, post_id)):
        assert broken_invariants() == {}
        (due,) = (one for one in planned() if one.kind == CLEAR_PHOTOS)
        clear_photos_at_the_end(due)
        drain_stream()
        assert list(list_places(alice.user_id)) == []
        assert broken_invariants() == {}


def test_a_post_with_photos_stays_within_four_kilobytes_by_shorter_copies(alice):
    photos = [photo(alice, letter * 900) for letter in "abcd"]
    card = get_post(post_photos(alice, *photos, content="x" * 900), alice.user_id, viewer=alice)
    assert {len(one.alt.encode()) for one in card.photos} == {300}
    more = [photo(alice, letter * 900) for letter in "abcd"]
    post_id = post_photos(alice, *more, content="é" * 1000, warning="w" * 100)
    raw = fetch([keys.post(alice.user_id, post_id)])[keys.post(alice.user_id, post_id)]
    assert item_size(raw) <= MOST_BYTES
    short = get_post(post_id, alice.user_id, viewer=alice).photos
    assert all(40 <= len(one.alt.encode()) <= 300 and one.alt.endswith("…") for one in short)


def test_a_post_that_has_no_room_for_photos_is_refused(alice):
    photos = [photo(alice, letter * 900) for letter in "abcd"]
    with pytest.raises(TooLarge):
        post_photos(alice, *photos, content="𝒙" * 870)


def test_texts_are_cut_evenly_and_short_ones_stay():
    assert [len(one) for one in cut_evenly(["a", "b" * 500, "c" * 500], 201)] == [1, 98, 98]
    assert shortened_to_bytes("Ein Bär 🐻‍❄️ im Schnee", 20).startswith("Ein Bär")
    assert len(shortened_to_bytes("👩‍👩‍👧" * 30, 100).encode()) <= 100


def test_a_post_of_media_has_a_pointer(alice):
    post_id = post_photos(alice)
    entry = get(MediaEntry, keys.media_entry(alice.user_id, post_id))
    assert (entry.post_id, entry.author_id) == (post_id, alice.user_id)
    assert get(Post, keys.post(alice.user_id, post_id)).photos[0].public_secret
