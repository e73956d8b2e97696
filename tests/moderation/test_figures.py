"""The year's figures are what was reported, done, taken back and appealed, each once, and name nobody."""

import csv
import io
from dataclasses import replace
from datetime import timedelta

import pytest
from django.test import Client

from accounts.people.restrictions import FOR_EVER
from feed.posts.models import Post
from moderation.cases.decisions import act_automatically
from moderation.cases.effects import undo_action
from moderation.cases.erasure import let_case_end
from moderation.cases.reads import read_case
from moderation.cases.writes import answer_appeal, appeal
from moderation.figures import names
from moderation.figures.checks import PastFigures
from moderation.figures.reads import Figures, bounds_of, get_counts, hide_small
from moderation.figures.told import measure_figures, redress_figures
from moderation.models import ActionKind, CaseAction, DayCount, Strike
from moderation.reports.writes import file_report, flag_post
from moderation.staff.overview import get_overview
from socialsite.clock import utc_now
from socialsite.site_settings.word_filters import Word
from socialsite.table import ids, key_of, keys, reading, write_batch
from socialsite.table.reading import scan
from tests.conftest import person, post
from tests.moderation.cases import about, about_post, decide, held_post, logged
from tests.streams.records import everything, handle_all, lines, unread
from tests.web.html import Html

YEAR = str(utc_now().year)


def counts() -> dict[str, int]:
    """What was counted this year, but the people who were here."""
    found = get_counts(YEAR)
    return {name: times for name, times in found.items() if times and not name.startswith("active")}


def without_times(found: dict[str, int]) -> dict[str, int]:
    return {name: times for name, times in found.items() if not name.startswith("to-")}


def answer(mod, whom, action_id: str, *, grant: bool) -> None:
    case_id = about(whom)
    version = int(read_case(case_id).version)
    answer_appeal(
        by=mod, case_id=case_id, action_id=action_id, text="", version=version, grant=grant
    )


LIMITING = Word(rule_id="w1", kind="word", pattern="x", effect="limit", site_rule="spam", days=3)


# What is counted


def test_notices_count_by_reason_once_for_each_reporter_and_round(alice, bob, carol, worker):
    file_report(by=bob, person_id=alice.user_id, rule_id="spam")
    file_report(by=bob, person_id=alice.user_id, post_id=post(alice), rule_id="spam")
    file_report(by=carol, person_id=alice.user_id)
    worker.drain()
    assert counts() == {"notices.spam": 1, "notices.other": 1}


def test_what_a_filter_flags_is_no_notice(alice, worker):
    flag_post(post_id=post(alice), author_id=alice.user_id, rule_id="spam", severity=3)
    worker.drain()
    assert counts() == {"flagged.spam": 1}


def test_an_action_says_its_kind_its_reason_and_that_people_had_reported(alice, bob, mod, worker):
    file_report(by=bob, person_id=alice.user_id, rule_id="spam")
    decide(mod, about(alice), ActionKind.LIMIT, rule_id="spam")
    worker.drain()
    assert counts() == {"notices.spam": 1, "actions.limit.spam.notice.hand": 1, "to-act.15m": 1}


def test_without_reports_it_was_their_own_initiative(alice, mod, worker):
    flag_post(post_id=post(alice), author_id=alice.user_id, rule_id="spam", severity=3)
    decide(mod, about(alice), ActionKind.WARN)
    worker.drain()
    assert counts()["actions.warn.other.own.hand"] == 1


def test_what_a_filter_did_by_itself_counts_as_such(alice, bob, worker):
    post_id = post(alice)
    flag_post(post_id=post_id, author_id=alice.user_id, rule_id="spam", severity=3)
    act_automatically(post=reading.get(Post, keys.post(alice.user_id, post_id)), word=LIMITING)
    worker.drain()
    assert without_times(counts()) == {"flagged.spam": 1, "actions.limit.spam.own.filter": 1}


def test_a_held_post_counts_and_what_was_decided_about_it(alice, mod, worker):
    post_id = held_post(alice)
    worker.drain()
    action_id = decide(mod, about_post(post_id), ActionKind.RELEASE)
    worker.drain()
    assert without_times(counts()) == {"held.post": 1, "actions.release.other.own.hand": 1}
    assert Figures(YEAR, counts()).held.rate == 100
    undo_action(by=mod, case_id=about_post(post_id), action_id=action_id)
    worker.drain()
    assert counts() == {"held.post": 1}


def test_an_undone_action_counts_as_taken_back(alice, bob, mod, worker):
    file_report(by=bob, person_id=alice.user_id)
    action_id = decide(mod, about(alice), ActionKind.LIMIT)
    undo_action(by=mod, case_id=about(alice), action_id=action_id)
    worker.drain()
    assert counts()["taken-back.limit.hand.themselves"] == 1
    assert counts()["actions.limit.other.notice.hand"] == 1


def test_a_removal_that_suspends_counts_as_both_and_protects_minors(table):
    facts = {"action_id": ids.new_id(), "kind": ActionKind.REMOVE, "rule_id": names.CHILD}
    undone = {"undone_at": utc_now().isoformat(), "case_kind": "person", "subject_id": "x"}
    for until, kinds in ((None, ["remove"]), (FOR_EVER, ["remove", "suspend"])):
        action = CaseAction(*keys.case_action("person", "x", "y"), until=until, **facts)
        told = [name for _, name in measure_figures(action)]
        assert told == [f"actions.{kind}.child.own.hand" for kind in kinds]
        strike = Strike(*keys.strike("x", "y"), until=until, **facts, **undone)
        told = [name for _, name in redress_figures(strike)]
        assert told == [f"taken-back.{kind}.hand.themselves" for kind in kinds]
    assert names.category_of(names.CHILD) == "Protection of minors"


@pytest.mark.parametrize("grant", [True, False])
def test_an_appeal_counts_with_its_answer_and_how_long_it_took(
    alice, bob, mod, admin, worker, grant
):
    file_report(by=bob, person_id=alice.user_id)
    action_id = decide(mod, about(alice), ActionKind.LIMIT)
    appeal(person_id=alice.user_id, action_id=action_id, text="No")
    appeal(person_id=alice.user_id, action_id=action_id, text="Really not")
    answer(admin, alice, action_id, grant=grant)
    worker.drain()
    found = counts()
    assert (found["appeals.limit.hand"], found["to-answer.15m"]) == (1, 1)
    assert (found.get("granted.limit.hand", 0), found.get("refused.limit.hand", 0)) == (
        grant,
        not grant,
    )
    assert found.get("taken-back.limit.hand.appeal", 0) == grant


def test_people_who_were_here_count_once_a_month(alice, bob, worker, settings):
    settings.COST_SAMPLE = 1.0
    worker.drain()
    month = f"active.{utc_now():%m}"
    before = get_counts(YEAR)[month]
    person("dora")
    worker.drain()
    assert get_counts(YEAR)[month] == before + 1


def test_each_record_counts_once_however_often_it_comes(alice, bob, mod, admin):
    file_report(by=bob, person_id=alice.user_id)
    action_id = decide(mod, about(alice), ActionKind.LIMIT)
    appeal(person_id=alice.user_id, action_id=action_id, text="No")
    answer(admin, alice, action_id, grant=True)
    held_post(bob)
    records = unread()
    first = handle_all(records)
    done = everything()
    second = handle_all(records)
    assert everything() == done
    assert lines(second) == lines(first)
    assert len([line for line in lines(first) if "figures#" in line]) >= 6


def test_what_happened_before_counting_began_is_left_to_the_backfill(alice, bob, worker):
    file_report(by=bob, person_id=alice.user_id)
    mark = DayCount.of_year(year=names.SINCE_YEAR, name=names.SINCE)
    mark.day = (utc_now() + timedelta(hours=1)).isoformat()
    write_batch(puts=[mark])
    worker.drain()
    assert counts() == {}


def test_figures_outlive_the_cases_of_erased_people(alice, bob, mod, worker):
    file_report(by=bob, person_id=alice.user_id)
    decide(mod, about(alice), ActionKind.LIMIT)
    worker.drain()
    before = counts()
    let_case_end(about(alice), until=utc_now() - timedelta(seconds=1))
    worker.drain()
    assert counts() == before


# What happened before counting began


def backfill() -> list[str]:
    past = PastFigures()
    for raw in scan():
        past.add(raw)
    return list(past.mend())


@pytest.fixture
def before_the_feature(alice, bob, carol, mod, admin, worker):
    """A site on which something happened before it counted years, and where the worker read it then."""
    file_report(by=bob, person_id=alice.user_id, rule_id="spam")
    first = decide(mod, about(alice), ActionKind.LIMIT, rule_id="spam")
    appeal(person_id=alice.user_id, action_id=first, text="No")
    answer(admin, alice, first, grant=True)
    held_post(bob)
    worker.drain()
    write_batch(deletes=[key_of(raw) for raw in scan() if raw["PK"]["S"].startswith("figures#")])
    last = ids.time_of(ids.new_id())
    while (
        ids.time_of(ids.new_id()) == last
    ):  # ids know milliseconds, and the mark comes after them all
        pass
    mark = DayCount.of_year(year=names.SINCE_YEAR, name=names.SINCE)
    mark.day = utc_now().isoformat()
    write_batch(puts=[mark])


def test_the_past_is_counted_from_what_is_there_once(before_the_feature):
    assert backfill()
    assert backfill() == []
    assert without_times(counts()) == {
        "notices.spam": 1,
        "actions.limit.spam.notice.hand": 1,
        "appeals.limit.hand": 1,
        "granted.limit.hand": 1,
        "taken-back.limit.hand.appeal": 1,
        "held.post": 1,
    }


def test_what_the_worker_counts_is_not_counted_again(before_the_feature, alice, carol, worker):
    file_report(by=carol, person_id=alice.user_id, rule_id="spam")
    worker.drain()
    backfill()
    assert counts()["notices.spam"] == 2


def test_the_past_that_expired_stays_counted(before_the_feature, alice):
    backfill()
    before = counts()
    write_batch(deletes=[key_of(raw) for raw in scan() if raw["type"]["S"] == "CaseReport"])
    assert backfill() == []
    assert counts() == before


# What the page tells


def keep(**numbers: int) -> None:
    write_batch(
        puts=[
            DayCount.of_year(year=YEAR, name=name.replace("__", "-").replace("_", "."), times=times)
            for name, times in numbers.items()
        ]
    )


def rows_of(response) -> list[list[str]]:
    return list(csv.reader(io.StringIO(response.content.decode())))


def number(response, *about: str) -> str:
    (found,) = [row[-1] for row in rows_of(response) if row[1 : 1 + len(about)] == list(about)]
    return found


def test_everyone_may_read_the_page_and_the_csv(table):
    keep(notices_spam=12, actions_limit_spam_notice_hand=7, actions_hide_spam_own_filter=6)
    page = Client().get("/transparency")
    assert page.status_code == 200
    said = " ".join(Html(page).one("main").text.split())
    assert "Reports by reason: 12" in said
    assert "Actions by reason: 13" in said
    found = Client().get(f"/transparency/{YEAR}.csv")
    assert found["Content-Type"] == "text/csv; charset=utf-8"
    assert number(found, "notices", "spam") == "12"
    assert number(found, "actions by kind", "limit") == "7"
    assert number(found, "actions by filters alone", "hide") == "6"


def test_groups_below_five_are_summed_up_without_a_name(table):
    assert hide_small({"a": 9, "b": 4, "c": 3, "d": 0}) == [("a", 9), ("", 7)]
    keep(notices_spam=9, notices_violence=4, actions_suspend_violence_notice_hand=1)
    for path in ("/transparency", f"/transparency/{YEAR}.csv"):
        said = Client().get(path).content.decode().lower()
        assert "violence" not in said
        assert "suspend\n" not in said
    assert number(Client().get(f"/transparency/{YEAR}.csv"), "notices", "others") == "4"


def test_decisions_against_nobody_are_no_measures(table):
    keep(actions_dismiss_spam_notice_hand=8, actions_release_other_own_hand=6, held_post=9)
    found = Figures(YEAR, get_counts(YEAR))
    assert found.measures == []
    assert (found.dismissed, found.held.decided, found.held.wrong) == (8, 6, 6)


def test_a_median_is_known_between_two_steps(table):
    keep(**{"to__act_1h": 3, "to__act_2h": 4})
    said = Client().get("/transparency").content.decode()
    assert "between 1 hour and 2 hours" in said
    assert bounds_of("15m") == (0, 900)
    assert bounds_of("longer") == (28 * 86_400, 0)


def test_how_wrong_filters_were_is_what_appeals_took_back(table):
    keep(actions_limit_spam_own_filter=8, **{"taken__back_limit_filter_appeal": 2})
    assert Figures(YEAR, get_counts(YEAR)).effects.rate == 25


def test_a_year_without_figures_is_not_there(table):
    for path in ("/transparency/1999", "/transparency/1999.csv", "/transparency/9999"):
        assert Client().get(path).status_code == 404


# What staff enter


def test_staff_enter_what_the_site_cannot_know(admin, log_in):
    browser = log_in(admin)
    page = f"/moderation/figures/{YEAR}"
    answered = browser.post(page, {"orders-to-act": "3", "staff": "2", "users": "800"})
    assert answered["Location"] == f"/transparency/{YEAR}"
    found = Client().get(f"/transparency/{YEAR}.csv")
    assert number(found, "entered by staff", "orders-to-act") == "3"
    assert logged()[-1].action == "enter figures"
    assert Html(browser.get(page)).one("input", name="staff")["value"] == "2"


def test_what_nobody_entered_is_not_told_as_0(admin, log_in):
    browser, page = log_in(admin), f"/moderation/figures/{YEAR}"
    browser.post(page, {"orders-to-act": "0", "staff": "2"})
    browser.post(page, {"orders-to-act": "0", "staff": ""})
    found = Client().get(f"/transparency/{YEAR}.csv")
    assert number(found, "entered by staff", "orders-to-act") == "0"
    assert number(found, "entered by staff", "staff") == ""
    told = {
        " ".join(one.text.split())
        for one in Html(Client().get("/transparency")).all("div", class_="tile")
    }
    assert "Orders to act against content 0" in told
    assert "People who moderate – Not entered yet" in told


def test_what_was_counted_comes_before_what_was_entered(table):
    keep(active_01=100, active_02=301, typed_users=5)
    assert Figures(YEAR, get_counts(YEAR)).users == 200


@pytest.mark.parametrize("typed", ["-1", "many", "1e9", "9" * 30])
def test_what_is_no_number_is_said_beside_its_field_and_kept(admin, log_in, typed):
    answered = log_in(admin).post(f"/moderation/figures/{YEAR}", {"staff": typed})
    assert answered.status_code == 422
    assert typed in answered.content.decode()
    assert counts() == {}


# The statistics of staff


def test_staff_get_the_overview_as_csv(mod, alice, bob, log_in, worker):
    file_report(by=bob, person_id=alice.user_id, rule_id="spam")
    worker.drain()
    found = log_in(mod).get("/moderation/overview.csv")
    rows = rows_of(found)
    assert ["open cases", "", "1"] in rows
    assert ["reports of a day", f"{utc_now():%Y-%m-%d}", "1"] in rows
    assert mod.user_id not in found.content.decode()


def test_a_text_that_a_spreadsheet_would_calculate_is_a_text(monkeypatch, mod, log_in):
    monkeypatch.setattr(
        "moderation.figures.views.get_overview",
        lambda: replace(get_overview(), actions=[("=1+1", 1)]),
    )
    assert ["actions", "'=1+1", "1"] in rows_of(log_in(mod).get("/moderation/overview.csv"))
