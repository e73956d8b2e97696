"""What authors do with a post that is there, or planned: editing, what it said before, pinning, another time."""

from datetime import UTC, datetime, timedelta

import pytest
from mastodon import MastodonNotFoundError
from mastodon.errors import MastodonAPIError

from accounts.models import UserInfo
from accounts.people.restrictions import FOR_EVER
from feed.cards.reads import get_post
from feed.composing.reads import list_scheduled
from relations.follows.writes import follow
from socialsite.table import change, keys
from tests.conftest import post
from tests.photos.conftest import *  # noqa: F403 - `folder`, `upload`


def named(post_id, author):
    return f"{post_id}{author.user_id}"


def test_a_post_is_edited_and_says_what_it_said(alice, bob, mastodon):
    client = mastodon(alice)
    made = client.status_post("First", spoiler_text="Careful", language="en")
    source = client.status_source(made.id)
    assert (source.text, source.spoiler_text) == ("First", "Careful")
    edited = client.status_update(made.id, status="Second", spoiler_text="Careful")
    assert ("Second" in edited.content, edited.spoiler_text) == (True, "Careful")
    assert edited.edited_at
    told = mastodon(bob).status_history(made.id)
    assert [one.content for one in told] == ["<p>First</p>", "<p>Second</p>"]
    assert told[0].spoiler_text == "Careful"
    assert get_post(made.id[:26], alice.user_id, viewer=bob).lang == "en"


def put(one, path, **data):
    return one.browser.put(
        f"/api/v1/{path}", data, content_type="application/json", headers=one.headers
    )


def test_what_is_not_sent_stays(alice, app):
    one = app(alice)
    made = one.post("/api/v1/statuses", status="First", spoiler_text="Careful")
    assert put(one, f"statuses/{made['id']}", status="Second").json()["spoiler_text"] == "Careful"
    assert put(one, f"statuses/{made['id']}", spoiler_text="").json()["spoiler_text"] == ""
    answer = put(one, f"statuses/{made['id']}", status="")
    assert (answer.status_code, bool(answer.json()["error"])) == (422, True)


def test_descriptions_of_photos_are_changed_with_an_edit(alice, mastodon, upload):
    client, photo = mastodon(alice), upload(alice)
    made = client.status_post("Look", media_ids=[photo.photo_id])
    said = [client.generate_media_edit_attributes(photo.photo_id, description="A dog")]
    changed = client.status_update(made.id, status="Look", media_attributes=said)
    assert changed.media_attachments[0].description == "A dog"


def test_photos_and_polls_of_a_post_stay(alice, app, upload):
    one, photo = app(alice), upload(alice).photo_id
    made = one.post("/api/v1/statuses", status="Look", media_ids=photo)
    other = upload(alice).photo_id
    assert put(one, f"statuses/{made['id']}", media_ids=[other]).status_code == 422
    assert put(one, f"statuses/{made['id']}", media_ids=[]).status_code == 422
    assert put(one, f"statuses/{made['id']}", status="x", media_ids=None).status_code == 200
    assert put(one, f"statuses/{made['id']}", status="x", media_ids=[photo]).status_code == 200
    assert put(one, f"statuses/{made['id']}", poll={"options": ["A", "B"]}).status_code == 422
    asked = one.post("/api/v1/statuses", status="?", **{"poll[options][]": ["A", "B"]})
    answer = put(one, f"statuses/{asked['id']}", status="x")
    assert (answer.status_code, "poll" in answer.json()["error"]) == (422, True)


def test_nobody_edits_reads_the_source_of_or_pins_posts_of_others(alice, bob, app, mastodon):
    name = named(post(alice, "Mine"), alice)
    one = app(bob)
    assert put(one, f"statuses/{name}", status="Yours").status_code == 404
    assert one.ask("get", f"/api/v1/statuses/{name}/source").status_code == 404
    for word in ("pin", "unpin"):
        assert one.ask("post", f"/api/v1/statuses/{name}/{word}").status_code == 404
    assert mastodon(bob).status(name).content == "<p>Mine</p>"


def test_the_history_is_for_those_whom_the_post_is_for(alice, bob, carol, app):
    follow(by=bob, user_id=alice.user_id)
    one = app(alice)
    made = one.post("/api/v1/statuses", status="First", visibility="private")
    put(one, f"statuses/{made['id']}", status="Second")
    assert len(app(bob).get(f"/api/v1/statuses/{made['id']}/history")) == 2
    for stranger in (app(carol), app()):
        assert stranger.ask("get", f"/api/v1/statuses/{made['id']}/history").status_code == 404


def test_a_repost_is_neither_edited_nor_pinned(alice, bob, app):
    one = app(bob)
    boosted = one.post(f"/api/v1/statuses/{named(post(alice), alice)}/reblog")["id"]
    assert put(one, f"statuses/{boosted}", status="x").status_code == 404
    assert one.ask("post", f"/api/v1/statuses/{boosted}/pin").status_code == 404


def test_three_posts_are_pinned_and_no_fourth(alice, mastodon, drain_stream):
    client = mastodon(alice)
    names = [named(post(alice, f"Number {number}"), alice) for number in range(4)]
    drain_stream()
    for name in names[:3]:
        assert client.status_pin(name).pinned
    with pytest.raises(MastodonAPIError, match="pin"):
        client.status_pin(names[3])
    pinned = client.account_statuses(alice.user_id, pinned=True)
    assert {one.id for one in pinned} == set(names[:3])
    assert not client.status_unpin(names[0]).pinned
    assert client.status_pin(names[3]).pinned


def test_frozen_people_edit_and_pin_nothing(alice, app):
    name, one = named(post(alice, "Mine"), alice), app(alice)
    change(UserInfo, keys.user_info(alice.user_id), [UserInfo.frozen_until.set(FOR_EVER)])
    assert put(one, f"statuses/{name}", status="Other").status_code == 403
    assert one.ask("post", f"/api/v1/statuses/{name}/pin").status_code == 403
    in_an_hour = (datetime.now(UTC) + timedelta(hours=1)).isoformat()
    answer = one.ask("post", "/api/v1/statuses", status="x", scheduled_at=in_an_hour)
    assert answer.status_code == 403


def test_a_post_is_planned_moved_and_taken_back(alice, mastodon, upload):
    client, photo = mastodon(alice), upload(alice).photo_id
    tomorrow = (datetime.now(UTC) + timedelta(days=1)).replace(second=0, microsecond=0)
    made = client.status_post(
        "Later", scheduled_at=tomorrow, visibility="private", media_ids=[photo], spoiler_text="Sun"
    )
    assert (made.params.text, made.scheduled_at, made.params.visibility) == (
        "Later",
        tomorrow,
        "private",
    )
    assert [one["id"] for one in made.media_attachments] == [photo]
    assert [one.id for one in client.scheduled_statuses()] == [made.id]
    assert client.scheduled_status(made.id).params.spoiler_text == "Sun"
    moved = client.scheduled_status_update(made.id, tomorrow + timedelta(hours=1))
    assert moved.scheduled_at == tomorrow + timedelta(hours=1)
    (kept,) = list_scheduled(alice).items
    assert (kept.composition.content, kept.composition.audience) == ("Later", "followers")
    with pytest.raises(MastodonNotFoundError):
        client.scheduled_status(made.id)  # another time is another id
    client.scheduled_status_delete(moved.id)
    assert client.scheduled_statuses() == []
    assert client.account_statuses(alice.user_id) == []


def test_planning_with_the_same_key_is_one_post(alice, app):
    one, key = app(alice), {"Idempotency-Key": "once"}
    at = (datetime.now(UTC) + timedelta(days=1)).isoformat()
    said = {"status": "Later", "scheduled_at": at}
    made = [one.ask("post", "/api/v1/statuses", headers=key, **said).json()["id"] for _ in range(2)]
    assert made[0] == made[1]
    assert len(one.get("/api/v1/scheduled_statuses")) == 1


def test_scheduled_posts_go_on_page_after_page(alice, app):
    one = app(alice)
    for hour in range(1, 4):
        at = (datetime.now(UTC) + timedelta(hours=hour)).isoformat()
        one.post("/api/v1/statuses", status=f"Number {hour}", scheduled_at=at)
    first = one.ask("get", "/api/v1/scheduled_statuses?limit=2")
    link = first["Link"].partition("<")[2].partition(">")[0]
    rest = one.get(link)
    told = [each["params"]["text"] for each in [*first.json(), *rest]]
    assert told == ["Number 1", "Number 2", "Number 3"]


@pytest.mark.parametrize("when", ["yesterday", "2020-01-01T00:00:00Z", "2099-01-01T00:00:00Z", "0"])
def test_times_that_cannot_be_are_refused(alice, app, when):
    answer = app(alice).ask("post", "/api/v1/statuses", status="x", scheduled_at=when)
    assert (answer.status_code, bool(answer.json()["error"])) == (422, True)
    assert app(alice).get(f"/api/v1/accounts/{alice.user_id}/statuses") == []


def test_scheduled_posts_are_their_authors_alone(alice, bob, app):
    at = (datetime.now(UTC) + timedelta(days=1)).isoformat()
    made = app(alice).post("/api/v1/statuses", status="Later", scheduled_at=at)["id"]
    other = app(bob)
    assert other.get("/api/v1/scheduled_statuses") == []
    for method in ("get", "put", "delete"):
        answer = other.ask(method, f"/api/v1/scheduled_statuses/{made}")
        assert answer.status_code == 404, method
    assert len(app(alice).get("/api/v1/scheduled_statuses")) == 1


def test_an_answer_is_not_planned(alice, app):
    name = named(post(alice), alice)
    at = (datetime.now(UTC) + timedelta(days=1)).isoformat()
    said = {"status": "x", "in_reply_to_id": name}
    for more in ({"scheduled_at": at}, {"audience": "friends"}, {"poll[options][]": ["A", "B"]}):
        answer = app(alice).ask("post", "/api/v1/statuses", **said, **more)
        assert answer.status_code == 422
