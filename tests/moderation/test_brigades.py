"""Many who turn against one person within an hour are one hint, with those alone who came together."""

from datetime import timedelta

import pytest

from moderation.models import CaseReport, HintKind
from moderation.suspicions.brigades import note_answers, note_report
from moderation.suspicions.reads import list_hints, list_same_posts
from moderation.suspicions.stream import note_posts_of_new_accounts, note_reporters
from moderation.suspicions.writes import NEWCOMER
from privacy.erasure.search import clear
from relations.follows.writes import follow
from socialsite.clock import utc_now
from socialsite.site_settings.site_setup import CHILD, DANGER, URGENT
from socialsite.streams.change import Change
from socialsite.streams.ledger import Ledger
from socialsite.table import as_model, fetch, ids, keys, reading
from tests.conftest import post
from tests.moderation.cases import QUEUE, about, report, reporters, version_of
from tests.moderation.staff import SPAM, all_post, item_of, logged, newcomers
from tests.web.html import Html

MONTHS = timedelta(days=90)


def brigades() -> list[str]:
    return [hint.line for hint in list_hints(HintKind) if hint.is_brigade]


def against(count: int, handle: str = "bob") -> str:
    return (
        f"{count} accounts reported or answered @{handle} within an hour: "
        "new here, or following each other"
    )


def members() -> set[str]:
    [hint] = [hint for hint in list_hints(HintKind) if hint.is_brigade]
    return {one.case_id.subject_id for one in list_same_posts(hint.hint_id, most=500)}


def note_old(reporter, target) -> None:
    """As if the reporter had been here for months: everything happens that much later."""
    note_report(reporter.user_id, target_id=target.user_id, moment=utc_now() + MONTHS)


def all_hints() -> list[str]:
    """Also those of a time that has not come."""
    rows = reading.query(keys.hints(), consistent=True)
    return [raw["kind"]["S"] for raw in rows]


def test_from_five_new_accounts_on_reports_of_one_person_are_a_hint(bob, drain_stream):
    people = reporters(6)
    for one in people[:4]:
        report(one, bob)
    drain_stream()
    assert brigades() == []
    for one in people[4:]:
        report(one, bob)
    drain_stream()
    drain_stream()
    assert brigades() == [against(6)]
    assert members() == {one.user_id for one in people}


@pytest.mark.parametrize("rule_id", [DANGER, CHILD])
def test_reports_of_what_is_always_urgent_are_no_brigade(bob, drain_stream, rule_id):
    for one in reporters(6):
        report(one, bob, rule_id=rule_id, severity=URGENT)
    drain_stream()
    assert brigades() == []
    assert fetch([about(bob).key])


def test_old_accounts_that_have_nothing_to_do_with_each_other_are_none(bob):
    for one in reporters(7):
        note_old(one, bob)
    assert all_hints() == []


def test_old_accounts_that_follow_each_other_are_one_and_the_others_are_left_out(bob):
    people = reporters(7)
    stranger, star, *circle = people
    for one in circle:
        follow(by=one, user_id=star.user_id)  # nobody whom the star follows
        for other in circle:
            if one is not other:
                follow(by=one, user_id=other.user_id)
    for one in people:
        note_old(one, bob)
    [raw] = reading.query(keys.hints(), consistent=True)
    hint_id = raw["hint_id"]["S"]
    found = {one.case_id.subject_id for one in list_same_posts(hint_id, most=500)}
    assert found == {one.user_id for one in circle}
    assert stranger.user_id not in found


def test_answers_and_mentions_of_new_accounts_count_with_reports_as_one(bob, drain_stream):
    people = newcomers(6)
    for number, one in enumerate(people[:3]):
        text = f"You are number {number} and nothing else"
        post(one, f"@bob {text}")
    for one in people[3:]:
        report(one, bob)
    drain_stream()
    assert brigades() == [against(6)]
    [hint] = list_hints(HintKind)
    targets = list_same_posts(hint.hint_id, most=500)
    assert sum(len(one.posts) for one in targets) == 3


def test_older_accounts_that_mention_someone_do_not_count(bob):
    for one in newcomers(6):
        written = item_of(one, post(one, "@bob hello"))
        moment = ids.time_of(one.user_id) + NEWCOMER + timedelta(seconds=1)
        note_posts_of_new_accounts(Change("INSERT", None, written, "1", moment), Ledger())
    assert HintKind.BRIGADE not in all_hints()


def test_a_day_has_many_hours_and_each_is_its_own(bob):
    for hour, one in enumerate(newcomers(6)):
        note_answers(
            item_of(one, post(one, "@bob hello")), moment=utc_now() + timedelta(hours=hour)
        )
    assert all_hints() == []


def test_the_same_text_by_accounts_of_today_within_an_hour_is_the_same_hint_with_a_mark(
    table, drain_stream
):
    all_post(newcomers(5), SPAM)
    drain_stream()
    [hint] = list_hints(HintKind)
    assert (hint.kind, hint.is_brigade) == (HintKind.TEXT, True)


def test_the_same_accounts_in_both_are_one_line(bob, drain_stream):
    all_post(newcomers(5), f"@bob {SPAM}")
    drain_stream()
    [hint] = list_hints(HintKind)
    assert hint.is_brigade
    assert {hint.kind, *(one.kind for one in hint.also)} == {HintKind.TEXT, HintKind.BRIGADE}


def test_a_moderator_never_sees_who_turned_against_them(mod, mei, log_in, drain_stream):
    for one in reporters(5):
        report(one, mod)
    drain_stream()
    [hint] = list_hints(HintKind)
    browser = log_in(mod)
    assert "brigade" not in Html(browser.get(QUEUE)).one("main").text
    assert browser.post(f"{hint.url}/look").status_code == 404
    assert browser.post(f"{hint.url}/put-away").status_code == 404
    assert "brigade" in Html(log_in(mei).get(QUEUE)).one("main").text


def test_it_leads_to_a_wave_about_those_accounts_and_is_put_away_like_others(
    mod, bob, log_in, drain_stream
):
    people = reporters(5)
    for one in people:
        report(one, bob)
    drain_stream()
    browser = log_in(mod)
    html = Html(browser.get(QUEUE))
    assert against(5) in html.one("main").text
    assert "Looks like a brigade" in html.one("main").text
    [hint] = list_hints(HintKind)
    wave = browser.post(f"{hint.url}/look")
    text = Html(browser.get(wave["Location"])).one("main").text
    assert all(f"@{one.card.handle}" in text for one in people)
    assert browser.post(f"{hint.url}/put-away").status_code == 302
    assert brigades() == []
    assert [action for _, action, _ in logged()][-1] == "put hint away"


def test_a_report_that_comes_twice_counts_once(bob, carol):
    report(carol, bob)
    raw = next(iter(fetch([keys.case_report("person", bob.user_id, carol.user_id)]).values()))
    for _ in range(6):
        note_reporters(Change("INSERT", None, as_model(CaseReport, raw), "1", utc_now()), Ledger())
    assert all_hints() == []
    assert version_of(about(bob)) == 1


def test_of_someone_who_was_erased_the_hint_names_nobody(bob, drain_stream):
    for one in reporters(5):
        report(one, bob)
    drain_stream()
    [raw] = reading.query(keys.hints(), consistent=True)
    assert clear(raw, {bob.user_id})
    [hint] = list_hints(HintKind)
    assert "@…" in hint.line
