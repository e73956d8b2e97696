"""Photos that go, expire or are used while a post takes them: the post is refused, and nothing of it is written."""

from datetime import timedelta

import pytest

from feed.publishing.photos import CannotAttach
from photos.models import Photo
from photos.reads import list_album
from photos.writes import PhotoInUse, remove_photo
from socialsite.clock import utc_now
from socialsite.table import change, keys
from tests.crossing import meanwhile
from tests.feed.photographs import photo, post_photos
from tests.feed.test_publish import contents
from tests.looks import broken_invariants

CLOSED = {"audience": "friends"}  # so that the first transaction is the one of the post


def expire(alice, photo_id):
    change(Photo, keys.photo(alice.user_id, photo_id), [Photo.ttl.set(utc_now() - timedelta(1))])


def remove(alice, photo_id):
    remove_photo(by=alice, photo_id=photo_id)


def use(alice, photo_id):
    post_photos(alice, photo_id, content="First", **CLOSED)


@pytest.mark.parametrize("happens", [expire, remove, use])
def test_a_photo_that_is_gone_at_the_moment_of_writing_refuses_the_post(alice, happens):
    stays, goes = photo(alice), photo(alice)
    with meanwhile(lambda: happens(alice, goes)) as happened, pytest.raises(CannotAttach) as told:
        post_photos(alice, stays, goes, content="Second", **CLOSED)
    assert happened
    assert told.value.photo_ids == (goes,)
    assert contents(alice) == (["First"] if happens is use else [])
    assert stays in [one.photo_id for one in list_album(alice).items if not one.post_id]


def test_a_photo_that_a_post_takes_while_it_is_removed_stays(alice, drain_stream):
    wanted = photo(alice)
    with meanwhile(lambda: use(alice, wanted)), pytest.raises(PhotoInUse):
        remove(alice, wanted)
    drain_stream()
    assert broken_invariants() == {}
    assert contents(alice) == ["First"]
