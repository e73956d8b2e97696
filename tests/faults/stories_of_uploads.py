"""Photos are sent, described and removed, and go with a post that ends by itself; their owner is away for a while."""

from datetime import timedelta

from django.core.files.uploadedfile import SimpleUploadedFile

from accounts.models import UserInfo
from feed.cards.reads import get_post
from feed.publishing.changes import describe_photos
from photos.files import list_places
from photos.reads import list_album
from photos.writes import describe_photo, remove_photo, upload_photo
from socialsite.clock import utc_now
from socialsite.due.work import do_due
from socialsite.table import change, ids, keys
from tests.accounts.pictures import encode, halves
from tests.conftest import person
from tests.faults.looks import assert_all_is_well
from tests.faults.stories import Story, scenario
from tests.feed.scenes import end_now, photo, post_photos

JPEG = encode(halves((60, 40)), "JPEG")


@scenario()
def a_photo_is_sent_twice() -> Story:
    alice, photo_id = person("alice"), ids.new_id()

    def act() -> None:
        for _ in range(2):
            upload_photo(by=alice, upload=SimpleUploadedFile("me.jpg", JPEG), photo_id=photo_id)

    def check() -> None:
        assert_all_is_well()
        assert [one.photo_id for one in list_album(alice).items] == [photo_id]

    return Story(act, check)


@scenario()
def a_photo_is_removed_and_another_is_described() -> Story:
    alice = person("alice")
    gone, stays = photo(alice), photo(alice)

    def act() -> None:
        remove_photo(by=alice, photo_id=gone)
        describe_photo(by=alice, photo_id=stays, description="A heron")

    def check() -> None:
        assert_all_is_well()
        assert [(one.photo_id, one.alt) for one in list_album(alice).items] == [(stays, "A heron")]
        assert {one.photo_id for one in list_places(alice.user_id)} == {stays}

    return Story(act, check)


@scenario()
def the_photos_of_a_post_are_described() -> Story:
    alice = person("alice")
    photos = [photo(alice), photo(alice)]
    post_id = post_photos(alice, *photos)
    texts = dict(zip(photos, ("A heron", "Its nest"), strict=True))

    def check() -> None:
        assert_all_is_well()
        card = get_post(post_id, alice.user_id, viewer=alice)
        assert [one.alt for one in card.photos] == ["A heron", "Its nest"]
        assert [one.alt for one in list_album(alice).items] == ["Its nest", "A heron"]

    return Story(lambda: describe_photos(by=alice, post_id=post_id, descriptions=texts), check)


@scenario()
def a_post_with_a_photo_ends_by_itself() -> Story:
    alice = person("alice")
    post_id = post_photos(alice, expires_in="1h")
    end_now(alice.user_id, post_id)

    def act() -> None:
        for hours in (2, 3):  # what a crash left to its next try
            do_due(utc_now() + timedelta(hours=hours))

    def check() -> None:
        assert_all_is_well()
        assert list(list_places(alice.user_id)) == []

    return Story(act, check)


@scenario()
def a_person_with_photos_is_suspended_and_comes_back() -> Story:
    alice = person("alice")
    post_photos(alice)
    info = keys.user_info(alice.user_id)
    end = UserInfo.suspended_until

    def act() -> None:
        until = (utc_now() + timedelta(days=2)).isoformat(timespec="seconds")
        change(UserInfo, info, [end.set(until)])
        change(UserInfo, info, [end.remove()])

    def check() -> None:
        assert_all_is_well()
        (one,) = list_album(alice).items
        assert one.public_secret

    return Story(act, check)
