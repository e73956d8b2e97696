"""A legal hold: two people want it, the account is not erased and evidence does not end before it does, and its person
hears that the law asks for it and until when."""

from datetime import UTC, datetime, timedelta

import pytest
from django.core import mail
from django.core.management import CommandError, call_command
from django.test import Client

from accounts.models import UserInfo
from moderation.cases.held import HOLD_ENDS
from moderation.cases.reads import THE_SITE, CaseId, read_case
from moderation.log.writes import OPERATOR
from moderation.models import ActionKind, AuditEntry, CaseKind
from privacy.erasure.stream import take_step
from privacy.erasure.writes import EVIDENCE_KEPT, close_account
from privacy.holds import stream
from privacy.holds.reads import find_target, list_holds
from privacy.holds.writes import (
    HoldMoved,
    OwnAccount,
    SamePerson,
    ThereAlready,
    WrongEnd,
    ask_hold,
    ask_renewal,
    confirm_hold,
    get_hold,
    release_hold,
)
from privacy.models import Hold, Receipt, State
from socialsite.clock import utc_now
from socialsite.due.work import do_due
from socialsite.site_settings.site_setup import URGENT
from socialsite.streams.models import Job, JobKind
from socialsite.table import NotFound, as_model, fetch, get, keys, query
from tests.conftest import PASSWORD, person, post
from tests.looks import broken_invariants, due_items
from tests.moderation.cases import about, decide, logged, report, report_by_each
from tests.privacy.lives import a_day_of_work, days_later, erase

DAY = timedelta(days=1)
WHY = "Prosecutor of Ghent, 4 Js 12/26"


@pytest.fixture
def second(table):
    return person("second", role="admin")


def end(days: float = 30):
    return (utc_now() + days * DAY).replace(microsecond=0)


def hold_account(of, by, second, days: float = 30) -> Hold:
    """The hold as it stands once both want it."""
    ask_hold(by=by.user_id, target=find_target(of.user_id), until=end(days), reason=WHY)
    return confirmed("account", of.user_id, second)


def confirmed(kind, subject_id, second) -> Hold:
    confirm_hold(by=second.user_id, hold=get_hold(kind, subject_id))
    return get_hold(kind, subject_id)


def held_until(of) -> str | None:
    return get(UserInfo, keys.user_info(of.user_id), consistent=True).held_until


def entries() -> list[str]:
    return [one.action for one in logged()]


# Two people


def test_it_takes_two_different_people_and_the_log_has_both(alice, admin, second):
    target = find_target("alice")
    ask_hold(by=admin.user_id, target=target, until=end(), reason=WHY)
    hold = get_hold("account", alice.user_id)
    assert held_until(alice) is None
    with pytest.raises(SamePerson):
        confirm_hold(by=admin.user_id, hold=hold)
    confirm_hold(by=second.user_id, hold=hold)
    assert held_until(alice) == hold.until
    with pytest.raises(HoldMoved):  # as it was read before
        confirm_hold(by=second.user_id, hold=hold)
    assert [one for one in entries() if "hold" in one] == ["ask hold", "confirm hold"]


def test_a_longer_end_takes_two_again_and_one_releases(alice, admin, second, drain_stream):
    hold = hold_account(alice, admin, second)
    ask_renewal(by=second.user_id, hold=hold, until=end(90))
    waiting = get_hold("account", alice.user_id)
    assert held_until(alice) == hold.until
    with pytest.raises(SamePerson):
        confirm_hold(by=second.user_id, hold=waiting)
    confirm_hold(by=admin.user_id, hold=waiting)
    renewed = get_hold("account", alice.user_id)
    assert held_until(alice) == renewed.until > hold.until
    assert renewed.renewal is None
    release_hold(by=second.user_id, hold=renewed)
    assert held_until(alice) is None
    drain_stream()
    with pytest.raises(NotFound):
        get_hold("account", alice.user_id)
    assert not [due for due in due_items() if due.kind == HOLD_ENDS]


def test_nobody_takes_part_in_a_hold_on_themselves(admin, second):
    with pytest.raises(OwnAccount):
        ask_hold(by=admin.user_id, target=find_target(admin.card.handle), until=end(), reason=WHY)
    ask_hold(by=OPERATOR, target=find_target(admin.card.handle), until=end(), reason=WHY)
    hold = get_hold("account", admin.user_id)
    for act in (confirm_hold, release_hold):
        with pytest.raises(OwnAccount):
            act(by=admin.user_id, hold=hold)
    assert list_holds(admin.user_id) == []
    assert len(list_holds(second.user_id)) == 1


def test_its_end_is_within_a_year_and_there_is_one_of_each(alice, admin, second):
    target = find_target("alice")
    for until in (utc_now() - DAY, utc_now() + 400 * DAY):
        with pytest.raises(WrongEnd):
            ask_hold(by=admin.user_id, target=target, until=until, reason=WHY)
    hold = hold_account(alice, admin, second)
    with pytest.raises(ThereAlready):
        ask_hold(by=second.user_id, target=target, until=end(), reason=WHY)
    with pytest.raises(WrongEnd):
        ask_renewal(by=admin.user_id, hold=hold, until=end(10))


# The erasure


def test_the_erasure_waits_and_the_person_is_told_when_it_goes_on(
    alice, admin, second, drain_stream
):
    post(alice, "Evidence")
    receipt_id = close_account(by=alice)
    hold = hold_account(alice, admin, second, days=30)
    receipt = Client().get(f"/erased/{receipt_id}").content.decode()
    assert "Changed your mind?" in receipt  # the grace goes on
    assert "We delete it on" not in receipt
    assert "The law asks us to keep parts of it until" in receipt
    mail.outbox.clear()
    a_day_of_work(drain_stream, day=15)
    a_day_of_work(drain_stream, day=15)  # the letter was planned by the first
    [letter] = [one for one in mail.outbox if "can’t be deleted yet" in one.subject]
    assert "The law asks us to keep parts of it until" in letter.body
    assert WHY not in letter.body
    with days_later(15):
        page = Client().get(f"/erased/{receipt_id}").content.decode()
    assert "Nobody sees it. The law asks us to keep parts of it until" in page
    assert "It takes a few minutes" not in page
    assert WHY not in page
    assert get(UserInfo, keys.user_info(alice.user_id))
    a_day_of_work(drain_stream, day=31)
    assert fetch([hold.key, keys.user_info(alice.user_id)], consistent=True) == {}
    done = get(Receipt, keys.receipt(receipt_id), consistent=True)
    assert (done.state, done.held_until) == (State.ERASED, None)


def test_one_that_begins_to_be_erased_at_once_waits_as_well(alice, admin, second, drain_stream):
    hold_account(alice, admin, second)
    erase(alice, Drained(drain_stream))
    info = get(UserInfo, keys.user_info(alice.user_id))
    assert info.closing
    assert [due.moment[:19] for due in due_items() if due.kind == "erase"] == [
        str(info.held_until)[:19]
    ]
    hold = get_hold("account", alice.user_id)
    release_hold(by=admin.user_id, hold=hold)  # what waited goes on at once
    do_due()
    drain_stream()
    assert fetch([keys.user_info(alice.user_id)], consistent=True) == {}


class Drained:
    """A worker as `erase` wants it."""

    def __init__(self, drain) -> None:
        self.drain = drain


def test_one_that_has_begun_stops_where_it_is_and_says_what_is_gone(
    alice, admin, second, drain_stream
):
    for text in ("One", "Two"):
        post(alice, text)
    receipt_id = close_account(by=alice, at_once=True)
    do_due()  # the credentials are gone, the job waits for the worker
    hold_account(alice, admin, second)
    [one] = list_holds(admin.user_id)
    assert one.begun == (0, 14)
    drain_stream()
    assert len(list(query(keys.posts(alice.user_id)))) == 2
    assert get(UserInfo, keys.user_info(alice.user_id))
    page = Client().get(f"/erased/{receipt_id}").content.decode()
    assert "We had begun to delete it" in page
    assert fetch([keys.job(JobKind.ERASE, receipt_id)], consistent=True) == {}
    a_day_of_work(drain_stream, day=31)
    assert fetch([keys.user_info(alice.user_id)], consistent=True) == {}
    assert get(Receipt, keys.receipt(receipt_id)).state == State.ERASED


def test_a_step_that_runs_twice_rests_once(alice, admin, second):
    receipt_id = close_account(by=alice, at_once=True)
    do_due()
    hold_account(alice, admin, second)
    job = as_model(
        Job, fetch([keys.job(JobKind.ERASE, receipt_id)])[keys.job(JobKind.ERASE, receipt_id)]
    )
    first, again = take_step(job), take_step(job)
    assert first.cursor is None
    assert len(first.writes) == len(again.writes) == 2


def test_a_renewed_hold_is_waited_for_again(alice, admin, second, drain_stream):
    receipt_id = close_account(by=alice, at_once=True)
    do_due()
    hold = hold_account(alice, admin, second)
    drain_stream()
    ask_renewal(by=admin.user_id, hold=hold, until=end(60))
    confirmed("account", alice.user_id, second)
    a_day_of_work(drain_stream, day=31)
    assert get(UserInfo, keys.user_info(alice.user_id))
    a_day_of_work(drain_stream, day=61)
    assert fetch([keys.user_info(alice.user_id)], consistent=True) == {}
    assert get(Receipt, keys.receipt(receipt_id)).state == State.ERASED


def test_one_that_waited_before_a_renewal_goes_on_when_that_is_released(
    alice, admin, second, drain_stream
):
    hold = hold_account(alice, admin, second)
    erase(alice, Drained(drain_stream))
    ask_renewal(by=admin.user_id, hold=hold, until=end(90))
    confirm_hold(by=second.user_id, hold=get_hold("account", alice.user_id))
    release_hold(by=admin.user_id, hold=get_hold("account", alice.user_id))
    do_due()
    drain_stream()
    assert fetch([keys.user_info(alice.user_id)], consistent=True) == {}


def test_the_pages_of_closing_say_it_and_no_more(alice, admin, second, log_in):
    hold_account(alice, admin, second)
    browser = log_in(alice)
    browser.post("/confirm", {"password": PASSWORD})
    page = browser.get("/settings/close").content.decode()
    assert "The law asks us to keep parts of your account until" in page
    assert WHY not in page
    close_account(by=alice)
    standing = log_in(alice).get("/standing").content.decode()
    assert "The law asks us to keep parts of it until" in standing
    assert WHY not in standing


# Cases


def test_a_case_outlives_its_person_and_its_term_while_it_is_held(
    alice, bob, mod, admin, second, drain_stream
):
    report(alice, bob)
    decide(mod, about(bob), ActionKind.WARN)
    ask_hold(by=admin.user_id, target=find_target(about(bob).url), until=end(300), reason=WHY)
    hold = confirmed("person", bob.user_id, second)
    erase(bob, Drained(drain_stream))
    case = read_case(about(bob))
    assert case.ttl == moment(hold.until)
    assert ends_of(bob) == {case.ttl}
    release_hold(by=admin.user_id, hold=hold)
    drain_stream()
    assert ends_of(bob) == {moment(case.ends_before)}
    assert abs(moment(case.ends_before) - utc_now() - EVIDENCE_KEPT) < DAY


def test_one_that_has_an_end_gets_the_later_one_and_two_weeks_at_least_afterwards(
    alice, bob, mod, admin, second, drain_stream
):
    report(alice, bob)
    decide(mod, about(bob), ActionKind.WARN)
    erase(bob, Drained(drain_stream))
    before = read_case(about(bob)).ttl
    target = find_target(f"person-{bob.user_id}")
    ask_hold(by=admin.user_id, target=target, until=end(360), reason=WHY)
    hold = confirmed("person", bob.user_id, second)
    drain_stream()
    assert ends_of(bob) == {moment(hold.until)}
    with days_later(359) as now:
        release_hold(by=THE_SITE, hold=hold)
        drain_stream()
        [kept] = ends_of(bob)
        assert now + 13 * DAY < kept < now + 15 * DAY
        assert kept > before


def test_a_case_that_goes_between_two_steps_keeps_no_other_from_being_held(table, monkeypatch):
    cases, kept = [CaseId(CaseKind.POST, name) for name in "abc"], []

    def keep(case_id: CaseId, _: datetime) -> int:
        kept.append(case_id.subject_id)
        if case_id.subject_id == "b":
            del cases[0]
        return 1

    monkeypatch.setattr(stream, "_cases", lambda job: cases)
    monkeypatch.setattr(stream, "keep_case", keep)
    job = Job.new(
        kind=JobKind.HOLD, job_id="1", subject_id="x", tag="post", until=end().isoformat()
    )
    while (step := stream.keep_step(job)).cursor:
        job.cursor = step.cursor
    assert kept == ["a", "b", "c"]


def moment(iso: str):
    return datetime.fromisoformat(iso)


def ends_of(bob) -> set:
    """The ends of all that is left of a case."""
    case_id = about(bob)
    raws = query(keys.case_partition(case_id.kind, case_id.subject_id), consistent=True)
    return {datetime.fromtimestamp(int(raw["ttl"]["N"]), UTC) for raw in raws if "ttl" in raw}


def test_each_look_at_what_is_held_is_logged(alice, bob, mod, admin, second, log_in):
    report(alice, bob)
    browser = log_in(mod)
    browser.get(about(bob).url)
    assert "view held case" not in entries()
    hold_account(bob, admin, second)
    page = browser.get(about(bob).url).content.decode()
    browser.get(about(bob).url)
    assert "Kept by law until" in page
    assert entries().count("view held case") == 2
    browser.get(f"{about(bob).url}/decide", {"action": "hide"})
    browser.get(f"{about(bob).url}/conduct")
    browser.post(f"{about(bob).url}/note", {"text": ""})
    assert entries().count("view held case") == 5


def test_an_urgent_case_of_a_person_who_was_erased_is_kept_until_it_is_decided(
    alice, bob, mod, drain_stream
):
    report_by_each(bob, by=[alice], rule="violence", severity=URGENT)
    erase(bob, Drained(drain_stream))
    term = read_case(about(bob)).ttl
    a_day_of_work(drain_stream, day=151)
    later = read_case(about(bob))
    assert later.ttl > term + 100 * DAY
    assert ends_of(bob) == {later.ttl}
    decide(mod, about(bob), ActionKind.DISMISS)
    ended = read_case(about(bob)).ttl
    a_day_of_work(drain_stream, day=400)
    assert read_case(about(bob)).ttl == ended  # half a year from the decision is over before


def test_nothing_is_broken_while_and_after(alice, bob, mod, admin, second, drain_stream):
    report(alice, bob)
    decide(mod, about(bob), ActionKind.WARN)
    hold = hold_account(bob, admin, second)
    drain_stream()
    assert broken_invariants() == {}
    release_hold(by=admin.user_id, hold=hold)
    drain_stream()
    assert broken_invariants() == {}


# The page and the command


def test_admins_ask_confirm_renew_and_release_on_a_page(alice, admin, second, mod, log_in):
    until = (utc_now() + 30 * DAY).date().isoformat()
    one, other = log_in(admin), log_in(second)
    form = {"what": "@alice", "until": until, "reason": WHY}
    one.post("/moderation/holds", form)
    page = other.get("/moderation/holds").content.decode()
    assert WHY in page
    hold = get_hold("account", alice.user_id)
    address = f"/moderation/holds/account/{alice.user_id}"
    one.post(f"{address}/confirm", {"seen": hold.until})
    assert held_until(alice) is None
    other.post(f"{address}/confirm", {"seen": "something else"})
    assert held_until(alice) is None
    other.post(f"{address}/confirm", {"seen": hold.until})
    assert held_until(alice)
    later = (utc_now() + 90 * DAY).date().isoformat()
    one.post(f"{address}/renew", {"seen": hold.until, "until": later})
    waiting = get_hold("account", alice.user_id)
    assert waiting.renewal
    other.post(f"{address}/release", {"seen": f"{waiting.until} {waiting.renewal}"})
    assert held_until(alice) is None
    assert log_in(mod).get("/moderation/holds").status_code == 404
    log = one.get("/moderation/log").content.decode()
    assert "confirmed that what is known of" in log


@pytest.mark.parametrize(
    "form",
    [
        {"what": "@nobody_here", "until": "2020-01-01", "reason": WHY},
        {"what": "/moderation/cases/person/x", "until": "", "reason": ""},
        {"what": "", "until": "no day", "reason": WHY},
    ],
)
def test_what_is_wrong_is_said_and_what_was_typed_stays(admin, log_in, form):
    answer = log_in(admin).post("/moderation/holds", form)
    assert answer.status_code in (200, 422)
    assert form["reason"] in answer.content.decode()
    assert list_holds("") == []


def test_the_operator_counts_as_one_of_two(alice, admin, capsys):
    until = (utc_now() + 30 * DAY).date().isoformat()
    call_command("hold", "@alice", "--until", until, "--reason", WHY)
    with pytest.raises(CommandError, match="another person"):
        call_command("hold", "@alice", "--confirm")
    confirm_hold(by=admin.user_id, hold=get_hold("account", alice.user_id))
    call_command("hold")
    call_command("hold", "@alice", "--release")
    call_command("hold")
    said = capsys.readouterr().out
    assert f"@alice  account  kept until {until[:7]}" in said
    assert "No legal holds." in said
    for wrong in (["@nobody", "--confirm"], ["@alice", "--until", until], ["@alice", "--release"]):
        with pytest.raises(CommandError):
            call_command("hold", *wrong)
    assert [one.moderator_id for one in logged() if one.action == "ask hold"] == [OPERATOR]
    assert isinstance(logged()[0], AuditEntry)
