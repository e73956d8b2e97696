"""People whom someone may know: found within bounds, dismissed, and looked for by the worker."""

from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client

from accounts.models import UserInfo
from accounts.people.viewer import VISITOR, Viewer
from accounts.profile.writes import edit_profile
from privacy.erasure.writes import close_account
from relations.blocks.writes import block, mute, unmute
from relations.follows.writes import follow, request_follow
from relations.friends.writes import end_friendship, request_friend
from relations.models import Dismissal, RelationType, Suggestions
from relations.own_choices.writes import dismiss_suggestion
from relations.relation import update_relation
from relations.suggested import MOST, look_for_people
from relations.two_levels import ASKED, MOST_KEPT, recommend_people
from socialsite.streams.models import JobKind
from socialsite.table import change, fetch, get, keys, write_batch
from tests.conftest import HTMX, person
from tests.relations.scenes import (
    befriend,
    crowd,
    follow_each,
    look_anew,
    people_you_may_know,
    reasons,
    shown,
)
from tests.streams.crowd import jobs
from tests.web.html import Html


@pytest.fixture
def dave(table: str) -> Viewer:
    return person("dave", "Dave Dorn")


@pytest.fixture
def knows_carol(alice, bob, carol) -> None:
    """Alice follows Bob, who follows Carol."""
    follow(by=alice, user_id=bob.user_id)
    follow(by=bob, user_id=carol.user_id)


# Who


def test_whom_those_follow_whom_i_follow(alice, knows_carol):
    assert reasons(alice) == {"carol": "Followed by Bob Brandt"}


def test_the_friends_of_my_friends(alice, bob, carol):
    befriend(alice, bob)
    befriend(bob, carol)
    assert reasons(alice) == {"carol": "Friends with Bob Brandt"}


def test_whom_my_friends_follow(alice, bob, carol):
    befriend(alice, bob)
    follow(by=bob, user_id=carol.user_id)
    assert reasons(alice) == {"carol": "Followed by Bob Brandt"}


def test_a_friendship_is_not_told_to_somebody_who_only_follows(alice, bob, carol):
    follow(by=alice, user_id=bob.user_id)
    befriend(bob, carol)
    assert reasons(alice) == {"carol": "Knows people you follow"}


def test_the_reason_names_one_and_counts_the_others(alice, bob, carol, dave, mod):
    for one in (bob, carol, dave):
        follow(by=alice, user_id=one.user_id)
        follow(by=one, user_id=mod.user_id)
    assert reasons(alice) == {"moddy": "Followed by Bob Brandt and 2 other people you follow"}


def test_friends_of_several_friends(alice, bob, carol, mod):
    for one in (bob, carol):
        befriend(alice, one)
        befriend(one, mod)
    assert reasons(alice) == {"moddy": "Friends with Bob Brandt and 1 more of your friends"}


def test_others_you_follow_are_only_those_one_follows(alice, bob, carol, mod):
    befriend(alice, bob)
    follow(by=alice, user_id=carol.user_id)
    for one in (bob, carol):
        follow(by=one, user_id=mod.user_id)
    assert reasons(alice) == {"moddy": "Followed by Carol 陈"}


def test_who_knows_nobody_and_visitors_are_suggested_nobody(alice, bob):
    assert reasons(alice) == {}
    assert people_you_may_know(viewer=VISITOR) == []


def test_three_steps_are_too_far(alice, knows_carol, carol, dave):
    follow(by=carol, user_id=dave.user_id)
    assert "dave" not in reasons(alice)


# In which order


def test_more_shared_people_come_first(alice, bob, carol, dave, mod):
    for one in (bob, carol):
        follow(by=alice, user_id=one.user_id)
        follow(by=one, user_id=mod.user_id)
    follow(by=bob, user_id=dave.user_id)
    assert list(reasons(alice)) == ["moddy", "dave"]


def test_a_friends_friend_comes_before_somebody_a_friend_follows(alice, bob, carol, dave):
    befriend(alice, bob)
    follow(by=bob, user_id=carol.user_id)
    befriend(bob, dave)
    assert list(reasons(alice)) == ["dave", "carol"]


def test_shared_friends_of_one_circle_count_more_than_of_different_ones(alice, table):
    friends = [person(f"friend{number}") for number in range(4)]
    others = [person("mixed"), person("family")]
    for number, circle in enumerate(("work", "family", "family", "choir")):
        befriend(alice, friends[number])
        update_relation(
            by=alice,
            relation_type=RelationType.FRIEND,
            user_id=friends[number].user_id,
            tags={circle},
        )
    for number, other in ((0, 0), (3, 0), (1, 1), (2, 1)):
        follow(by=friends[number], user_id=others[other].user_id)
    assert list(reasons(alice)) == ["family", "mixed"]


def test_the_same_location_counts_however_it_is_written(alice, bob, carol, dave):
    follow(by=alice, user_id=bob.user_id)
    for one in (carol, dave):
        follow(by=bob, user_id=one.user_id)
    edit_profile(by=alice, bio="", location="São Paulo")
    assert list(reasons(alice)) == ["carol", "dave"]
    look_anew(alice)
    edit_profile(by=dave, bio="", location="sao paulo")
    assert list(reasons(alice)) == ["dave", "carol"]


# Who never is, at once and before anything is found anew


def ask_to_follow(by: Viewer, other: Viewer) -> None:
    change(UserInfo, keys.user_info(other.user_id), [UserInfo.locked.set("yes")])
    request_follow(by=by, user_id=other.user_id)


def opt_out(viewer: Viewer) -> None:
    change(UserInfo, keys.user_info(viewer.user_id), [UserInfo.not_suggested.set("yes")])


@pytest.mark.parametrize("found", ["before", "anew"])
@pytest.mark.parametrize(
    "act",
    [
        pytest.param(lambda one, other: follow(by=one, user_id=other.user_id), id="followed"),
        pytest.param(befriend, id="friend"),
        pytest.param(lambda one, other: block(by=one, user_id=other.user_id), id="blocked"),
        pytest.param(lambda one, other: block(by=other, user_id=one.user_id), id="blocker"),
        pytest.param(lambda one, other: mute(by=one, user_id=other.user_id), id="muted"),
        pytest.param(ask_to_follow, id="asked to follow"),
        pytest.param(
            lambda one, other: request_friend(by=one, user_id=other.user_id), id="asked as friend"
        ),
        pytest.param(
            lambda one, other: write_batch(deletes=[keys.user_info(other.user_id)]), id="gone"
        ),
        pytest.param(lambda one, other: opt_out(other), id="opted out"),
        pytest.param(
            lambda one, other: dismiss_suggestion(by=one, user_id=other.user_id), id="dismissed"
        ),
    ],
)
def test_who_is_left_out_at_once(alice, knows_carol, carol, act, found):
    assert list(reasons(alice)) == ["carol"]
    act(alice, carol)
    if found == "anew":
        look_anew(alice)
    assert reasons(alice) == {}


def test_oneself_is_not_suggested(alice, bob):
    follow(by=alice, user_id=bob.user_id)
    follow(by=bob, user_id=alice.user_id)
    assert reasons(alice) == {}


def test_who_is_muted_no_longer_or_until_a_past_moment_comes_back(alice, knows_carol, carol):
    mute(by=alice, user_id=carol.user_id)
    assert reasons(alice) == {}
    unmute(by=alice, user_id=carol.user_id)
    assert list(reasons(alice)) == ["carol"]
    mute(by=alice, user_id=carol.user_id, until=datetime.now(UTC) - timedelta(minutes=1))
    assert list(reasons(alice)) == ["carol"]


@pytest.mark.parametrize(
    "act",
    [
        pytest.param(lambda one, other: block(by=one, user_id=other.user_id), id="blocked"),
        pytest.param(lambda one, other: block(by=other, user_id=one.user_id), id="blocker"),
        pytest.param(
            lambda one, other: write_batch(deletes=[keys.user_info(other.user_id)]), id="gone"
        ),
    ],
)
def test_nobody_is_suggested_through_somebody_blocked_or_gone_since(alice, knows_carol, bob, act):
    assert list(reasons(alice)) == ["carol"]
    act(alice, bob)
    assert reasons(alice) == {}


def test_an_ended_friendship_leads_to_nobody(alice, bob, carol):
    befriend(alice, bob)
    befriend(bob, carol)
    end_friendship(by=bob, user_id=carol.user_id)
    assert reasons(alice) == {}


# People you may know: kept for a while, bounded in size, and at a cost that no number of people changes.

capacity = pytest.mark.engines("embedded", reason="the others report other capacity")


def test_what_was_found_is_kept_and_not_looked_for_again(alice, knows_carol, measure):
    people_you_may_know(viewer=alice)
    with measure() as meter:
        shown(viewer=alice)
    assert [call.operation for call in meter.calls] == ["BatchGetItem", "Query", "BatchGetItem"]


def test_a_long_list_is_fresh_for_a_day_and_a_short_one_for_ten_minutes(alice, knows_carol):
    def minutes_left() -> float:
        people_you_may_know(viewer=alice)
        kept = get(Suggestions, keys.suggestions(alice.user_id))
        fresh_until = datetime.fromisoformat(kept.fresh_until)
        return (fresh_until - datetime.now(UTC)).total_seconds() / 60

    assert 9.9 < minutes_left() <= 10
    [near] = crowd(1)
    follow_each([alice.user_id], [near.user_id])
    follow_each([near.user_id], [one.user_id for one in crowd(12, "far")])
    look_anew(alice)
    assert 23 * 60 < minutes_left() <= 24 * 60


def test_what_is_old_is_shown_until_the_worker_has_looked_anew(alice, knows_carol, bob):
    dave = person("dave")
    reasons(alice)
    past = (datetime.now(UTC) - timedelta(minutes=1)).isoformat(timespec="seconds")
    change(Suggestions, keys.suggestions(alice.user_id), [Suggestions.fresh_until.set(past)])
    follow(by=bob, user_id=dave.user_id)
    assert [one.person.handle for one in shown(viewer=alice)] == ["carol"]
    assert list(reasons(alice)) == ["carol", "dave"]
    assert get(Suggestions, keys.suggestions(alice.user_id)).fresh_until > past


def test_where_most_that_one_looks_at_are_left_out_the_next_ones_come(alice, table):
    [near] = crowd(1)
    far = crowd(MOST_KEPT, "far")
    follow_each([alice.user_id], [near.user_id])
    follow_each([near.user_id], [one.user_id for one in far])
    first = list(reasons(alice))
    assert len(first) == MOST
    follow_each([alice.user_id], [one.user_id for one in far if one.handle in first[:-4]])
    assert len(reasons(alice)) == MOST
    assert list(reasons(alice))[:4] == first[-4:]


# Bounds


def test_thirty_are_kept_in_less_than_four_kilobytes(alice, table):
    [near] = crowd(1)
    follow_each([alice.user_id], [near.user_id])
    follow_each([near.user_id], [one.user_id for one in crowd(60, "far")])
    assert len(recommend_people(alice.user_id)) == MOST_KEPT
    people_you_may_know(viewer=alice)
    key = keys.suggestions(alice.user_id)
    assert len(str(fetch([key])[key])) < 4096


def test_of_many_whom_one_follows_every_so_many_th_is_asked(alice):
    near, far = crowd(200, "near"), crowd(200, "far")
    follow_each([alice.user_id], [one.user_id for one in near])
    for one, other in zip(near, far, strict=True):
        follow_each([one.user_id], [other.user_id])
    asked = {one.via for one in recommend_people(alice.user_id)}
    assert asked == set(sorted(one.user_id for one in near)[:: 200 // ASKED])


def test_friends_are_asked_first(alice, bob, carol):
    befriend(alice, bob)
    befriend(bob, carol)
    follow_each([alice.user_id], [one.user_id for one in crowd(100, "near")])
    assert reasons(alice) == {"carol": "Friends with Bob Brandt"}


@capacity
@pytest.mark.parametrize("followed", [10, 1_000])
def test_finding_anew_is_at_most_52_queries_and_two_batches(alice, measure, followed):
    near, far = crowd(followed, "near"), crowd(120, "far")
    near_ids, far_ids = ([one.user_id for one in some] for some in (near, far))
    follow_each([alice.user_id], near_ids)
    follow_each(near_ids[:: max(1, followed // 50)], far_ids)
    with measure() as meter:
        assert recommend_people(alice.user_id)
    operations = [call.operation for call in meter.calls]
    asked = min(ASKED, followed)
    assert operations.count("Query") == 2 + 2 * asked
    assert operations.count("BatchGetItem") == len(operations) - 2 - 2 * asked == 2
    assert {call.access_pattern for call in meter.calls} == {"recommend_people"}
    assert meter.read_units <= 350


@capacity
@pytest.mark.parametrize(("size", "most"), [(3, 11), (10, 26)])
def test_showing_what_is_kept_costs_three_calls(alice, measure, size, most):
    near_ids, far_ids = ([one.user_id for one in crowd(30, name)] for name in ("near", "far"))
    follow_each([alice.user_id], near_ids)
    follow_each(near_ids, far_ids)
    people_you_may_know(viewer=alice)
    with measure() as meter:
        assert len(shown(viewer=alice, size=size)) == size
    assert [call.operation for call in meter.calls] == ["BatchGetItem", "Query", "BatchGetItem"]
    assert meter.read_units <= most


# Dismissing a suggestion: the person is not suggested any more, until it is taken back or three months have
# passed.

PATH = "/people-to-follow/carol/dismiss"
ON, OFF = {"on": "1"}, {"on": "0"}


@pytest.fixture
def suggested(alice, bob, carol) -> None:
    """Carol is suggested to Alice."""
    follow(by=alice, user_id=bob.user_id)
    follow(by=bob, user_id=carol.user_id)
    assert list(reasons(alice)) == ["carol"]


def is_dismissed(alice, carol) -> bool:
    return bool(fetch([keys.dismissal(alice.user_id, carol.user_id)]))


@pytest.mark.usefixtures("suggested")
def test_a_row_says_why_and_offers_to_follow_and_to_dismiss(alice, carol, log_in):
    page = Html(log_in(alice).get("/explore"))
    row = page.one("article", id="suggestion-carol")
    assert "Followed by Bob Brandt" in row.text
    assert page.one("h2", id="known-title").text == "People you may know"
    assert page.one("button", id=f"follow-{carol.user_id}")["formaction"].endswith("next=/explore")
    button = page.one("button", formaction=PATH)
    assert (button["name"], button["value"], button["hx-post"]) == ("on", "1", PATH)
    assert button.text == "Don’t suggest Carol 陈"


@pytest.mark.usefixtures("suggested")
def test_without_htmx_one_is_back_on_explore_and_can_undo_it(alice, carol, log_in):
    browser = log_in(alice)
    response = browser.post(PATH, ON)
    assert (response.status_code, response["Location"]) == (302, "/explore?dismissed=carol")
    assert is_dismissed(alice, carol)
    page = Html(browser.get(response["Location"]))
    assert "carol" not in page.handles()
    undo = page.one("button", formaction=PATH)
    assert (undo.text, undo["value"]) == ("Undo", "0")
    assert browser.post(PATH, OFF)["Location"] == "/explore"
    assert not is_dismissed(alice, carol)
    assert Html(browser.get("/explore")).handles() == ["carol"]


@pytest.mark.usefixtures("suggested")
def test_htmx_gets_a_line_in_place_of_the_row_and_the_row_back(alice, carol, log_in):
    browser = log_in(alice)
    line = Html(browser.post(PATH, ON, headers=HTMX))
    assert line.elements[0]["id"] == "suggestion-carol"
    assert "We won’t suggest @carol any more." in line.elements[0].text
    assert "autofocus" in line.elements[0].attributes
    assert line.one("button")["value"] == "0"
    row = Html(browser.post(PATH, OFF, headers=HTMX))
    assert (row.elements[0].tag, row.elements[0]["id"]) == ("article", "suggestion-carol")
    assert "Followed by Bob Brandt" in row.elements[0].text
    assert "autofocus" in row.elements[0].attributes


@pytest.mark.usefixtures("suggested")
def test_undoing_what_is_no_longer_in_the_list_says_so(alice, carol, log_in):
    browser = log_in(alice)
    browser.post(PATH, ON, headers=HTMX)
    look_anew(alice)
    line = Html(browser.post(PATH, OFF, headers=HTMX)).elements[0]
    assert line.text == "We may suggest @carol again."
    assert line["id"] == "suggestion-carol"


@pytest.mark.usefixtures("suggested")
@pytest.mark.parametrize("extra", [{}, {"headers": HTMX}], ids=["page", "htmx"])
@pytest.mark.parametrize(("form", "held"), [(ON, True), (OFF, False)], ids=["on", "off"])
def test_pressing_again_changes_nothing(alice, carol, log_in, form, held, extra):
    browser = log_in(alice)
    for _ in range(3):
        assert browser.post(PATH, form, **extra).status_code in (200, 302)
        assert is_dismissed(alice, carol) == held


@pytest.mark.usefixtures("suggested")
def test_it_holds_for_three_months_and_is_not_prolonged(alice, carol):
    key = keys.dismissal(alice.user_id, carol.user_id)
    dismiss_suggestion(by=alice, user_id=carol.user_id)
    ends = get(Dismissal, key).ttl
    assert timedelta(days=89) < ends - datetime.now(UTC) <= timedelta(days=90)
    sooner = ends - timedelta(days=10)
    change(Dismissal, key, [Dismissal.ttl.set(sooner)])
    dismiss_suggestion(by=alice, user_id=carol.user_id)
    assert get(Dismissal, key).ttl == sooner


@pytest.mark.usefixtures("suggested")
def test_after_that_the_person_is_suggested_and_can_be_dismissed_again(alice, carol):
    key = keys.dismissal(alice.user_id, carol.user_id)
    dismiss_suggestion(by=alice, user_id=carol.user_id)
    past = datetime.now(UTC) - timedelta(minutes=1)
    change(Dismissal, key, [Dismissal.ttl.set(past)])
    assert list(reasons(alice)) == ["carol"]
    dismiss_suggestion(by=alice, user_id=carol.user_id)
    assert reasons(alice) == {}


@pytest.mark.usefixtures("suggested")
def test_it_is_ones_own(alice, bob, carol, mod, log_in):
    follow(by=mod, user_id=bob.user_id)
    log_in(alice).post(PATH, ON)
    assert reasons(alice) == {}
    assert list(reasons(mod)) == ["carol"]


@pytest.mark.usefixtures("suggested")
@pytest.mark.parametrize("said", ["<b>x</b>", "a b", "x" * 31, "", "ｂｏｂ"])
def test_the_address_makes_no_line_of_what_is_no_handle(alice, log_in, said):
    page = Html(log_in(alice).get("/explore", {"dismissed": said}))
    assert not page.all("p", class_="dismissed")


@pytest.mark.usefixtures("suggested")
def test_a_visitor_has_nothing_to_undo(carol):
    assert not Html(Client().get("/explore?dismissed=carol")).all("p", class_="dismissed")


@pytest.mark.usefixtures("suggested")
@pytest.mark.engines("embedded", reason="the others report other capacity")
def test_it_is_one_transaction_and_one_read(alice, log_in, measure):
    browser = log_in(alice)
    with measure() as meter:
        browser.post(PATH, ON, headers=HTMX)
    assert [call.operation for call in meter.calls] == ["BatchGetItem", "TransactWriteItems"]
    assert meter.write_units == 2


# The worker looks for the people whom someone may know, after a page has asked for it.


def handles(viewer) -> list[str]:
    return [one.person.handle for one in shown(viewer=viewer)]


@pytest.mark.usefixtures("knows_carol")
def test_the_first_page_asks_and_the_next_has_whom_the_worker_found(alice, drain_stream):
    drain_stream()
    assert handles(alice) == []
    (job,) = jobs(JobKind.LOOK_FOR_PEOPLE)
    assert job.subject_id == alice.user_id
    drain_stream()
    assert not jobs(JobKind.LOOK_FOR_PEOPLE)
    assert handles(alice) == ["carol"]
    assert not jobs(JobKind.LOOK_FOR_PEOPLE)


@pytest.mark.usefixtures("knows_carol")
def test_pages_that_ask_at_once_make_one_job(alice):
    for _ in range(3):
        shown(viewer=alice)
    assert len(jobs(JobKind.LOOK_FOR_PEOPLE)) == 1


@pytest.mark.usefixtures("knows_carol")
def test_a_page_itself_looks_nowhere(alice, measure):
    with measure() as meter:
        shown(viewer=alice)
    patterns = {call.access_pattern for call in meter.calls}
    assert {"find_suggestions", "ask_to_look"} <= patterns
    assert "recommend_people" not in patterns


@pytest.mark.usefixtures("knows_carol")
def test_a_visitor_asks_for_nothing(drain_stream):
    assert shown(viewer=VISITOR) == []
    assert not jobs(JobKind.LOOK_FOR_PEOPLE)


@pytest.mark.usefixtures("knows_carol")
def test_nothing_is_kept_for_an_account_that_is_gone(alice, drain_stream):
    close_account(by=alice, at_once=True)
    drain_stream()
    look_for_people(alice.user_id)
    assert not fetch([keys.suggestions(alice.user_id)], consistent=True)
