"""`manage.py reconcile` and photos: what lost stream records would have done to them and their files is done."""

from datetime import timedelta

from feed.posts.models import Audience, Post
from feed.publishing.changes import change_audience
from feed.publishing.writes import delete_post
from photos.files import list_places
from photos.reads import list_album
from photos.writes import remove_photo
from socialsite.clock import utc_now
from socialsite.due.work import do_due
from socialsite.streams.worker import bulk_load
from socialsite.table import get, keys
from tests.feed.photographs import photo, post_photos
from tests.looks import broken_invariants
from tests.operations.commands.test_reconcile import applied, reconciled


def settled(capsys) -> None:
    """Once the table was compared, what followed is done, and the nights have come in which files are looked for."""
    reconciled(capsys)
    applied()
    do_due(utc_now() + timedelta(days=5))
    assert broken_invariants() == {}


def test_photos_of_a_post_whose_deletion_was_lost_go_with_their_files(alice, capsys):
    kept, gone = post_photos(alice), post_photos(alice)
    free = photo(alice)
    applied()
    with bulk_load():
        delete_post(by=alice, post_id=gone)
    reconciled(capsys)
    applied()
    assert {one.post_id for one in list_album(alice).items} == {kept, None}
    assert free in {one.photo_id for one in list_album(alice).items}
    settled(capsys)


def test_a_closed_post_keeps_no_copy_for_everyone_though_its_record_was_lost(alice, capsys):
    post_id = post_photos(alice)
    applied()
    with bulk_load():
        change_audience(by=alice, post_id=post_id, audience=Audience.FRIENDS)
    settled(capsys)
    (shown,) = get(Post, keys.post(alice.user_id, post_id), consistent=True).photos
    assert shown.public_secret is None
    assert {place.folder for place in list_places(alice.user_id)} == {"private"}


def test_files_of_a_photo_whose_removal_was_lost_are_found_in_a_later_night(alice, capsys):
    gone = photo(alice)
    applied()
    do_due(utc_now() + timedelta(days=5))  # the sweep of its upload
    with bulk_load():
        remove_photo(by=alice, photo_id=gone)
    assert list(list_places(alice.user_id))
    settled(capsys)
    assert list(list_places(alice.user_id)) == []
