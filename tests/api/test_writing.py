"""What people do with posts and each other by Mastodon.py, as they do it by the pages."""

import pytest
from mastodon import MastodonNotFoundError
from mastodon.errors import MastodonAPIError

from accounts.models import UserInfo
from accounts.people.restrictions import FOR_EVER
from feed.cards.reads import get_post
from feed.posts.models import Audience
from feed.saved.reads import find_saved_post
from feed.saved.writes import create_folder, save_post
from relations.follows.writes import follow
from relations.own_choices.writes import follow_tag
from relations.reads import get_profile
from socialsite.table import change, keys
from tests.api.conftest import App
from tests.conftest import post


def id_of(post_id, author):
    return post_id + author.user_id


def test_a_post_is_for_those_for_whom_it_was_meant(alice, mastodon):
    client = mastodon(alice)
    made = client.status_post("Hello #cats", spoiler_text="Cats", language="de-AT")
    card = get_post(made.id[:26], alice.user_id, viewer=alice)
    assert (card.text, card.warning, card.lang, card.audience) == ("Hello #cats", "Cats", "de", "")
    assert (made.visibility, made.spoiler_text, made.tags[0].name) == ("public", "Cats", "cats")
    made = client.status_post("For a few", visibility="private")
    assert get_post(made.id[:26], alice.user_id, viewer=alice).audience == Audience.FOLLOWERS
    assert made.visibility == "private"


@pytest.mark.parametrize("visibility", ["unlisted", "direct", "limited", "nonsense"])
def test_readers_that_the_site_has_no_word_for_are_refused(alice, app, visibility):
    answer = app(alice).ask("post", "/api/v1/statuses", status="Secret", visibility=visibility)
    assert answer.status_code == 422
    assert visibility in answer.json()["error"]
    assert app(alice).get(f"/api/v1/accounts/{alice.user_id}/statuses") == []


def test_the_sites_own_audiences_have_their_names(alice, app):
    for name in ("friends", "me", "followers", "everyone"):
        made = app(alice).post("/api/v1/statuses", status=f"For {name}", audience=name)
        assert made["audience"] == name
    answer = app(alice).ask("post", "/api/v1/statuses", status="x", audience="circle:nobodys")
    assert answer.status_code == 422


@pytest.mark.parametrize(
    "sent",
    [
        {"visibility": []},
        {"visibility": {}},
        {"visibility": {"for": "direct"}},
        {"visibility": ["direct", "public"]},
        {"visibility[]": "direct"},
        {"audience": ["me", ""]},
        {"audience": {"for": "me"}},
        {"audience": [], "visibility": "private"},
        {"audience": "everyone", "visibility": "private"},
        {"replies": []},
        {"expires_in": []},
        {"in_reply_to_id": []},
        {"in_reply_to_id": {"id": "x"}},
        {"in_reply_to_id[]": "x"},
        {"scheduled_at": []},
        {"spoiler_text": []},
    ],
)
def test_what_cannot_be_understood_is_not_taken_for_everyone(alice, app, sent):
    caller = app(alice)
    answer = caller.browser.post(
        "/api/v1/statuses",
        {"status": "Secret"} | sent,
        content_type="application/json",
        headers=caller.headers,
    )
    assert answer.status_code == 422
    assert answer.json()["error"]
    assert caller.get(f"/api/v1/accounts/{alice.user_id}/statuses") == []


@pytest.mark.parametrize("sent", [{"audience": ""}, {"audience": None}, {"poll": {}}])
def test_what_is_empty_says_nothing_against_the_rest(alice, app, sent):
    caller = app(alice)
    wanted = {"status": "For a few", "visibility": "private"} | sent
    answer = caller.browser.post(
        "/api/v1/statuses", wanted, content_type="application/json", headers=caller.headers
    )
    assert answer.json()["audience"] == "followers"


def test_an_edit_that_cannot_be_understood_leaves_the_warning(alice, app):
    caller = app(alice)
    name = caller.post("/api/v1/statuses", status="Text", spoiler_text="Spiders")["id"]
    answer = caller.browser.put(
        f"/api/v1/statuses/{name}",
        {"spoiler_text": []},
        content_type="application/json",
        headers=caller.headers,
    )
    assert answer.status_code == 422
    assert caller.get(f"/api/v1/statuses/{name}")["spoiler_text"] == "Spiders"


def test_the_same_key_is_the_same_post(alice, app):
    one, key = app(alice), {"Idempotency-Key": "once"}
    made = [
        one.ask("post", "/api/v1/statuses", status="Once", headers=key).json()["id"]
        for _ in range(2)
    ]
    assert made[0] == made[1]
    again = one.ask("post", "/api/v1/statuses", status="Once").json()["id"]
    assert again not in made


@pytest.mark.parametrize(
    "sent", [{"status": ""}, {"status": "x" * 1001}, {"status": "x", "media_ids[]": "1"}, {}]
)
def test_a_post_that_cannot_be_is_refused_with_a_sentence(alice, app, sent):
    answer = app(alice).ask("post", "/api/v1/statuses", **sent)
    assert answer.status_code == 422
    assert answer.json()["error"]


def test_an_answer_stands_in_its_conversation(alice, bob, mastodon):
    first = post(alice, "A question")
    client = mastodon(bob)
    made = client.status_post("An answer", in_reply_to_id=id_of(first, alice))
    assert (made.in_reply_to_id, made.in_reply_to_account_id) == (
        id_of(first, alice),
        alice.user_id,
    )
    below = client.status_context(id_of(first, alice)).descendants
    assert [status.id for status in below] == [made.id]
    above = client.status_context(made.id).ancestors
    assert [status.id for status in above] == [id_of(first, alice)]


def test_an_answer_that_was_meant_for_fewer_than_its_conversation_is_refused(alice, bob, app):
    first = id_of(post(alice), alice)
    answer = app(bob).ask(
        "post", "/api/v1/statuses", status="Hush", in_reply_to_id=first, visibility="private"
    )
    assert answer.status_code == 422


def test_a_post_is_liked_and_saved_and_reposted_and_all_of_it_taken_back(
    alice, bob, mastodon, drain_stream
):
    post_id = post(alice)
    name, client = id_of(post_id, alice), mastodon(bob)
    assert client.status_favourite(name).favourited
    assert client.status_bookmark(name).bookmarked
    boosted = client.status_reblog(name)
    assert (boosted.reblog.id, boosted.account.id) == (name, bob.user_id)
    drain_stream()
    shown = client.status(name)
    assert (shown.favourited, shown.reblogged, shown.bookmarked) == (True, True, True)
    assert (shown.favourites_count, shown.reblogs_count) == (1, 1)
    assert client.status(boosted.id).reblog.id == name
    assert [one.id for one in client.bookmarks()] == [name]
    assert [one.id for one in client.favourites()] == [name]
    assert [one.id for one in client.status_favourited_by(name)] == [bob.user_id]
    assert [one.id for one in client.status_reblogged_by(name)] == [bob.user_id]
    client.status_unfavourite(name)
    client.status_unbookmark(name)
    client.status_unreblog(name)
    shown = client.status(name)
    assert (shown.favourited, shown.reblogged, shown.bookmarked) == (False, False, False)


def test_saving_again_leaves_folder_and_note(alice, bob, app):
    post_id = post(alice)
    folder = create_folder(by=bob, name="Later")
    where = {"post_id": post_id, "author_id": alice.user_id}
    save_post(by=bob, **where, folder_id=folder, note="Read on Sunday")
    app(bob).post(f"/api/v1/statuses/{id_of(post_id, alice)}/bookmark")
    saved = find_saved_post(post_id, viewer=bob)
    assert saved
    assert saved.note == "Read on Sunday"


def test_a_post_for_followers_is_not_reposted(alice, bob, app, mastodon):
    follow(by=bob, user_id=alice.user_id)
    made = mastodon(alice).status_post("For followers", visibility="private")
    answer = app(bob).ask("post", f"/api/v1/statuses/{made.id}/reblog")
    assert answer.status_code == 404


def test_people_delete_their_own_posts_alone(alice, bob, mastodon):
    client, theirs = mastodon(alice), post(bob)
    made = client.status_post("Gone soon")
    client.status_delete(made.id)
    for name in (made.id, id_of(theirs, bob)):
        with pytest.raises(MastodonNotFoundError):
            client.status_delete(name)
    assert get_post(theirs, bob.user_id, viewer=alice)


def test_a_repost_is_deleted_without_its_post(alice, bob, app):
    name = id_of(post(alice), alice)
    one = app(bob)
    boosted = one.post(f"/api/v1/statuses/{name}/reblog")
    assert one.ask("delete", f"/api/v1/statuses/{boosted['id']}").status_code == 200
    assert not one.get(f"/api/v1/statuses/{name}")["reblogged"]


def test_people_follow_and_unfollow(alice, bob, mastodon):
    client = mastodon(alice)
    assert client.account_follow(bob.user_id).following
    assert get_profile(bob.user_id, viewer=alice).relationship.follows
    assert client.account_relationships([bob.user_id, alice.user_id])[0].following
    assert [one.id for one in client.account_following(alice.user_id)] == [bob.user_id]
    assert [one.id for one in client.account_followers(bob.user_id)] == [alice.user_id]
    assert not client.account_unfollow(bob.user_id).following
    with pytest.raises(MastodonAPIError):
        client.account_follow(alice.user_id)


def test_people_block_and_mute_and_take_it_back(alice, bob, mastodon):
    follow(by=alice, user_id=bob.user_id)
    client = mastodon(alice)
    muted = client.account_mute(bob.user_id, duration=3600)
    assert (muted.muting, bool(muted.mute_expires_at)) == (True, True)
    assert [one.id for one in client.mutes()] == [bob.user_id]
    assert not client.account_unmute(bob.user_id).muting
    blocked = client.account_block(bob.user_id)
    assert (blocked.blocking, blocked.following) == (True, False)
    assert [one.id for one in client.blocks()] == [bob.user_id]
    with pytest.raises(MastodonAPIError):
        client.account_follow(bob.user_id)
    assert not client.account_unblock(bob.user_id).blocking
    for deed in (client.account_block, client.account_mute, client.account_follow):
        with pytest.raises(MastodonAPIError):
            deed(alice.user_id)


def test_a_locked_account_answers_requests_in_an_app_too(alice, bob, carol, mastodon):
    change(UserInfo, keys.user_info(alice.user_id), [UserInfo.locked.set("yes")])
    for one in (bob, carol):
        assert mastodon(one).account_follow(alice.user_id).requested
    client = mastodon(alice)
    assert {one.id for one in client.follow_requests()} == {bob.user_id, carol.user_id}
    assert client.follow_request_authorize(bob.user_id).followed_by
    client.follow_request_reject(carol.user_id)
    assert client.follow_requests() == []
    with pytest.raises(MastodonNotFoundError):
        client.follow_request_authorize(carol.user_id)
    assert [one.id for one in client.account_followers(alice.user_id)] == [bob.user_id]


def test_a_post_stands_at_the_top_of_its_authors_page(alice, bob, mastodon):
    client, first, theirs = mastodon(alice), id_of(post(alice), alice), id_of(post(bob), bob)
    assert client.status_pin(first).pinned
    assert [one.id for one in client.account_statuses(alice.user_id, pinned=True)] == [first]
    assert not client.status_unpin(first).pinned
    for _ in range(3):
        client.status_pin(id_of(post(alice), alice))
    with pytest.raises(MastodonAPIError):
        client.status_pin(first)
    with pytest.raises(MastodonNotFoundError):
        client.status_pin(theirs)


def test_followed_tags_are_named(alice, mastodon):
    follow_tag(by=alice, tag="cats")
    assert [tag.name for tag in mastodon(alice).followed_tags()] == ["cats"]


def test_a_profile_has_its_posts_and_is_found_by_its_handle(alice, bob, mastodon, drain_stream):
    first, second = post(bob, "One"), post(bob, "Two")
    drain_stream()
    client = mastodon(alice)
    found = client.account_lookup("bob")
    assert (found.id, found.statuses_count) == (bob.user_id, 2)
    ids = [one.id for one in client.account_statuses(found.id)]
    assert ids == [id_of(second, bob), id_of(first, bob)]
    assert client.account_statuses(found.id, pinned=True) == []
    assert client.account_statuses(found.id, only_media=True) == []


def test_the_search_finds_people_posts_and_tags(alice, bob, mastodon, drain_stream):
    name = id_of(post(bob, "A zeppelin over the #bodensee"), bob)
    drain_stream()
    client = mastodon(alice)
    assert [one.id for one in client.search("zeppelin").statuses] == [name]
    assert client.search("bob", result_type="accounts").accounts[0].id == bob.user_id
    assert client.search("#bodens", result_type="hashtags").hashtags[0].name == "bodensee"
    assert [one.id for one in client.timeline_hashtag("Bodensee")] == [name]
    assert [one.id for one in client.timeline_public()] == [name]


def test_people_read_what_they_were_told(alice, bob, carol, mastodon, drain_stream):
    name, client = id_of(post(alice), alice), mastodon(bob)
    client.status_favourite(name)
    client.status_reblog(name)
    client.status_post("An answer", in_reply_to_id=name)
    client.account_follow(alice.user_id)
    drain_stream()
    own = mastodon(alice)
    told = own.notifications()
    assert {one.type for one in told} == {"favourite", "reblog", "mention", "follow"}
    assert all(one.account.id == bob.user_id for one in told)
    assert [one.type for one in own.notifications(types=["follow"])] == ["follow"]
    assert "follow" not in {one.type for one in own.notifications(exclude_types=["follow"])}
    assert own.notifications_unread_count().count == 4
    groups = own.grouped_notifications()
    assert {group.type for group in groups.notification_groups} == {one.type for one in told}
    assert [one.id for one in groups.accounts] == [bob.user_id]
    assert name in {one.id for one in groups.statuses}
    own.notifications_dismiss(told[0].id)
    assert own.notifications_unread_count().count == 3
    own.notifications_clear()
    assert own.notifications_unread_count().count == 0
    assert len(own.notifications()) == 4


def test_who_is_frozen_reads_and_writes_nothing(alice, bob, app):
    name = id_of(post(bob), bob)
    one: App = app(alice)
    change(UserInfo, keys.user_info(alice.user_id), [UserInfo.frozen_until.set(FOR_EVER)])
    for path in (f"statuses/{name}/favourite", f"statuses/{name}/reblog"):
        answer = one.ask("post", f"/api/v1/{path}")
        assert (answer.status_code, bool(answer.json()["error"])) == (403, True)
    assert one.ask("post", "/api/v1/statuses", status="Hello").status_code == 403
    assert one.get(f"/api/v1/statuses/{name}")["id"] == name
