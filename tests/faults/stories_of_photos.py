"""Photos are posted, closed, opened, reported and deleted."""

from feed.posts.models import Audience
from feed.publishing.changes import change_audience
from feed.publishing.writes import delete_post, publish_post
from photos.files import list_places
from photos.reads import list_album
from tests.conftest import person
from tests.faults.looks import assert_all_is_well, posts_of
from tests.faults.stories import Story, scenario
from tests.feed.scenes import photo, post_photos
from tests.moderation.cases import copies, report, reported_photos, states


@scenario()
def a_post_with_two_photos_is_published() -> Story:
    alice = person("alice")
    photos = [photo(alice), photo(alice)]

    def check() -> None:
        assert_all_is_well()
        assert len(posts_of(alice)) == 1

    return Story(lambda: publish_post(by=alice, content="Look", nonce="form", photos=photos), check)


@scenario()
def a_post_with_a_photo_is_closed_and_opened_again() -> Story:
    alice = person("alice")
    post_id = post_photos(alice)

    def act() -> None:
        for audience in (Audience.FRIENDS, Audience.EVERYONE):
            change_audience(by=alice, post_id=post_id, audience=audience)

    def check() -> None:
        assert_all_is_well()
        (one,) = list_album(alice).items
        assert one.public_secret

    return Story(act, check)


@scenario()
def a_post_with_a_photo_is_deleted() -> Story:
    alice = person("alice")
    post_id = post_photos(alice)

    def check() -> None:
        assert_all_is_well()
        assert list_album(alice).items == []
        assert list(list_places(alice.user_id)) == []

    return Story(lambda: delete_post(by=alice, post_id=post_id), check)


@scenario()
def a_post_with_two_photos_is_reported_twice() -> Story:
    alice, bob, carol = person("alice"), person("bob"), person("carol")
    post_id = post_photos(alice, photo(alice, "One"), photo(alice))

    def act() -> None:
        for reporter in (bob, carol):
            report(reporter, alice, post_id)

    def check() -> None:
        assert_all_is_well()
        assert (states(), copies(alice)) == (["kept"] * 2, 2)

    return Story(act, check)


@scenario()
def a_reported_post_with_a_photo_is_deleted() -> Story:
    alice, bob = person("alice"), person("bob")
    post_id = reported_photos(bob, alice)

    def check() -> None:
        assert_all_is_well()
        assert list(list_places(alice.user_id)) == []
        assert (states(), copies(alice)) == (["kept"], 1)

    return Story(lambda: delete_post(by=alice, post_id=post_id), check)
