"""What waits is counted, and told to those who may decide it, by letter too."""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

import pytest
from django.core import mail

from accounts.permissions import Permission, grant_role, save_role
from moderation.cases.reads import read_case
from moderation.cases.writes import assign_case
from moderation.models import ActionKind, Case, Queue, WaitingCount
from moderation.reports.writes import file_report
from moderation.staff import waiting
from moderation.staff.stream import LETTERS, tell_of_waiting, write_to_staff
from moderation.staff.waiting import COUNT, MOST_COUNTED, count_place, list_waiting
from moderation.staff.waiting_too_long import TELL, WAITS, late_at, plan_look_again, tell_staff
from moderation.staff.writes import choose_languages
from notifications.writes import choose_notifications
from operations.reconcile import reconcile_page
from socialsite.clock import utc_now
from socialsite.due.models import Due
from socialsite.due.work import AlreadyDone, cancel, plan
from socialsite.site_settings.site_setup import URGENT
from socialsite.table import MOST_BYTES, change, get, item_size, key_of, keys, query, write_batch
from socialsite.table.reading import scan
from socialsite.telling import OptOut
from tests.accounts.scenes import Sent
from tests.conftest import person
from tests.looks import broken_invariants
from tests.moderation.cases import about, decide, held_post, report, report_by_each, waiting_sign_up
from tests.moderation.staff import after, hears, let_pass, planned
from tests.moderation.test_staff_pages import open_cases
from tests.notifications.told import badge, told
from tests.streams.crowd import returning
from tests.streams.records import everything, handle_all, unread
from tests.web.html import Html

ONE = ["1 case has been waiting for a long time"]


@pytest.fixture
def work(drain_stream):
    def done(**later: float) -> None:
        drain_stream()
        let_pass(after(**later))
        drain_stream()

    return done


def links(browser) -> list[str]:
    page = Html(browser.get("/notifications"))
    return [link["href"] for link in page.all("a", class_="note-answer")]


def test_a_case_that_is_open_for_a_day_is_told_to_all_who_may_decide_it(
    mod, mei, bob, carol, work, log_in
):
    report_by_each(bob, by=[carol])
    work(hours=23)
    assert hears(mod) == []
    work(hours=25)
    work(hours=60)
    assert hears(mod) == hears(mei) == ONE
    assert hears(carol) == hears(bob) == []
    assert links(log_in(mod)) == ["/moderation/queue?queue=reports"]
    assert not broken_invariants()


def test_an_urgent_one_is_told_after_an_hour(mod, bob, carol, work):
    report_by_each(bob, by=[carol], rule="violence", severity=URGENT)
    work(minutes=59)
    assert hears(mod) == []
    work(minutes=61)
    assert hears(mod) == ONE


def test_each_queue_has_a_line_that_leads_there(mod, alice, bob, carol, work, log_in):
    for reported in (alice, bob):
        report_by_each(reported, by=[carol])
    waiting_sign_up(person("newcomer"))
    work(hours=25)
    assert sorted(hears(mod)) == [*ONE, "2 cases have been waiting for a long time"]
    tabs = {"/moderation/queue?queue=reports", "/moderation/queue?queue=sign-ups"}
    assert set(links(log_in(mod))) == tabs


def test_what_was_decided_is_told_to_nobody_and_is_planned_no_more(mod, bob, carol, work):
    report_by_each(bob, by=[carol])
    work()
    assert len(planned(WAITS)) == 1
    decide(mod, about(bob), ActionKind.DISMISS)
    work()
    assert planned(WAITS) == []
    work(hours=49)
    assert hears(mod) == []


def test_a_case_that_becomes_urgent_is_looked_at_earlier(mod, bob, carol, alice, work):
    report_by_each(bob, by=[carol])
    work()
    [before] = planned(WAITS)
    report_by_each(bob, by=[alice], rule="violence", severity=URGENT)
    work()
    [look] = planned(WAITS)
    assert look.moment == late_at(read_case(about(bob))).isoformat() < before.moment


def test_one_on_a_desk_is_told_to_that_moderator(mod, mei, bob, carol, work, log_in):
    report_by_each(bob, by=[carol])
    assign_case(by=mei, case_id=about(bob), moderator_id=mei.user_id)
    work(hours=25)
    assert hears(mei) == ONE
    assert hears(mod) == []
    assert links(log_in(mei)) == ["/moderation/queue?queue=mine"]


def test_nobody_hears_of_a_case_about_themselves_and_each_in_their_languages(
    mod, mei, admin, carol, work
):
    choose_languages(by=mei, languages=["zh-hans"])
    choose_languages(by=admin, languages=["de"])
    file_report(by=carol, person_id=mod.user_id, rule_id="spam", language="de")
    work(hours=25)
    assert hears(admin) == ONE
    assert hears(mod) == hears(mei) == []


@pytest.fixture
def old_case(bob, carol, drain_stream) -> None:
    """An urgent case about Bob, open for three days."""
    report_by_each(bob, by=[carol], rule="violence", severity=URGENT)
    long_ago = after(days=-3).isoformat()
    change(Case, about(bob).key, [Case.opened_at.set(long_ago)])
    drain_stream()


@pytest.mark.usefixtures("old_case")
def test_what_was_told_is_not_told_again_when_a_moderator_says_how_grave_it_is(
    mod, bob, work, drain_stream
):
    work(minutes=5)
    assert hears(mod) == ONE
    for rule in ("spam", "violence"):
        decide(mod, about(bob), ActionKind.WARN, rule_id=rule, keep_open=True)
        drain_stream()
        assert planned(WAITS) == []


@pytest.mark.usefixtures("old_case")
def test_a_look_that_the_clock_still_owes_is_done_after_such_a_change(mod, bob, work):
    decide(mod, about(bob), ActionKind.WARN, rule_id="spam", keep_open=True)
    work(minutes=5)
    assert hears(mod) == ONE


def test_where_the_only_reader_of_a_language_switched_it_off_all_others_hear(
    mod, mei, bob, carol, work
):
    choose_languages(by=mod, languages=["de"])
    choose_languages(by=mei, languages=["zh-hans"])
    choose_notifications(by=mei, opted_out=[OptOut.CASES])
    file_report(by=carol, person_id=bob.user_id, rule_id="spam", language="zh-hans")
    work(hours=25)
    assert hears(mod) == ONE
    assert hears(mei) == []


def test_staff_switch_it_off(mod, bob, carol, work):
    choose_notifications(by=mod, opted_out=[OptOut.CASES])
    report_by_each(bob, by=[carol])
    work(hours=25)
    assert hears(mod) == []


def test_the_record_of_a_case_handled_twice_plans_the_same(mod, bob, carol, drain_stream):
    drain_stream()
    report_by_each(bob, by=[carol])
    records = unread()
    handle_all(records)
    done = everything()
    handle_all(records)
    assert everything() == done
    assert len(planned(WAITS)) == 1


def test_it_is_told_once_however_often_the_clock_tries(mod, bob, carol, drain_stream):
    report_by_each(bob, by=[carol])
    drain_stream()
    [due] = planned(WAITS)
    tell_of_waiting(due)
    with pytest.raises(AlreadyDone):
        tell_of_waiting(due)
    [telling] = planned(TELL)
    tell_staff(telling)
    assert hears(mod) == ONE


def test_reconcile_plans_the_look_that_lost_records_left_out(mod, bob, carol, drain_stream):
    report_by_each(bob, by=[carol])
    drain_stream()
    [due] = planned(WAITS)
    raw = read_case(about(bob)).serialize()
    moment = late_at(read_case(about(bob)))
    write_batch(deletes=[cancel(WAITS, moment=moment, subject=due.subject).key])
    for _ in range(2):
        plan_look_again(raw)
    assert [one.facts for one in planned(WAITS)] == [due.facts]
    long_ago = (moment - timedelta(days=9)).isoformat()
    write_batch(deletes=[due.key])
    plan_look_again(raw | {"opened_at": {"S": long_ago}})
    assert planned(WAITS) == []  # it was told then


# Once a day, while cases wait too long, a letter says so to the staff who may decide them.

P = Permission


@pytest.fixture
def waits_long(bob, carol, drain_stream) -> None:
    """Bob's case has been open for a day, to the second."""
    report_by_each(bob, by=[carol])
    drain_stream()
    let_pass(late_at(read_case(about(bob))))


def letters_until(moment: datetime) -> dict[str, Sent]:
    mail.outbox.clear()
    let_pass(moment)
    return {one.to[0]: Sent(one.to[0], one.subject, str(one.body)) for one in mail.outbox}


def planned_mornings() -> list[datetime]:
    return [datetime.fromisoformat(due.moment) for due in planned(LETTERS)]


def morning() -> datetime:
    [moment] = planned_mornings()
    return moment


@pytest.mark.usefixtures("waits_long")
def test_it_comes_in_the_morning_to_all_who_may_decide_and_names_nobody(mod, mei, admin, bob):
    save_role(by=admin, name="log", title="Log", permissions={P.LOG})
    person("lea", role="log")
    assert (morning().hour, morning() > late_at(read_case(about(bob)))) == (6, True)
    letters = letters_until(morning())
    assert set(letters) == {"moddy@example.org", "mei@example.org", "addy@example.org"}
    letter = letters["mei@example.org"]
    assert letter.subject == "1 case is waiting for a decision"
    assert letter.path == "/moderation/queue"
    assert "bob" not in letter.text.lower()


@pytest.mark.usefixtures("waits_long")
def test_it_comes_again_each_morning_until_nothing_waits_and_then_no_more(mod, bob, drain_stream):
    first = morning()
    assert letters_until(first)
    assert letters_until(first + timedelta(hours=23)) == {}
    assert morning() == first + timedelta(days=1)
    assert letters_until(morning())
    decide(mod, about(bob), ActionKind.DISMISS)
    drain_stream()
    assert letters_until(morning()) == {}
    assert planned(LETTERS) == []


@pytest.mark.usefixtures("waits_long")
def test_it_counts_what_each_may_decide_but_no_case_about_themselves(
    mod, mei, admin, alice, bob, drain_stream
):
    save_role(by=admin, name="door", title="Door", permissions={P.SIGN_UPS})
    person("dora", role="door")
    waiting_sign_up(person("newcomer"))
    report_by_each(mei, by=[bob])
    report_by_each(alice, by=[bob], rule="violence", severity=URGENT)
    drain_stream()
    let_pass(late_at(read_case(about(mei))))
    letters = letters_until(planned_mornings()[-1])
    assert letters["dora@example.org"].subject == "1 case is waiting for a decision"
    assert letters["mei@example.org"].subject == "3 cases are waiting for a decision"
    assert letters["moddy@example.org"].subject == "4 cases are waiting for a decision"
    assert "1 of them is urgent." in letters["moddy@example.org"].text
    assert "of them" not in letters["dora@example.org"].text


@pytest.mark.usefixtures("waits_long")
def test_staff_switch_the_letter_off(mod, mei):
    choose_notifications(by=mei, opted_out=[OptOut.CASES])
    assert set(letters_until(morning())) == {"moddy@example.org"}


@pytest.mark.usefixtures("waits_long")
def test_one_morning_has_one_letter_however_often_the_clock_tries(mod, carol, alice, drain_stream):
    report_by_each(carol, by=[alice])
    drain_stream()
    let_pass(late_at(read_case(about(carol))))
    [due] = planned(LETTERS)  # both cases planned the same
    write_to_staff(due)
    with pytest.raises(AlreadyDone):
        write_to_staff(due)
    assert len(planned("mail")) == 1


# A case that a colleague assigns to a member of staff is told to them: once, on one line, and to nobody else.


@pytest.fixture
def case(bob, carol):
    report_by_each(bob, by=[carol])
    return about(bob)


def test_it_is_told_with_the_way_to_ones_own_cases(mod, mei, case, bob, drain_stream, log_in):
    assign_case(by=mod, case_id=case, moderator_id=mei.user_id)
    drain_stream()
    assert told(returning(mei)) == ["1 case was assigned to you"]
    browser = log_in(mei)
    assert badge(browser) == "1 1 new"
    link = Html(browser.get("/notifications")).one("a", class_="note-answer")
    assert link["href"] == "/moderation/queue?queue=mine"
    assert "@bob" in browser.get(link["href"]).content.decode()
    assert not broken_invariants()


def test_several_are_one_line_and_one_case_counts_once(mod, mei, case, drain_stream):
    other = waiting_sign_up(person("newcomer"))
    for case_id, to in ((case, mei), (case, mod), (case, mei), (other, mei)):
        assign_case(by=mod, case_id=case_id, moderator_id=to.user_id)
    drain_stream()
    assert told(returning(mei)) == ["2 cases were assigned to you"]


def test_what_one_takes_or_puts_back_is_told_to_nobody(mod, mei, case, drain_stream):
    assign_case(by=mod, case_id=case, moderator_id=mod.user_id)
    assign_case(by=mei, case_id=case, moderator_id="")
    drain_stream()
    assert told(returning(mod)) == told(returning(mei)) == []


def test_the_person_whom_it_is_about_hears_nothing_and_is_not_named(
    mod, mei, case, bob, carol, drain_stream
):
    assign_case(by=mod, case_id=case, moderator_id=mei.user_id)
    drain_stream()
    assert told(returning(bob)) == told(returning(carol)) == []
    assert bob.user_id not in str(told(returning(mei)))


def test_the_same_record_twice_enters_the_same(mod, mei, case, drain_stream):
    drain_stream()
    assign_case(by=mod, case_id=case, moderator_id=mei.user_id)
    records = unread()
    first, second = handle_all(records), handle_all(records)
    assert first.plans == second.plans
    assert sum(plan.size for plan in first.plans.values())


# The counts of what waits: made by the clock after each change, mended by the next count, right once all is done.

RULE = "queues and desks are counted as their cases are, where no count is planned"


def counts() -> dict[str, int]:
    rows = query(keys.waiting(), consistent=True)
    return {raw["place"]["S"]: int(raw["cases"]["N"]) for raw in rows}


def wrong() -> list[str]:
    return broken_invariants().get(RULE, [])


def due(place: str) -> Due:
    item = plan(COUNT, moment=utc_now(), subject=place).item
    assert isinstance(item, Due)
    return item


@pytest.fixture
def counted(alice, bob, mod, count_waiting: Callable[[], None]) -> None:
    report(bob, alice)
    report(alice, bob)
    assign_case(by=mod, case_id=about(bob), moderator_id=mod.user_id)
    count_waiting()


@pytest.mark.usefixtures("counted")
def test_every_queue_and_every_desk_is_counted(mod):
    of_queues = dict.fromkeys(Queue, 0) | {Queue.REPORTS: 1}
    assert counts() == {**of_queues, mod.user_id: 1}
    assert wrong() == []


@pytest.mark.usefixtures("counted")
def test_a_change_has_the_places_counted_where_the_case_was_and_is(
    alice, bob, mod, carol, count_waiting
):
    decide(mod, about(bob), ActionKind.DISMISS)
    held_post(carol)
    count_waiting()
    assert (counts()[mod.user_id], counts()[Queue.HELD]) == (0, 1)
    assert list_waiting().queues[Queue.HELD].kinds == {"post": 1}
    assign_case(by=mod, case_id=about(alice), moderator_id=mod.user_id)
    count_waiting()
    assert (counts()[mod.user_id], counts()[Queue.REPORTS]) == (1, 0)
    assert wrong() == []


@pytest.mark.usefixtures("counted")
def test_a_review_changes_no_count_and_plans_none(alice, mod, drain_stream):
    change(Case, about(alice).key, [Case.claimed_by.set(mod.user_id)])
    drain_stream()
    assert planned(COUNT) == []


@pytest.mark.usefixtures("counted")
def test_records_handled_twice_plan_the_same(alice, mod):
    unread()
    decide(mod, about(alice), ActionKind.DISMISS)
    records = unread()
    handle_all(records)
    once = [due.key for due in planned(COUNT)]
    handle_all(records)
    assert [due.key for due in planned(COUNT)] == once
    assert len(once) == 2  # at once, and when the index has caught up


@pytest.mark.usefixtures("counted")
def test_a_count_that_another_one_has_overtaken_is_made_again(alice, mod, monkeypatch):
    count_now = waiting.count_now

    def be_overtaken(places: Sequence[str]) -> list[waiting.Waiting]:
        early = count_now(places)
        monkeypatch.undo()
        decide(mod, about(alice), ActionKind.DISMISS)
        count_place(due(Queue.REPORTS))
        return early

    monkeypatch.setattr(waiting, "count_now", be_overtaken)
    count_place(due(Queue.REPORTS))
    assert counts()[Queue.REPORTS] == 0


@pytest.mark.usefixtures("counted")
def test_a_count_by_a_clock_that_is_ahead_gives_way_to_a_later_one(alice, mod, monkeypatch):
    """As the seed 2031.4 of the simulation had it: a queue showed a case that was closed until its next change."""
    ahead = (utc_now() + timedelta(minutes=5)).isoformat()
    with monkeypatch.context() as patched:
        patched.setattr(waiting, "utc_now_iso", lambda: ahead)
        count_place(due(Queue.REPORTS))
    decide(mod, about(alice), ActionKind.DISMISS)
    count_place(due(Queue.REPORTS))
    assert counts()[Queue.REPORTS] == 0


@pytest.mark.usefixtures("counted")
def test_the_desk_of_someone_who_leaves_the_staff_is_cleared_and_counted_no_more(
    admin, mod, count_waiting
):
    grant_role(by=admin, user_id=mod.user_id, role="")
    count_waiting()
    count_waiting()  # for what the clock put back
    assert mod.user_id not in counts()
    assert counts()[Queue.REPORTS] == 2
    assert wrong() == []


def test_before_the_first_count_pages_count_themselves(alice, bob, mod):
    report(bob, alice)
    assign_case(by=mod, case_id=about(alice), moderator_id=mod.user_id)
    assert counts() == {}
    waiting = list_waiting()
    assert (waiting.desks[mod.user_id].count, waiting.queues[Queue.REPORTS].count) == (1, 0)
    assert wrong() == []


@pytest.mark.usefixtures("counted")
def test_reconcile_has_everything_counted(alice, mod):
    write_batch(deletes=[key_of(raw) for raw in query(keys.waiting())])
    list(reconcile_page(list(scan()), begun="now"))
    let_pass(after(minutes=2))
    assert counts()[Queue.REPORTS] == counts()[mod.user_id] == 1
    assert wrong() == []


@pytest.mark.usefixtures("counted")
def test_a_wrong_count_is_found(mod):
    key = keys.waiting_count(keys.desk(mod.user_id))
    change(WaitingCount, key, [WaitingCount.cases.set(7)])
    assert len(wrong()) == 1
    write_batch(deletes=[key])
    assert wrong() == [f"{mod.user_id}: 1 cases and no count"]


def test_a_full_queue_says_so_and_its_count_stays_small(mod):
    cases = open_cases(MOST_COUNTED + 30)
    write_batch(puts=cases)
    count_place(due(Queue.REPORTS))
    reports = list_waiting().queues[Queue.REPORTS]
    assert (reports.count_text, len(reports.opened)) == ("200+", MOST_COUNTED)
    oldest = get(WaitingCount, keys.waiting_count(keys.queue(Queue.REPORTS))).oldest
    assert reports.oldest == oldest == cases[-1].opened_at
    assert all(item_size(raw) < MOST_BYTES // 2 for raw in query(keys.waiting()))
    assert wrong() == []


def test_the_page_says_the_same_before_and_after_the_first_count(
    alice, bob, mod, drain_stream, count_waiting, log_in
):
    browser = log_in(mod)
    for reported, days in ((alice, 2), (bob, 9)):
        report(mod, reported)
        opened = (utc_now() - timedelta(days=days, minutes=5)).isoformat()
        change(Case, about(reported).key, [Case.opened_at.set(opened)])
    assign_case(by=mod, case_id=about(bob), moderator_id=mod.user_id)
    drain_stream()
    before = Html(browser.get("/moderation/overview")).one("main").text
    count_waiting()
    assert Html(browser.get("/moderation/overview")).one("main").text == before
    assert "on all desks: 2" in before
