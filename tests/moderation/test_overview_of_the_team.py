"""The overview by age of the open cases and by moderator, which shares out work and ranks nobody."""

from datetime import timedelta

from moderation.cases.writes import assign_case
from moderation.models import ActionKind, Case, ClosedCase
from moderation.staff import overview as staff
from moderation.staff.overview import get_overview
from socialsite.clock import utc_now
from socialsite.table import change, ids, keys, write_batch
from tests.conftest import person
from tests.moderation.cases import about, decide, report
from tests.web.html import Html

PAGE = "/moderation/overview"


def closed(by: str, *, days_ago: float = 0) -> None:
    """A case that someone closed, in the list of its month."""
    subject, at = ids.new_id(), (utc_now() - timedelta(days=days_ago)).isoformat()
    key = keys.closed_case(at[:7], at, "person", subject)
    names = {"kind": "person", "subject_id": subject, "decision": "dismiss"}
    write_batch(puts=[ClosedCase(*key, **names, moderator_id=by, closed_at=at)])


def test_open_cases_are_counted_by_how_long_they_have_waited(alice, bob, mod):
    carol = person("carol")
    minutes, hours, days = timedelta(minutes=10), timedelta(hours=30), timedelta(days=9)
    for reported, age in ((alice, minutes), (bob, hours), (carol, days)):
        report(mod, reported)
        opened = (utc_now() - age).isoformat()
        change(Case, about(reported).key, [Case.opened_at.set(opened)])
    assign_case(by=mod, case_id=about(bob), moderator_id=mod.user_id)
    overview = get_overview()
    assert overview.ages == [("1h", 1), ("8h", 0), ("1d", 0), ("3d", 1), ("more", 1)]
    assert overview.counts_all


def test_each_of_the_team_has_a_row_by_name_with_what_they_closed_and_have(alice, bob, mod, admin):
    report(bob, alice)
    report(alice, bob)
    decide(mod, about(alice), ActionKind.WARN)
    assign_case(by=mod, case_id=about(bob), moderator_id=admin.user_id)
    closed(mod.user_id, days_ago=1)
    team = get_overview().moderators
    assert [one.person.user_id for one in team.rows] == [
        one.user_id for one in sorted((mod, admin), key=lambda one: one.card.name.casefold())
    ]
    found = {one.person.user_id: (one.closed, one.assigned) for one in team.rows}
    assert found == {mod.user_id: (2, "0"), admin.user_id: (0, "1")}


def test_cases_closed_more_than_thirty_days_ago_do_not_count(mod):
    closed(mod.user_id, days_ago=31)
    closed(mod.user_id, days_ago=3)
    (row,) = get_overview().moderators.rows
    assert row.closed == 1


def test_beside_the_team_stands_its_median_and_what_others_closed(mod, admin, log_in):
    for _ in range(3):
        closed(mod.user_id)
    closed(admin.user_id)
    closed("someone who left")
    team = get_overview().moderators
    assert (team.median, team.others) == (2, 1)
    text = Html(log_in(mod).get(PAGE)).one("table", aria_labelledby="by-moderator").text
    assert "Median of the team 2" in text
    assert "former staff 1" in text


def test_of_very_many_closed_cases_the_newest_are_counted_and_the_page_says_so(
    mod, log_in, monkeypatch
):
    monkeypatch.setattr(staff, "MOST_CLOSED", 2)
    for days in (1, 2, 3):
        closed(mod.user_id, days_ago=days)
    team = get_overview().moderators
    assert (team.rows[0].closed, team.has_more) == (2, True)
    assert "Of the newest" in Html(log_in(mod).get(PAGE)).one("main").text
