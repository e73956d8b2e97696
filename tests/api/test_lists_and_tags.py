"""Lists, tags, what to look at, and telling the moderators, as Mastodon.py does them."""

import pytest
from mastodon import MastodonNotFoundError
from mastodon.errors import MastodonAPIError

from feed.explore.reads import forget_explored
from moderation.reports.reads import list_own_reports
from relations.blocks.writes import block
from relations.follows.writes import follow
from relations.lists.reads import list_own_lists
from socialsite.site_settings.site_rules import site_rules
from tests.conftest import person, post


def named(post_id, author):
    return f"{post_id}{author.user_id}"


def test_a_list_is_made_changed_and_deleted(alice, mastodon):
    client = mastodon(alice)
    made = client.list_create("Bakers", exclusive=True)
    assert (made.title, made.exclusive) == ("Bakers", True)
    changed = client.list_update(made.id, "Cooks", exclusive=False)
    assert (changed.title, changed.exclusive) == ("Cooks", False)
    assert [one.title for one in client.lists()] == ["Cooks"]
    assert client.list(made.id).id == made.id
    client.list_delete(made.id)
    assert client.lists() == []
    assert list_own_lists(alice) == []


def test_people_come_into_a_list_and_their_posts_with_them(
    alice, bob, carol, mastodon, drain_stream
):
    client = mastodon(alice)
    made = client.list_create("Bakers")
    client.list_accounts_add(made.id, [bob.user_id, carol.user_id])
    drain_stream()
    written = [post(bob, "Bread"), post(carol, "Cake")]
    drain_stream()
    told = client.timeline_list(made.id)
    assert {one.id for one in told} == {named(written[0], bob), named(written[1], carol)}
    assert {one.id for one in client.list_accounts(made.id)} == {bob.user_id, carol.user_id}
    assert [one.id for one in client.account_lists(bob.user_id)] == [made.id]
    client.list_accounts_delete(made.id, [bob.user_id])
    assert [one.id for one in client.list_accounts(made.id)] == [carol.user_id]
    assert [one.account.id for one in client.timeline_list(made.id)]


def test_a_list_is_nobody_elses(alice, bob, mastodon, app):
    made = mastodon(alice).list_create("Bakers")
    one, other = app(bob), mastodon(bob)
    for ask in (
        lambda: other.list(made.id),
        lambda: other.list_update(made.id, "Mine"),
        lambda: other.list_delete(made.id),
        lambda: other.list_accounts(made.id),
        lambda: other.list_accounts_add(made.id, [alice.user_id]),
        lambda: other.timeline_list(made.id),
    ):
        with pytest.raises(MastodonNotFoundError):
            ask()
    assert one.get("/api/v1/lists") == []
    assert [each.name for each in list_own_lists(alice)] == ["Bakers"]


def test_a_list_shows_what_its_owner_may_see(alice, bob, carol, app, drain_stream):
    one = app(alice)
    made = one.post("/api/v1/lists", title="Bakers")["id"]
    one.post(f"/api/v1/lists/{made}/accounts", **{"account_ids[]": [bob.user_id, carol.user_id]})
    drain_stream()
    for_followers = app(bob).post("/api/v1/statuses", status="Hush", visibility="private")
    shown = post(carol, "Cake")
    drain_stream()
    told = [each["id"] for each in one.get(f"/api/v1/timelines/list/{made}")]
    assert told == [named(shown, carol)]
    assert for_followers["id"] not in told
    block(by=carol, user_id=alice.user_id)
    assert one.get(f"/api/v1/timelines/list/{made}") == []
    assert [each["id"] for each in one.get(f"/api/v1/lists/{made}/accounts")] == [bob.user_id]


def test_a_list_goes_on_page_after_page(alice, app):
    one = app(alice)
    made = one.post("/api/v1/lists", title="Many")["id"]
    people = [person(f"other_{number}").user_id for number in range(7)]
    one.post(f"/api/v1/lists/{made}/accounts", **{"account_ids[]": people})
    first = one.ask("get", f"/api/v1/lists/{made}/accounts?limit=5")
    rest = one.get(first["Link"].partition("<")[2].partition(">")[0])
    assert [each["id"] for each in [*first.json(), *rest]] == sorted(people)


def test_lists_have_their_limits(alice, bob, app):
    one = app(alice)
    for number in range(20):
        one.post("/api/v1/lists", title=f"Number {number}")
    made = one.get("/api/v1/lists")[0]
    answers = [
        one.ask("post", "/api/v1/lists", title="One more"),
        one.ask("post", "/api/v1/lists", title=""),
        one.ask("post", "/api/v1/lists", title="x" * 31),
        one.ask("post", f"/api/v1/lists/{made['id']}/accounts", account_ids=alice.user_id),
    ]
    assert [(each.status_code, bool(each.json()["error"])) for each in answers] == [(422, True)] * 4
    block(by=bob, user_id=alice.user_id)
    blocked = one.ask("post", f"/api/v1/lists/{made['id']}/accounts", account_ids=bob.user_id)
    assert blocked.status_code == 404


def test_tags_are_followed(alice, mastodon, app):
    client = mastodon(alice)
    assert not client.tag("Cats").following
    assert client.tag_follow("Cats").following
    assert [one.name for one in client.followed_tags()] == ["cats"]
    assert client.tag("cats").following
    assert not client.tag_unfollow("cats").following
    assert client.followed_tags() == []
    assert app().get("/api/v1/tags/cats")["name"] == "cats"
    assert app(alice).ask("post", "/api/v1/tags/%20/follow").status_code == 404


def test_no_more_tags_than_the_site_lets_people_follow(alice, app):
    one = app(alice)
    for number in range(50):
        one.post(f"/api/v1/tags/tag{number}/follow")
    assert one.ask("post", "/api/v1/tags/more/follow").status_code == 422


def test_posts_and_people_are_reported(alice, bob, mastodon):
    rule = site_rules().rules[0].rule_id
    bad = post(bob, "Bad")
    client = mastodon(alice)
    told = client.report(
        bob.user_id,
        status_ids=[named(bad, bob)],
        comment="Look",
        category="violation",
        rule_ids=[rule],
    )
    assert (told.comment, told.target_account.id) == ("Look", bob.user_id)
    (kept,) = list_own_reports(alice)
    assert kept
    with pytest.raises(MastodonAPIError, match="sentence"):
        client.report(bob.user_id)  # nothing said, and no rule named


def test_only_what_can_be_seen_is_reported(alice, bob, carol, app):
    hidden = app(bob).post("/api/v1/statuses", status="Hush", visibility="private")["id"]
    theirs = named(post(carol), carol)
    one, said = app(alice), {"account_id": bob.user_id, "comment": "x"}
    for status in (hidden, theirs, "x", "0" * 52):
        assert one.ask("post", "/api/v1/reports", status_ids=status, **said).status_code == 404
    assert one.ask("post", "/api/v1/reports", account_id="x", comment="x").status_code == 404
    own = one.ask("post", "/api/v1/reports", account_id=alice.user_id, comment="x")
    assert own.status_code == 422
    block(by=bob, user_id=alice.user_id)
    assert one.ask("post", "/api/v1/reports", **said).status_code == 404
    assert list_own_reports(alice) == []


def test_people_to_follow_are_suggested_and_dismissed(
    alice, bob, carol, app, mastodon, drain_stream
):
    follow(by=alice, user_id=bob.user_id)
    follow(by=bob, user_id=carol.user_id)
    client = mastodon(alice)
    client.suggestions()  # the first page finds nobody, and lets the worker look
    drain_stream()
    assert [one.id for one in client.suggestions()] == [carol.user_id]
    (told,) = app(alice).get("/api/v2/suggestions")
    assert (told["account"]["id"], told["reason"]) == (carol.user_id, f"Followed by {bob.name}")
    client.suggestion_delete(carol.user_id)
    assert client.suggestions() == []


def test_what_people_like_today_is_what_the_reader_may_see(alice, bob, app):
    forget_explored()
    assert app(alice).get("/api/v1/trends/statuses") == []
    assert app().get("/api/v1/trends/statuses?offset=9999999999999") == []
