"""With buckets, copies of reported photos and pictures go there and come from there, whoever plays the stream."""

import pytest
from django.core.management import call_command

from feed.posts.models import Audience
from feed.publishing.changes import change_audience
from moderation.cases.effects import undo_action
from moderation.cases.photos import name_of
from moderation.models import ActionKind
from photos.files import EVIDENCE, PUBLIC, STORAGE
from socialsite.table import write_batch
from tests.buckets import objects
from tests.feed.photographs import photo, post_photos
from tests.iam.test_handlers_elsewhere import play_by_lambda
from tests.moderation.cases import about, decide, info, report
from tests.moderation.reported_photos import case_photos, reported_photos
from tests.moderation.reported_pictures import contents, give_pictures
from tests.web.html import Html

pytestmark = pytest.mark.engines(
    "embedded", "dynamodb-local", reason="moto's own S3 is started here"
)


@pytest.fixture
def bucket(in_bucket) -> str:
    return in_bucket(STORAGE)


def of(folder: str, bucket: str) -> list[str]:
    return [name for name in objects(bucket) if name.startswith(f"{folder}/")]


@pytest.fixture(params=["worker", "lambda", "command"])
def play(request, drain_stream):
    """Whatever plays the stream."""
    command = lambda: call_command("reconcile")  # noqa: E731
    return {"worker": drain_stream, "lambda": play_by_lambda, "command": command}[request.param]


def test_copies_are_in_the_bucket_and_shown_through_the_site(alice, bob, mod, log_in, bucket, play):
    reported_photos(alice, bob)
    play()
    (one,) = case_photos()
    assert of(EVIDENCE, bucket) == [f"{EVIDENCE}/{bob.user_id}/{name_of(one)}.webp"]
    browser = log_in(mod)
    page = Html(browser.post(f"{about(bob).url}/photo", {"photo": one.photo_id}))
    (picture,) = (img for img in page.all("img") if "photo/file" in img["src"])
    assert browser.get(picture["src"]).status_code == 200


def test_a_post_that_is_opened_again_gets_its_public_copies(alice, bucket, play):
    post_id = post_photos(alice, photo(alice), audience=Audience.ONLY_ME)
    play()
    change_audience(by=alice, post_id=post_id, audience=Audience.EVERYONE)
    play()
    assert len(of(PUBLIC, bucket)) == 4


def test_pictures_go_from_one_bucket_into_the_other_and_back(
    alice, bob, mod, bucket, in_bucket, play
):
    media = in_bucket("default")
    give_pictures(bob)
    report(alice, bob)
    action_id = decide(mod, about(bob), ActionKind.RESET)
    assert len(objects(media)) == 3
    play()
    assert (len(objects(media)), len(of(EVIDENCE, bucket))) == (0, 3)
    undo_action(by=mod, case_id=about(bob), action_id=action_id)
    play()
    assert len(contents(info(bob).header)) == 2
    assert len(objects(media)) == 3


def test_an_undo_before_the_stream_is_played_copies_them_itself(alice, bob, mod, bucket, in_bucket):
    media = in_bucket("default")
    give_pictures(bob)
    report(alice, bob)
    action_id = decide(mod, about(bob), ActionKind.RESET)
    undo_action(by=mod, case_id=about(bob), action_id=action_id)
    assert (len(objects(media)), len(of(EVIDENCE, bucket))) == (6, 3)


def test_copies_go_with_their_items(alice, bob, bucket, play):
    reported_photos(alice, bob)
    play()
    assert len(of(EVIDENCE, bucket)) == 1
    write_batch(deletes=[one.key for one in case_photos()])
    play()
    assert of(EVIDENCE, bucket) == []
