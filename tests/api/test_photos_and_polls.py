"""Photos and polls, as Mastodon.py sends them: a photo before its post, at most four, described; a poll with votes."""

import json
from datetime import UTC, datetime, timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from mastodon import MastodonNotFoundError
from mastodon.errors import MastodonAPIError

from accounts.models import UserInfo
from accounts.people.restrictions import FOR_EVER
from feed.cards.reads import get_post
from relations.blocks.writes import block
from relations.follows.writes import follow
from socialsite.pictures.limits import MOST_BYTES
from socialsite.table import change, keys
from tests.accounts.pictures import camera_jpeg
from tests.conftest import post
from tests.photos.conftest import *  # noqa: F403 - `folder`, `upload`


def sent(content: bytes = b"") -> SimpleUploadedFile:
    return SimpleUploadedFile("cat.jpg", content or camera_jpeg(), content_type="image/jpeg")


def test_a_photo_is_sent_described_and_posted(alice, bob, mastodon, folder, drain_stream):
    client = mastodon(alice)
    media = client.media_post(camera_jpeg(), mime_type="image/jpeg", description="A cat")
    assert (media.type, media.description) == ("image", "A cat")
    assert client.media(media.id).meta.original.width > 0
    assert client.media_update(media.id, description="A black cat").description == "A black cat"
    made = client.status_post("", media_ids=[media.id])
    assert [one.description for one in made.media_attachments] == ["A black cat"]
    drain_stream()
    (shown,) = mastodon(bob).status(made.id).media_attachments
    assert (shown.id, shown.type) == (media.id, "image")
    assert "/m/" in shown.url
    assert shown.preview_url != shown.url


def test_a_post_has_four_photos_and_no_fifth(alice, app, upload):
    one, ids = app(alice), [upload(alice).photo_id for _ in range(5)]
    assert (
        one.ask("post", "/api/v1/statuses", status="x", **{"media_ids[]": ids}).status_code == 422
    )
    made = one.post("/api/v1/statuses", status="x", **{"media_ids[]": ids[:4]})
    assert [photo["id"] for photo in made["media_attachments"]] == ids[:4]
    assert get_post(made["id"][:26], alice.user_id, viewer=alice).photos[3].photo_id == ids[3]


def test_a_photo_is_in_one_post_alone_and_only_its_own_persons(alice, bob, app, upload):
    photo, one = upload(alice).photo_id, app(alice)
    theirs = app(bob).ask("post", "/api/v1/statuses", status="x", media_ids=photo)
    assert theirs.status_code == 422
    one.post("/api/v1/statuses", status="x", media_ids=photo)
    again = one.ask("post", "/api/v1/statuses", status="again", media_ids=photo)
    assert (again.status_code, "another post" in again.json()["error"]) == (422, True)


def test_nobody_sees_or_describes_photos_of_others(alice, bob, app, upload):
    photo = upload(alice).photo_id
    assert app(bob).ask("get", f"/api/v1/media/{photo}").status_code == 404
    answer = app(bob).browser.put(
        f"/api/v1/media/{photo}",
        json.dumps({"description": "x"}),
        content_type="application/json",
        headers=app(bob).headers,
    )
    assert answer.status_code == 404


@pytest.mark.parametrize("content", [b"GIF89a nonsense", b"<svg></svg>", b"x"])
def test_what_is_no_photo_is_refused_with_a_sentence(alice, app, folder, content):
    answer = app(alice).ask("post", "/api/v2/media", file=sent(content))
    assert answer.status_code == 422
    assert "photo" in answer.json()["error"]


def test_no_file_and_too_large_a_file_are_refused_with_a_sentence(alice, app, folder):
    one = app(alice)
    assert one.ask("post", "/api/v2/media").status_code == 422
    large = one.ask("post", "/api/v1/media", file=sent(b"x" * (MOST_BYTES + 1)))
    assert (large.status_code, large.json()["error"][:17]) == (413, "Validation failed")
    larger = one.ask("post", "/api/v1/media", file=sent(b"x" * (MOST_BYTES + 3_000_000)))
    assert (larger.status_code, bool(larger.json()["error"])) == (413, True)


def test_photos_that_are_to_be_covered_are_covered(alice, app, upload):
    photo = upload(alice).photo_id
    made = app(alice).post("/api/v1/statuses", status="x", media_ids=photo, sensitive="true")
    assert (made["sensitive"], bool(made["spoiler_text"])) == (True, True)


def test_an_answer_has_photos(alice, bob, mastodon, upload):
    first = f"{post(alice)}{alice.user_id}"
    photo = upload(bob).photo_id
    made = mastodon(bob).status_post("Look", in_reply_to_id=first, media_ids=[photo])
    assert [one.id for one in made.media_attachments] == [photo]


def test_frozen_people_send_no_photo(alice, app, folder):
    one = app(alice)
    change(UserInfo, keys.user_info(alice.user_id), [UserInfo.frozen_until.set(FOR_EVER)])
    assert one.ask("post", "/api/v2/media", file=sent()).status_code == 403


def test_a_poll_is_asked_and_answered(alice, bob, mastodon, drain_stream):
    asking, voting = mastodon(alice), mastodon(bob)
    poll = asking.make_poll(["Tea", "Coffee", "Water"], expires_in=3600 * 6, multiple=True)
    made = asking.status_post("What?", poll=poll)
    assert [one.title for one in made.poll.options] == ["Tea", "Coffee", "Water"]
    assert made.poll.multiple
    left = made.poll.expires_at - datetime.now(UTC)
    assert (
        timedelta(hours=23) < left <= timedelta(days=1)
    )  # the site has no 6 hours: the next length
    before = voting.poll(made.poll.id)
    assert (before.voted, before.options[0].votes_count) == (False, None)
    voted = voting.poll_vote(made.poll.id, [0, 2])
    assert (voted.voted, voted.own_votes) == (True, [0, 2])
    drain_stream()
    after = voting.poll(made.poll.id)
    assert [one.votes_count for one in after.options] == [1, 0, 1]
    assert voting.status(made.id).poll.voters_count == 1


@pytest.mark.parametrize(
    ("choices", "voter"),
    [([], "bob"), (["0", "1"], "bob"), (["7"], "bob"), (["x"], "bob"), (["0"], "alice")],
)
def test_votes_that_no_poll_takes_are_refused(alice, bob, app, choices, voter):
    made = app(alice).post(
        "/api/v1/statuses",
        status="?",
        **{"poll[options][]": ["A", "B"], "poll[expires_in]": "3600"},
    )
    one = app({"alice": alice, "bob": bob}[voter])
    answer = one.ask("post", f"/api/v1/polls/{made['id']}/votes", **{"choices[]": choices})
    assert (answer.status_code, bool(answer.json()["error"])) == (422, True)


@pytest.mark.parametrize(
    "poll",
    [
        {"poll[options][]": ["A"]},
        {"poll[options][]": ["A", "A"]},
        {"poll[options][]": list("ABCDEFG")},
        {"poll[options][]": ["A", "B"], "poll[expires_in]": "60"},
        {"poll[options][]": ["A", "B"], "poll[expires_in]": "99999999"},
        {"poll[options][]": ["A", "B"], "poll[expires_in]": "soon"},
        {"poll": "nonsense"},
    ],
)
def test_polls_that_cannot_be_are_refused(alice, app, poll):
    answer = app(alice).ask("post", "/api/v1/statuses", status="?", **poll)
    assert (answer.status_code, bool(answer.json()["error"])) == (422, True)


def test_a_poll_is_for_those_whom_its_post_is_for(alice, bob, carol, app, mastodon):
    follow(by=bob, user_id=alice.user_id)
    asked = {"poll[options][]": ["A", "B"], "visibility": "private"}
    name = app(alice).post("/api/v1/statuses", status="?", **asked)["id"]
    assert app(bob).get(f"/api/v1/polls/{name}")["id"] == name
    for stranger in (app(carol), app()):
        assert stranger.ask("get", f"/api/v1/polls/{name}").status_code == 404
    with pytest.raises(MastodonNotFoundError):
        mastodon(carol).poll_vote(name, [0])
    block(by=alice, user_id=bob.user_id)
    with pytest.raises(MastodonAPIError):
        mastodon(bob).poll_vote(name, [0])


def test_a_post_without_a_poll_has_none(alice, app):
    name = f"{post(alice)}{alice.user_id}"
    assert app(alice).ask("get", f"/api/v1/polls/{name}").status_code == 404
