"""The most pressing cases first: gravity × age × reach, as one moment that never changes while a case grows older."""

from datetime import timedelta

import pytest

from accounts.models import UserCount
from feed.posts.models import Audience, LikeCount
from feed.publishing.writes import publish_post
from moderation.cases.changes import begin_case
from moderation.cases.lists import get_next_case
from moderation.cases.pressing import due_of, list_pressing
from moderation.cases.reads import CaseId, reach_of, read_case, stand_of
from moderation.models import Case, CaseKind, Queue
from socialsite.clock import utc_now
from socialsite.site_settings.site_setup import MINOR, SERIOUS, URGENT
from socialsite.table import as_model, change, ids, keys, transact
from tests.conftest import HTMX, post
from tests.looks import broken_invariants
from tests.moderation.cases import QUEUE, about, decide, report, reported_people, rows
from tests.web.html import Html

REPORTS = keys.queue(Queue.REPORTS)
HOUR = timedelta(hours=1)


def waits(severity: int, *, hours: float, reports: int = 1, reach: int | None = None) -> CaseId:
    """A case that was opened so long ago."""
    case_id = CaseId(CaseKind.PERSON, ids.new_id())
    transact(
        begin_case(
            case_id,
            person_id=case_id.subject_id,
            queue=Queue.REPORTS,
            severity=severity,
            reports=reports,
            reach=reach,
            opened_at=(utc_now() - timedelta(hours=hours)).isoformat(),
        )
    )
    return case_id


def pressing(**options) -> list[CaseId]:
    found, cursor = [], None
    while True:
        page = list_pressing(REPORTS, cursor=cursor, **options)
        cases = [as_model(Case, raw) for raw in page.items]
        found += [CaseId(CaseKind(one.kind), one.subject_id) for one in cases]
        cursor = page.next_cursor
        if not cursor:
            return found


def due(severity: int, stand: int) -> timedelta:
    opened = "2026-11-28T10:00:00+00:00"
    place = keys.queue_place(severity, stand, opened, "person", "x")
    return due_of(place) - due_of(keys.queue_place(URGENT, 5, opened, "person", "x")) + HOUR


def test_gravity_sets_the_patience_and_each_step_of_reach_halves_it():
    assert [due(one, 5) for one in (URGENT, SERIOUS, MINOR)] == [HOUR, 24 * HOUR, 72 * HOUR]
    assert [due(SERIOUS, stand) for stand in (4, 3, 2)] == [12 * HOUR, 6 * HOUR, 3 * HOUR]


def test_age_brings_what_waits_to_the_front(table):
    new = waits(SERIOUS, hours=1)
    old = waits(MINOR, hours=72)
    urgent = waits(URGENT, hours=0)
    assert pressing() == [old, urgent, new]


def test_reach_goes_before_age(table):
    few = waits(MINOR, hours=5)
    many = waits(MINOR, hours=1, reach=reach_of(followers=1_000, likes=0))
    assert pressing() == [many, few]


def test_reach_is_the_wider_of_followers_and_likes_and_counts_like_reporters():
    assert [reach_of(one, 0) for one in (0, 299, 300, 1_000, 100_000)] == [None, None, 4, 3, 0]
    assert reach_of(0, 1_000) == 3
    assert stand_of(1, None) == 5
    assert stand_of(2, None) == stand_of(1, 4) == stand_of(2, 5) == 4


def test_every_case_comes_once_over_all_pages_and_severities_stay_apart(table):
    cases = [
        waits(severity, hours=hour, reports=reports)
        for severity in (URGENT, SERIOUS, MINOR)
        for hour in range(12)
        for reports in (1, 30)
    ]
    found = pressing(size=5)
    assert len(found) == len(set(found)) == len(cases)
    assert found == sorted(found, key=lambda one: due_of(str(read_case(one).escalated_at)))
    assert len(pressing(severity=URGENT)) == 24


def test_a_case_of_an_earlier_version_has_its_place_among_them(table):
    old = waits(MINOR, hours=100)
    case = read_case(old)
    place = keys.earlier_queue_place(MINOR, case.opened_at, case.kind, case.subject_id)
    change(Case, old.key, [Case.escalated_at.set(place)])
    new = waits(SERIOUS, hours=0)
    assert pressing() == [old, new]
    assert pressing(severity=MINOR) == [old]


def test_what_is_read_does_not_grow_with_the_cases(measure, table):
    def calls() -> tuple[int, float]:
        with measure() as meter:
            list_pressing(REPORTS)
        return len(meter.calls), sum(call.units for call in meter.calls)

    waits(MINOR, hours=1)
    few = calls()
    for hour in range(40):
        waits(MINOR, hours=hour)
    many = calls()
    assert few[0] == many[0] == 21
    assert few[1] <= 10.5
    assert many[1] <= 10.5 + 10


# What is known at the report


def followed_by(person_, followers: int) -> None:
    change(UserCount, keys.user_count(person_.user_id), [UserCount.followers.set(followers)])


def test_a_report_notes_how_many_could_have_seen_it(alice, bob, carol, drain_stream):
    followed_by(bob, 5_000)
    case = report(alice, bob)
    assert case.reach == 2
    assert case.escalated_at.startswith(f"{MINOR}#2#")
    post_id = post(carol)
    drain_stream()
    change(LikeCount, keys.like_count(post_id), [LikeCount.likes.set(400)])
    assert report(alice, carol, post_id).reach == 4


def test_a_wider_reach_moves_an_open_case_up_and_never_down(alice, bob, carol, mod, drain_stream):
    report(alice, bob)
    followed_by(bob, 20_000)
    assert report(carol, bob).escalated_at.startswith(f"{MINOR}#1#")
    followed_by(bob, 0)
    assert report(mod, bob).escalated_at.startswith(f"{MINOR}#1#")
    followed_by(bob, 20_000)  # as the invariants count
    assert not [rule for rule in broken_invariants() if "index" in rule]


def test_another_round_begins_with_its_own_reach_and_line(alice, bob, mod):
    followed_by(bob, 20_000)
    report(alice, bob, comment="First")
    decide(mod, about(bob), "dismiss")
    followed_by(bob, 0)
    case = report(alice, bob, comment="Second")
    assert (case.reach, case.line) == (None, "Second")


# One line of what was reported


def test_a_row_shows_one_line_of_the_post_and_says_how_old_the_first_report_is(
    alice, bob, moderator
):
    report(alice, bob, post(bob, "You are\n\nall <b>fools</b> " + "and more " * 30))
    page = moderator.get(QUEUE)
    [line] = Html(page).all("p", class_="case-line")
    assert line.text.startswith("You are all <b>fools</b> and more")
    assert len(line.text) <= 121
    assert "Oldest report:" in page.content.decode()


def test_a_warning_stands_for_what_it_covers(alice, bob):
    assert (
        report(
            alice, bob, publish_post(by=bob, content="Gore", warning="Blood", nonce=ids.new_id())
        ).line
        == "Blood"
    )


@pytest.mark.parametrize("audience", [Audience.FOLLOWERS, Audience.ONLY_ME])
def test_a_post_that_was_not_for_everyone_has_no_line(alice, bob, audience):
    case = report(
        alice, bob, publish_post(by=bob, content="Secret", audience=audience, nonce=ids.new_id())
    )
    assert case.line is None


def test_without_a_post_it_is_what_the_reporter_said(alice, bob, carol):
    assert report(alice, bob, comment="He sends me threats").line == "He sends me threats"
    assert report(carol, bob, post(bob, "Later")).line == "He sends me threats"


def test_a_row_without_a_line_is_there_too(alice, bob, moderator):
    report(alice, bob)
    assert rows(moderator.get(QUEUE)) == ["bob"]


# Pages


def test_the_page_can_be_sorted_and_filtered_and_leads_on_in_that_order(
    alice, bob, carol, moderator, mod
):
    report(alice, bob, rule_id="violence", severity=URGENT)
    report(alice, carol, rule_id="spam")
    followed_by(carol, 200_000)
    report(mod, carol, rule_id="spam")
    change(
        Case,
        about(carol).key,
        [
            Case.escalated_at.set(
                keys.queue_place(
                    MINOR, 0, (utc_now() - 9 * HOUR).isoformat(), "person", carol.user_id
                )
            )
        ],
    )
    assert rows(moderator.get(QUEUE)) == ["bob", "carol"]
    assert rows(moderator.get(f"{QUEUE}?order=pressing")) == ["carol", "bob"]
    assert rows(moderator.get(f"{QUEUE}?order=pressing&severity=1")) == ["bob"]
    assert rows(moderator.get(f"{QUEUE}?reason=spam")) == ["carol"]
    following = {"by": mod, "besides": about(alice)}
    assert get_next_case(REPORTS, **following) == about(bob)
    assert get_next_case(REPORTS, pressing=True, **following) == about(carol)
    assert get_next_case(REPORTS, reason="spam", **following) == about(carol)


@pytest.mark.parametrize("asked", ["order=x", f"reason={'x' * 41}", "language=xx"])
def test_an_address_that_no_page_has_is_refused(moderator, asked):
    assert moderator.get(f"{QUEUE}?{asked}").status_code == 400


def test_one_language_is_a_filter_whoever_opens_the_address(alice, bob, carol, moderator):
    report(alice, bob, language="de")
    report(alice, carol, language="en")
    assert rows(moderator.get(f"{QUEUE}?language=de")) == ["bob"]


def test_a_sorted_page_costs_the_same_calls_however_many_rows(alice, moderator, requests_of):
    def calls() -> list[str]:
        with requests_of() as requests:
            moderator.get(f"{QUEUE}?order=pressing")
        return requests.operations

    reported_people(1, by=alice)
    moderator.get(f"{QUEUE}?queue=held")  # the numbers on the tabs are kept
    few = calls()
    for hour in range(25):
        waits(MINOR, hours=hour)
    assert calls() == few
    assert few.count("Query") == 21 + 2
    assert moderator.get(f"{QUEUE}?order=pressing", headers=HTMX).status_code == 200
