"""Blocking, muting, requests and notes, and the profile, as Mastodon.py does them."""

import pytest
from mastodon import MastodonNotFoundError
from mastodon.errors import MastodonAPIError

from accounts.models import UserInfo
from accounts.people.reads import get_user_info
from accounts.people.restrictions import FOR_EVER
from accounts.profile.writes import save_privacy
from relations.blocks.writes import block
from relations.follows.writes import follow, request_follow
from relations.friends.writes import accept_friend, request_friend
from relations.reads import get_profile
from socialsite.table import change, keys
from tests.accounts.pictures import camera_jpeg
from tests.conftest import person, post


def test_people_block_and_unblock(alice, bob, mastodon):
    follow(by=alice, user_id=bob.user_id)
    client = mastodon(alice)
    told = client.account_block(bob.user_id)
    assert (told.blocking, told.following) == (True, False)
    assert [one.id for one in client.blocks()] == [bob.user_id]
    with pytest.raises(MastodonNotFoundError):
        mastodon(bob).account(alice.user_id)
    assert not client.account_unblock(bob.user_id).blocking
    assert client.blocks() == []


def test_a_block_by_the_other_is_never_told(alice, bob, app):
    block(by=bob, user_id=alice.user_id)
    one = app(alice)
    for word in ("mute", "unmute", "unblock", "remove_from_followers", "note"):
        answer = one.ask("post", f"/api/v1/accounts/{bob.user_id}/{word}")
        assert answer.status_code == 404, word
    for word in ("authorize", "reject"):
        answer = one.ask("post", f"/api/v1/follow_requests/{bob.user_id}/{word}")
        assert answer.status_code == 404, word
    assert one.get("/api/v1/mutes") == []


def test_people_mute_for_a_time_or_until_they_unmute(alice, bob, carol, mastodon):
    client = mastodon(alice)
    assert client.account_mute(bob.user_id).muting
    client.account_mute(carol.user_id, duration=3600)
    told = {one.id: one.mute_expires_at for one in client.mutes()}
    assert told[bob.user_id] is None
    assert told[carol.user_id]
    assert get_profile(carol.user_id, viewer=alice).relationship.muted_until
    assert not client.account_unmute(bob.user_id).muting
    assert [one.id for one in client.mutes()] == [carol.user_id]


@pytest.mark.parametrize("duration", ["-1", "soon", "9" * 30, "1e9", "²"])
def test_a_time_that_is_none_is_refused(alice, bob, app, duration):
    answer = app(alice).ask("post", f"/api/v1/accounts/{bob.user_id}/mute", duration=duration)
    assert answer.status_code == 422
    assert not get_profile(bob.user_id, viewer=alice).relationship.mutes


def test_nobody_blocks_or_mutes_themselves_or_nobody(alice, app):
    one = app(alice)
    for word in ("block", "mute", "unmute", "unblock"):
        answer = one.ask("post", f"/api/v1/accounts/{alice.user_id}/{word}")
        assert answer.status_code == 403, word
        assert one.ask("post", f"/api/v1/accounts/{'0' * 26}/{word}").status_code == 404
    assert one.get("/api/v1/blocks") == one.get("/api/v1/mutes") == []


def test_the_lists_go_on_page_after_page_and_are_their_persons_alone(alice, bob, app, mastodon):
    others = [person(f"other_{number}") for number in range(23)]
    for other in others:
        block(by=alice, user_id=other.user_id)
    client = mastodon(alice)
    first = client.blocks()
    rest = client.fetch_next(first)
    assert {one.id for one in [*first, *rest]} == {other.user_id for other in others}
    few = app(alice).ask("get", "/api/v1/blocks?limit=5")
    link = few["Link"].partition("<")[2].partition(">")[0]
    assert {one["id"] for one in app(alice).get(link)}.isdisjoint(one["id"] for one in few.json())
    assert app(bob).get("/api/v1/blocks") == []
    assert app(alice, "read:mutes").ask("get", "/api/v1/blocks").status_code == 403


def test_requests_to_follow_are_answered(alice, bob, carol, mastodon, drain_stream):
    save_privacy(
        by=alice, locked=True, archived_before=None, not_suggested=False, not_indexed=False
    )
    for other in (bob, carol):
        request_follow(by=other, user_id=alice.user_id)
    drain_stream()
    client = mastodon(alice)
    assert {one.id for one in client.follow_requests()} == {bob.user_id, carol.user_id}
    assert client.follow_request_authorize(bob.user_id).followed_by
    assert not client.follow_request_reject(carol.user_id).followed_by
    assert client.follow_requests() == []
    with pytest.raises(MastodonNotFoundError):
        client.follow_request_authorize(carol.user_id)
    assert not client.account_remove_from_followers(bob.user_id).followed_by


def test_a_note_is_about_friends_and_nobody_else_reads_it(alice, bob, carol, mastodon):
    request_friend(by=alice, user_id=bob.user_id)
    accept_friend(by=bob, user_id=alice.user_id)
    client = mastodon(alice)
    assert client.account_note_set(bob.user_id, "Likes tea").note == "Likes tea"
    assert client.account_relationships(bob.user_id)[0].note == "Likes tea"
    assert mastodon(bob).account_relationships(alice.user_id)[0].note == ""
    with pytest.raises(MastodonAPIError, match="friends"):
        client.account_note_set(carol.user_id, "Likes coffee")


def test_the_profile_is_changed_and_what_is_not_sent_stays(alice, mastodon):
    client = mastodon(alice)
    client.account_update_credentials(note="I bake.")
    told = client.account_update_credentials(display_name="Alice B.")
    assert (told.display_name, told.source.note) == ("Alice B.", "I bake.")
    person_now = get_user_info(alice.user_id, viewer=alice)
    assert (person_now.name, person_now.bio) == ("Alice B.", "I bake.")


def test_pictures_come_and_go(alice, mastodon, app):
    client = mastodon(alice)
    plain = client.me().avatar
    told = client.account_update_credentials(
        avatar=camera_jpeg(),
        avatar_mime_type="image/jpeg",
        header=camera_jpeg(),
        header_mime_type="image/jpeg",
    )
    assert plain not in (told.avatar, told.header)
    for name in ("avatar", "header"):
        assert app(alice).ask("delete", f"/api/v1/profile/{name}").status_code == 200
    assert client.me().avatar == client.me().header == plain


@pytest.mark.parametrize(
    "sent",
    [
        {"display_name": ""},
        {"display_name": "x" * 51},
        {"note": "x" * 501},
        {"locked": "true"},
        {"discoverable": "false"},
        {"fields_attributes": [{"name": "a", "value": "b"}]},
        {"avatar": "data:image/png;base64,AAAA"},
    ],
)
def test_what_a_profile_cannot_be_is_refused(alice, app, sent):
    one = app(alice)
    answer = one.browser.patch(
        "/api/v1/accounts/update_credentials",
        sent,
        content_type="application/json",
        headers=one.headers,
    )
    assert (answer.status_code, bool(answer.json()["error"])) == (422, True)


def test_a_picture_that_is_none_is_refused(alice, mastodon):
    with pytest.raises(MastodonAPIError, match="picture"):
        mastodon(alice).account_update_credentials(avatar=b"x", avatar_mime_type="image/png")


def test_frozen_people_change_no_profile_and_still_block(alice, bob, app):
    one = app(alice)
    change(UserInfo, keys.user_info(alice.user_id), [UserInfo.frozen_until.set(FOR_EVER)])
    answer = one.browser.patch(
        "/api/v1/accounts/update_credentials",
        {"note": "x"},
        content_type="application/json",
        headers=one.headers,
    )
    assert answer.status_code == 403
    assert one.post(f"/api/v1/accounts/{bob.user_id}/block")["blocking"]


def test_email_and_password_are_never_changed(alice, app):
    one = app(alice)
    before = get_user_info(alice.user_id, viewer=alice).handle
    answer = one.browser.patch(
        "/api/v1/accounts/update_credentials",
        {"email": "x@example.org", "password": "calm-quick-cold", "username": "eve"},
        content_type="application/json",
        headers=one.headers,
    )
    assert answer.status_code == 200
    assert answer.json()["username"] == before


def test_who_likes_a_post_goes_on_whatever_the_limit(alice, app):
    name = f"{post(alice)}{alice.user_id}"
    for number in range(23):
        app(person(f"other_{number}")).post(f"/api/v1/statuses/{name}/favourite")
    one = app(alice)
    first = one.ask("get", f"/api/v1/statuses/{name}/favourited_by?limit=5")
    rest = one.get(first["Link"].partition("<")[2].partition(">")[0])
    assert len({each["id"] for each in [*first.json(), *rest]}) == 23
