"""Posts of a Mastodon archive stand on the profile as they were, at their old moments, marked; nobody is told."""

from datetime import timedelta

import pytest
from django.test import Client

from accounts.models import UserCount, UserInfo
from accounts.people.cards import posts_now, posts_written_here
from accounts.people.reads import get_user_info
from accounts.people.restrictions import Restriction
from api.pages import status_id
from feed.home.reads import get_favourites, get_timeline
from feed.posts.models import Audience
from feed.profiles.reads import list_posts, read_feed
from feed.publishing.changes import change_audience
from feed.publishing.writes import delete_post
from feed.timelines.local import list_public
from finding.query import read_query
from finding.reads import search_posts
from moderation.models import ActionKind
from moderation.securing.reads import list_latest_posts
from notifications.digest.reads import _posts
from privacy.importing import posts
from privacy.importing.outcomes import Outcome
from relations.follows.writes import follow
from relations.lists.writes import add_to_list, create_list
from relations.own_choices.writes import favourite, follow_tag, subscribe
from socialsite.clock import utc_now
from socialsite.site_settings.word_filters import Effect
from socialsite.table import change, get, ids, keys
from socialsite.web.limits import Limit
from tests.api.conftest import token_of
from tests.conftest import post
from tests.feed.scenes import entries
from tests.looks import broken_invariants
from tests.moderation.cases import about, decide, report, restrict, strikes
from tests.moderation.staff import set_up, word_rule
from tests.notifications.told import told
from tests.privacy.lives import a_day_of_work, wish
from tests.privacy.mastodon import (
    ACTOR,
    FOLLOWERS,
    LONG_AGO,
    PUBLIC,
    boost,
    imported_posts,
    note,
    outbox,
    outcomes_of,
    report_of,
    send,
    work_off,
)

DIRECT = "https://other.example/users/bob"


@pytest.fixture
def bring(alice, log_in, drain_stream):
    """Brings an archive of alice's, and lets the clock do it."""

    def bring(*activities):
        answer = send(log_in(alice), outbox=outbox(*activities))
        assert answer.status_code == 302, answer.content.decode()
        work_off(drain_stream)

    return bring


def just_now(**before: float) -> str:
    return (utc_now() - timedelta(**before)).isoformat()


def test_a_post_is_dated_as_it_was_and_marked(alice, bob, log_in, bring):
    bring(note(7, "<p>Hello <b>you</b></p>", summary="Greeting"))
    (found,) = imported_posts(alice)
    assert ids.time_of(found.post_id) == LONG_AGO
    assert (found.content, found.warning, found.lang) == ("Hello you", "Greeting", "en")
    page = log_in(bob).get(f"/@alice/posts/{found.post_id}").content.decode()
    assert "Imported from Mastodon" in page
    assert "2021" in page
    assert "Imported from Mastodon" in log_in(bob).get("/@alice").content.decode()
    assert outcomes_of(alice) == [Outcome.POSTED]
    assert broken_invariants() == {}


def test_it_stands_at_its_place_among_the_posts_of_the_profile(alice, bob, bring):
    here = post(alice, "Written here")
    bring(note(2, "<p>Second</p>"), note(1, "<p>First</p>"))
    shown = list_posts(alice.card, viewer=bob).items
    assert [one.text for one in shown] == ["Written here", "Second", "First"]
    assert shown[0].post_id == here
    assert get_user_info(alice.user_id).posts == 3


@pytest.mark.parametrize(
    ("addressed", "audience", "remark"),
    [
        ({"to": [PUBLIC], "cc": [FOLLOWERS]}, Audience.EVERYONE, ""),
        ({"to": "as:Public", "cc": None}, Audience.EVERYONE, ""),
        ({"to": [FOLLOWERS], "cc": [PUBLIC]}, Audience.FOLLOWERS, "It was unlisted there"),
        ({"to": [FOLLOWERS], "cc": []}, Audience.FOLLOWERS, ""),
        ({"to": [FOLLOWERS, DIRECT], "cc": []}, Audience.FOLLOWERS, ""),
    ],
)
def test_nobody_sees_more_than_was_meant(alice, bring, addressed, audience, remark):
    bring(note(1, **addressed))
    (found,) = imported_posts(alice)
    assert (found.audience or "") == audience
    assert remark in report_of(alice)[0].became


@pytest.mark.parametrize(
    ("activity", "outcome"),
    [
        (note(1, to=[DIRECT], cc=[]), Outcome.DIRECT),
        (note(1, to=[DIRECT], cc=[FOLLOWERS]), Outcome.DIRECT),
        (boost(), Outcome.BOOST),
        (note(1, inReplyTo="https://other.example/notes/1"), Outcome.ANSWER),
        (note(1, inReplyTo=["https://other.example/notes/1"]), Outcome.ANSWER),
        (note(1, inReplyTo=f"{ACTOR}/statuses/1"), Outcome.ANSWER),
        (note(1, type="Question"), Outcome.POLL),
        (note(1, type="Article"), Outcome.OTHER),
        (note(1, "", attachment=[{"type": "Document", "url": "/a.png"}]), Outcome.ONLY_PHOTOS),
        (note(1, "<p> </p>"), Outcome.EMPTY),
        (note(1, "<p>\u2800</p>"), Outcome.NOT_READ),
        (note(1, f"<p>{'word ' * 250}</p>"), Outcome.TOO_LONG),
        (note(1, f"<p>{'x' * 4000}</p>"), Outcome.TOO_LONG),
        (note(1, "<p>x</p>" * 9000), Outcome.TOO_LONG),
        (note(1, published="once"), Outcome.NO_DATE),
        (note(1, published="0001-01-01T00:00:00+14:00"), Outcome.NO_DATE),
        (note(1, published="9999-12-31T00:00:00Z"), Outcome.NO_DATE),
        (note(1, published=None), Outcome.NO_DATE),
        ({"type": "Delete", "object": f"{ACTOR}/statuses/1"}, Outcome.OTHER),
        ({"type": "Create", "object": f"{ACTOR}/statuses/1"}, Outcome.OTHER),
    ],
)
def test_what_cannot_be_brought_is_a_line_of_the_report(alice, bring, activity, outcome):
    bring(activity)
    assert outcomes_of(alice) == [outcome]
    assert imported_posts(alice) == []
    assert get_user_info(alice.user_id).posts == 0


def test_what_was_direct_is_not_repeated_in_the_report(alice, bring):
    bring(note(1, "<p>A secret for Bob</p>", to=[DIRECT], cc=[]))
    assert report_of(alice)[0].line.said == "2021-03-04"


def test_an_own_thread_becomes_single_posts_unless_someone_else_began_it(alice, bring):
    bring(
        note(1, "<p>One</p>"),
        note(2, "<p>Two</p>", inReplyTo=f"{ACTOR}/statuses/1"),
        note(3, "<p>Answer</p>", inReplyTo="https://other.example/notes/1"),
        note(4, "<p>And more</p>", inReplyTo=f"{ACTOR}/statuses/3"),
        note(5, "<p>A</p>", inReplyTo=f"{ACTOR}/statuses/6"),
        note(6, "<p>B</p>", inReplyTo=f"{ACTOR}/statuses/5"),
    )
    assert [one.content for one in imported_posts(alice)] == ["One", "Two"]
    assert [one.root_id for one in imported_posts(alice)] == [None, None]
    assert outcomes_of(alice)[2:] == [Outcome.ANSWER] * 4


def test_photos_stay_behind_and_the_line_says_so(alice, bring):
    bring(note(1, attachment=[{"type": "Document", "url": "https://files.example/1.png"}]))
    assert "Its photos were left out." in report_of(alice)[0].became
    assert imported_posts(alice)[0].photos is None


def test_html_becomes_text_and_people_of_other_sites_are_named_with_it(alice, bob, log_in, bring):
    bring(
        note(
            1,
            '<p>Hi <span class="h-card"><a href="https://other.example/@bob" class="mention">@<span>bob</span></a>'
            '</span><br>see <a href="https://example.com/a/long/path"><span class="invisible">https://</span>'
            '<span class="ellipsis">example.com/a/long</span><span class="invisible">/path</span></a></p>'
            "<p>1 &lt; 2 <script>alert(1)</script><img src=x onerror=alert(1)></p>",
            tag=[
                {
                    "type": "Mention",
                    "href": "https://other.example/@bob",
                    "name": "@bob@other.example",
                }
            ],
        )
    )
    (found,) = imported_posts(alice)
    expected = "Hi @bob@other.example\nsee https://example.com/a/long/path\n\n1 < 2"
    assert found.content == expected
    page = log_in(bob).get(f"/@alice/posts/{found.post_id}").content.decode()
    assert 'href="/@bob' not in page.split("<article")[1].split("</article")[0]
    assert told(bob) == []


def test_the_same_archive_brings_nothing_twice(alice, bring):
    bring(note(1), note(2), note(2))
    assert outcomes_of(alice) == [Outcome.POSTED, Outcome.POSTED, Outcome.TWICE]
    first = [one.post_id for one in imported_posts(alice)]
    bring(note(1), note(2), note(3))
    assert outcomes_of(alice) == [Outcome.ALREADY, Outcome.ALREADY, Outcome.POSTED]
    assert [one.post_id for one in imported_posts(alice)][:2] == first
    assert get_user_info(alice.user_id).posts == 3
    assert broken_invariants() == {}


def test_what_was_published_today_reaches_nobody_either(
    alice, bob, carol, log_in, bring, drain_stream
):
    """An archive may be a minute old: its newest posts are as new as any."""
    follow(by=bob, user_id=alice.user_id)
    favourite(by=bob, user_id=alice.user_id)
    subscribe(by=bob, user_id=alice.user_id)
    follow_tag(by=carol, tag="today")
    list_id = create_list(by=carol, name="Bakers")
    add_to_list(by=carol, list_id=list_id, user_id=alice.user_id)
    drain_stream()
    told_before = told(bob)
    bring(
        note(1, "<p>New #today @bob</p>", published=just_now(minutes=3)),
        note(2, "<p>Closed</p>", published=just_now(minutes=2), to=[FOLLOWERS], cc=[]),
    )
    mine = {one.post_id for one in imported_posts(alice)}
    assert len(mine) == 2
    for reader in (alice, bob, carol):
        assert not mine & {*entries(reader)}
        assert not mine & {one.post_id for one in get_timeline(viewer=reader).items}
    assert not mine & {one.post_id for one in list_public(viewer=bob).items}
    assert not mine & {one.post_id for one in get_favourites(bob).items}
    assert read_feed(alice.user_id)[1] == []
    assert not _posts(bob, utc_now() - timedelta(days=1))[0]
    assert told(bob) == told_before
    follow(by=carol, user_id=alice.user_id)
    drain_stream()
    assert not mine & {*entries(carol)}
    assert broken_invariants() == {}


def test_another_audience_later_brings_it_to_nobody(alice, bob, bring, drain_stream):
    follow(by=bob, user_id=alice.user_id)
    bring(note(1, published=just_now(minutes=3)))
    (found,) = imported_posts(alice)
    for audience in (Audience.FRIENDS, Audience.FOLLOWERS, Audience.EVERYONE):
        change_audience(by=alice, post_id=found.post_id, audience=audience)
        drain_stream()
        assert entries(bob) == []
    assert broken_invariants() == {}


def test_it_is_found_by_its_words_and_under_its_tag(alice, bob, log_in, bring):
    bring(note(1, "<p>A nightingale #birds</p>", published=just_now(days=2)))
    found = search_posts(read_query("nightingale"), viewer=bob).items
    assert [one.text for one in found] == ["A nightingale #birds"]
    assert "A nightingale" in log_in(bob).get("/tags/birds").content.decode()


def test_an_edit_tells_nobody_and_keeps_the_mark(alice, bob, log_in, bring, drain_stream):
    bring(note(1))
    (found,) = imported_posts(alice)
    form = {"content": "Hello @bob #new", "version": "1"}
    answer = log_in(alice).post(f"/@alice/posts/{found.post_id}/edit", form)
    assert answer.status_code == 302, answer.content.decode()
    drain_stream()
    (edited,) = imported_posts(alice)
    assert edited.content == "Hello @bob #new"
    assert told(bob) == []
    assert broken_invariants() == {}


def test_moderators_hide_and_show_it_as_any_other(alice, bob, mod, bring, drain_stream):
    bring(note(1))
    (found,) = imported_posts(alice)
    case_id = about(alice)
    report(bob, alice, found.post_id)
    drain_stream()
    decide(mod, case_id, ActionKind.HIDE, found.post_id)
    drain_stream()
    assert list_posts(alice.card, viewer=bob).items == []
    assert get_user_info(alice.user_id).posts == 0
    assert broken_invariants() == {}


def test_what_a_thief_brings_is_among_the_latest_posts_when_staff_secure_the_account(alice, bring):
    """However old it says it is."""
    here = post(alice, "Written here")
    bring(note(1), note(2, to=[FOLLOWERS]), note(3, published=just_now(minutes=2)))
    shown = list_latest_posts(alice.card, hours=1)
    third = imported_posts(alice)[2].post_id
    assert [one.post_id for one in shown[:2]] == [here, third]
    assert {one.post_id for one in shown[2:]} == {one.post_id for one in imported_posts(alice)[:2]}
    assert sorted(one.text for one in shown[2:]) == ["", "Hello from 2021"]
    assert list_latest_posts(alice.card, hours=0) == []


def test_a_limit_by_a_word_filter_is_of_the_day_on_which_it_came(alice, admin, bring):
    """So it is the latest of its case, and counts as a strike of now."""
    word_rule(admin, "casino", Effect.LIMIT)
    bring(note(1, "<p>casino</p>"))
    assert get_user_info(alice.user_id).is_limited
    (strike,) = strikes(alice)
    assert utc_now() - ids.time_of(strike.action_id) < timedelta(minutes=5)
    assert broken_invariants() == {}


@pytest.mark.parametrize("effect", [Effect.HOLD, Effect.FLAG])
def test_an_archive_does_not_fill_the_queue_of_moderators(alice, admin, bring, monkeypatch, effect):
    monkeypatch.setattr(posts, "FOR_MODERATORS", Limit("brought-for-moderators", 2, 86_400))
    word_rule(admin, "casino", effect)
    bring(*(note(number, f"<p>casino {number}</p>") for number in range(1, 4)), note(4))
    brought = Outcome.HELD if effect == Effect.HOLD else Outcome.POSTED
    assert outcomes_of(alice) == [brought, brought, Outcome.FULL, Outcome.POSTED]
    bring(note(5, "<p>casino</p>"))
    assert outcomes_of(alice) == [Outcome.FULL]
    assert broken_invariants() == {}


def test_posts_of_today_do_not_fill_searches_and_tags(alice, bring, monkeypatch):
    monkeypatch.setattr(posts, "YOUNG", Limit("brought-young", 2, 86_400))
    bring(*(note(n, f"<p>{n} #cats</p>", published=just_now(minutes=n)) for n in (3, 2, 1)))
    assert outcomes_of(alice) == [Outcome.POSTED, Outcome.POSTED, Outcome.FULL]
    bring(note(4, published=just_now(minutes=4)), note(5, published=just_now(days=8)))
    assert outcomes_of(alice) == [Outcome.FULL, Outcome.POSTED]
    assert broken_invariants() == {}


def test_who_has_old_posts_deleted_has_these_deleted_too(alice, bring, drain_stream):
    bring(note(1), note(2, published=just_now(minutes=1)))
    wish(alice, 30)
    a_day_of_work(drain_stream)
    assert len(imported_posts(alice)) == get_user_info(alice.user_id).posts == 1
    assert broken_invariants() == {}


def test_a_deleted_one_is_gone_with_its_count(alice, bring, drain_stream):
    bring(note(1), note(2))
    first, _ = imported_posts(alice)
    delete_post(by=alice, post_id=first.post_id)
    drain_stream()
    assert get_user_info(alice.user_id).posts == 1
    assert broken_invariants() == {}


def test_they_are_no_first_posts(alice, admin, log_in, bring):
    bring(*(note(number) for number in range(1, 6)))
    set_up(admin, hold_first_posts=3)
    form = {"content": "My first here", "nonce": "a" * 22}
    answer = log_in(alice).post("/posts", form, follow=True)
    assert "A moderator will review your post." in answer.content.decode()


def test_they_count_for_no_level(alice, bring):
    bring(*(note(number) for number in range(1, 60)))
    post(alice, "Written here")
    count = get(UserCount, keys.user_count(alice.user_id))
    assert (posts_now(count), posts_written_here(count)) == (60, 1)


def test_people_whose_first_posts_are_looked_at_bring_none(alice, admin, log_in, drain_stream):
    set_up(admin, hold_first_posts=1)
    answer = send(log_in(alice), outbox=outbox(note(1)))
    assert answer.status_code == 422
    assert "Moderators still look at your first posts" in answer.content.decode()
    drain_stream()
    assert imported_posts(alice) == []


def test_word_filters_judge_them_as_any_other(alice, bob, admin, bring):
    word_rule(admin, "pills", Effect.REFUSE)
    word_rule(admin, "spoiler", Effect.HOLD)
    bring(note(1, "<p>Cheap pills</p>"), note(2, "<p>A spoiler</p>"), note(3, "<p>Fine</p>"))
    assert outcomes_of(alice) == [Outcome.REFUSED, Outcome.HELD, Outcome.POSTED]
    assert [one.text for one in list_posts(alice.card, viewer=bob).items] == ["Fine"]
    assert get_user_info(alice.user_id).posts == 1
    assert broken_invariants() == {}


def test_links_count_for_what_a_level_may_post_in_a_day(alice, bring):
    change(UserInfo, keys.user_info(alice.user_id), [UserInfo.level.set("new")])
    bring(*(note(n, f"<p>https://example.com/{n}</p>") for n in range(1, 13)))
    assert outcomes_of(alice) == [Outcome.POSTED] * 10 + [Outcome.LINKS] * 2


@pytest.mark.parametrize("restriction", [Restriction.FROZEN, Restriction.SUSPENDED])
def test_people_who_may_not_speak_bring_nothing(alice, log_in, drain_stream, restriction):
    browser = log_in(alice)
    restrict(alice, restriction)
    assert send(browser, outbox=outbox(note(1))).status_code in (302, 403)
    drain_stream()
    assert imported_posts(alice) == []


def test_the_export_has_them_with_their_mark_and_the_reports(alice, bring, of_alice):
    bring(note(1, "<p>Hello from 2021</p>"), boost())
    post(alice, "Written here")
    unpacked = of_alice()
    first, second = unpacked.items("posts")
    assert (first["published_at"], first["imported_from"]) == (
        LONG_AGO.isoformat()[:17] + "01+00:00",
        "mastodon",
    )
    assert (second["text"], second["imported_from"]) == ("Written here", "")
    (brought,) = unpacked.items("imports")
    assert (brought["file"], brought["stage"], brought["lines"]) == ("outbox", "done", 2)
    made, left = unpacked.items("import-lines")
    assert (made["became"], made["post"]) == ("posted", first["id"])
    assert (left["became"], left["import"]) == ("boost", brought["id"])


def test_apps_see_it_at_its_old_moment(alice, bob, bring):
    bring(note(7))
    (found,) = imported_posts(alice)
    bearer = {"Authorization": f"Bearer {token_of(bob, 'read')}"}
    told_to_app = (
        Client()
        .get(f"/api/v1/statuses/{status_id(found.post_id, alice.user_id)}", headers=bearer)
        .json()
    )
    assert told_to_app["created_at"].startswith("2021-03-04T05:06:07")
    assert told_to_app["imported_from"] == "mastodon"
