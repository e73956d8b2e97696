"""Junior moderators ask seniors, and act within limits that staff set, whatever page or service they use."""

from datetime import timedelta

import pytest
from django.core import mail

from accounts.models import UserInfo
from accounts.permissions import JUNIOR, Permission, grant_role, is_junior, save_role
from moderation.bulk_decisions.reads import WaveDecision, read_wave
from moderation.bulk_decisions.writes import make_wave, start_wave, undo_wave
from moderation.cases.effects import undo_action
from moderation.cases.erasure import let_case_end
from moderation.cases.limits import BeyondLimits
from moderation.cases.lists import list_cases
from moderation.cases.reads import CaseMoved, OwnCase, read_case
from moderation.cases.rounds import others_answer
from moderation.cases.writes import (
    CannotHave,
    Claimed,
    answer_appeal,
    appeal,
    assign_case,
    claim_case,
)
from moderation.danger.writes import HelpStep
from moderation.levels.writes import give_level
from moderation.models import ActionKind, CaseNote, Queue, WaveState
from moderation.reporters.writes import mute_reporter, unmute_reporter
from moderation.securing.writes import Securing, secure_account, undo_securing
from moderation.seniors.writes import answer_junior, ask_senior, save_limits
from moderation.suspicions.reads import Target
from notifications.writes import choose_notifications
from socialsite.clock import utc_now
from socialsite.site_settings.levels import Level
from socialsite.site_settings.site_rules import read_site_rules
from socialsite.site_settings.site_setup import DANGER, URGENT
from socialsite.table import NotFound, change, ids, keys, query, row
from socialsite.telling import OptOut
from tests.conftest import HTMX, person
from tests.looks import broken_invariants
from tests.moderation.cases import (
    about,
    decide,
    info,
    report,
    reported_people,
    waiting_sign_up,
)
from tests.moderation.staff import after, hears, let_pass, logged
from tests.web.html import Html

SENIORS, REPORTS = keys.queue(Queue.SENIORS), keys.queue(Queue.REPORTS)
ASKED = "A moderator asks you about 1 case"
ANSWERED = "A senior answered you about 1 case"


@pytest.fixture
def jun(table):
    """A junior moderator."""
    return person("jun", "Jun", role=JUNIOR)


@pytest.fixture
def work(drain_stream):
    """The worker and the clock do what is to be done now."""

    def done() -> None:
        for _ in range(3):
            drain_stream()
            let_pass(after(seconds=1))

    return done


def in_days(days: int) -> str:
    return (utc_now() + timedelta(days=days)).isoformat()


def waiting(partition: str) -> list:
    return [one.case_id for one in list_cases(partition).items]


def notes_of(person_) -> list[str]:
    between = "note#", "note$"
    return [row(CaseNote, raw).text for raw in query(about(person_).key.pk, between=between)]


def page_of(person_, what: str = "") -> str:
    return f"/moderation/people/{person_.user_id}{what}"


def address(person_, what: str = "") -> str:
    return f"/moderation/cases/person/{person_.user_id}{what}"


# Asking


def test_what_a_junior_asks_leaves_their_lists_and_waits_with_the_seniors(alice, bob, jun, work):
    report(alice, bob)
    assign_case(by=jun, case_id=about(bob), moderator_id=jun.user_id)
    ask_senior(by=jun, case_id=about(bob), text="Is this satire?")
    assert waiting(REPORTS) == waiting(keys.desk(jun.user_id)) == []
    assert waiting(SENIORS) == [about(bob)]
    assert notes_of(bob) == ["Is this satire?"]
    assert logged()[-1][1] == "ask senior"
    work()
    let_pass(after(minutes=3))
    assert broken_invariants() == {}


def test_asking_twice_is_asking_once(alice, bob, jun):
    report(alice, bob)
    for _ in range(2):
        ask_senior(by=jun, case_id=about(bob), text="Is this satire?")
    assert len(notes_of(bob)) == 1


def test_nobody_asks_about_a_case_that_is_closed_or_their_own_or_under_review(
    alice, bob, jun, mod, table
):
    report(alice, jun)
    with pytest.raises(OwnCase):
        ask_senior(by=jun, case_id=about(jun), text="?")
    report(alice, bob)
    claim_case(by=mod, case_id=about(bob))
    with pytest.raises(CaseMoved):
        ask_senior(by=jun, case_id=about(bob), text="?")
    decide(mod, about(bob), ActionKind.DISMISS)
    with pytest.raises(NotFound):
        ask_senior(by=jun, case_id=about(bob), text="?")


def test_nobody_takes_a_case_off_the_desk_of_another_by_asking(alice, bob, jun, mod):
    report(alice, bob)
    assign_case(by=mod, case_id=about(bob), moderator_id=mod.user_id)
    with pytest.raises(CaseMoved):
        ask_senior(by=jun, case_id=about(bob), text="?")
    assert waiting(keys.desk(mod.user_id)) == [about(bob)]


def test_a_question_about_a_sign_up_waits_where_those_who_decide_it_find_it(admin, table, log_in):
    for name in ("host", "greeter"):
        save_role(by=admin, name=name, title=name, permissions={Permission.SIGN_UPS})
    case_id = waiting_sign_up(person("dora"))
    ask_senior(by=person("hana", role="host"), case_id=case_id, text="?")
    answer = log_in(person("greta", role="greeter")).get("/moderation/queue?queue=seniors")
    assert answer.status_code == 200
    assert "@dora" in answer.content.decode()


def test_seniors_are_told_by_bell_and_letter_and_juniors_are_not(alice, bob, jun, mod, work):
    other = person("kim", "Kim", role=JUNIOR)
    report(alice, bob)
    work()
    mail.outbox.clear()
    ask_senior(by=jun, case_id=about(bob), text="Is this satire?")
    work()
    assert hears(mod)[0] == ASKED
    assert ASKED not in hears(other) + hears(jun)
    assert {one.subject for one in mail.outbox} == {"A moderator asks you about a case"}


def test_who_switched_cases_off_hears_nothing(alice, bob, jun, mod, work):
    choose_notifications(by=mod, opted_out=[OptOut.CASES])
    report(alice, bob)
    ask_senior(by=jun, case_id=about(bob), text="?")
    work()
    assert hears(mod) == []
    assert not mail.outbox


def test_while_it_waits_a_junior_neither_decides_nor_reviews_nor_takes_it(alice, bob, jun):
    report(alice, bob)
    ask_senior(by=jun, case_id=about(bob), text="?")
    with pytest.raises(BeyondLimits):
        decide(jun, about(bob), ActionKind.DISMISS)
    with pytest.raises(Claimed):
        claim_case(by=jun, case_id=about(bob))
    with pytest.raises(CannotHave):
        assign_case(by=jun, case_id=about(bob), moderator_id=jun.user_id)


def test_the_answer_comes_back_to_the_desk_of_who_asked(alice, bob, jun, mod, work):
    report(alice, bob)
    ask_senior(by=jun, case_id=about(bob), text="Is this satire?")
    assert answer_junior(by=mod, case_id=about(bob), text="Yes. Dismiss it.") == jun.user_id
    assert waiting(keys.desk(jun.user_id)) == [about(bob)]
    assert notes_of(bob) == ["Is this satire?", "Yes. Dismiss it."]
    work()
    assert hears(jun)[0] == ANSWERED
    decide(jun, about(bob), ActionKind.DISMISS)
    work()
    let_pass(after(minutes=3))
    assert broken_invariants() == {}


def test_of_who_left_the_staff_it_goes_back_to_the_queue(alice, bob, jun, mod, admin):
    report(alice, bob)
    ask_senior(by=jun, case_id=about(bob), text="?")
    grant_role(by=admin, user_id=jun.user_id, role="")
    assert answer_junior(by=mod, case_id=about(bob), text="Never mind.") == ""
    assert waiting(REPORTS) == [about(bob)]
    with pytest.raises(NotFound):
        answer_junior(by=mod, case_id=about(bob), text="Never mind.")


def test_a_junior_answers_no_junior(alice, bob, jun):
    report(alice, bob)
    ask_senior(by=jun, case_id=about(bob), text="?")
    with pytest.raises(BeyondLimits):
        answer_junior(by=jun, case_id=about(bob), text="Yes.")


def test_a_senior_decides_it_and_the_next_round_is_nobodys_question(alice, bob, carol, jun, mod):
    report(alice, bob)
    ask_senior(by=jun, case_id=about(bob), text="?")
    decide(mod, about(bob), ActionKind.DISMISS)
    assert read_case(about(bob)).raised is None
    report(carol, bob)
    assert waiting(REPORTS) == [about(bob)]


def test_further_reports_leave_it_with_the_seniors(alice, bob, carol, jun, work):
    report(alice, bob)
    ask_senior(by=jun, case_id=about(bob), text="?")
    report(carol, bob, rule_id="violence", severity=URGENT)
    assert waiting(SENIORS) == [about(bob)]
    work()
    let_pass(after(minutes=3))
    assert broken_invariants() == {}


def test_a_case_put_back_from_a_seniors_desk_waits_with_the_seniors_again(alice, bob, jun, mod):
    report(alice, bob)
    ask_senior(by=jun, case_id=about(bob), text="?")
    assign_case(by=mod, case_id=about(bob), moderator_id=mod.user_id)
    assign_case(by=mod, case_id=about(bob), moderator_id="")
    assert waiting(SENIORS) == [about(bob)]


def test_who_becomes_a_junior_keeps_no_question_on_their_desk(
    alice, bob, jun, mod, admin, drain_stream
):
    report(alice, bob)
    ask_senior(by=jun, case_id=about(bob), text="?")
    assign_case(by=mod, case_id=about(bob), moderator_id=mod.user_id)
    grant_role(by=admin, user_id=mod.user_id, role=JUNIOR)
    drain_stream()
    let_pass(after(minutes=2))
    assert waiting(SENIORS) == [about(bob)]


def test_asking_ticks_the_step_where_someone_is_in_danger(alice, bob, jun):
    report(alice, bob, rule_id=DANGER, severity=URGENT)
    ask_senior(by=jun, case_id=about(bob), text="She said goodbye.")
    assert read_case(about(bob)).steps_done == {HelpStep.SENIOR}


# Limits


def test_a_junior_restricts_for_a_week_and_no_longer(alice, bob, jun, mod):
    report(alice, bob)
    for until in (in_days(8), ""):
        with pytest.raises(BeyondLimits) as refused:
            decide(jun, about(bob), ActionKind.SUSPEND, until=until)
        assert refused.value.field == "end"
    assert not info(bob).suspended_until
    decide(jun, about(bob), ActionKind.SUSPEND, until=in_days(7))
    decide(mod, about(bob), ActionKind.SUSPEND, until="")


def test_staff_choose_the_limits_and_none_at_all(alice, bob, jun, admin):
    save_limits(by=admin, wave=0, days=0, level=Level.NEW)
    site = read_site_rules()
    assert (site.junior_wave, site.junior_days, site.junior_level) == (0, 0, Level.NEW)
    report(alice, bob)
    with pytest.raises(BeyondLimits):
        decide(jun, about(bob), ActionKind.LIMIT, until=in_days(1))


def test_above_a_level_a_junior_only_ends_reports(alice, bob, jun, mod, admin):
    save_limits(by=admin, wave=5, days=7, level=Level.MEMBER)
    change(UserInfo, keys.user_info(bob.user_id), [UserInfo.level.set(Level.REGULAR)])
    report(alice, bob)
    with pytest.raises(BeyondLimits):
        decide(jun, about(bob), ActionKind.WARN, text="Stop.")
    decide(jun, about(bob), ActionKind.DISMISS)
    report(alice, bob)
    decide(mod, about(bob), ActionKind.WARN, text="Stop.")


def test_a_junior_undoes_what_a_junior_could_have_done(alice, bob, carol, jun, mod):
    report(alice, bob)
    long = decide(mod, about(bob), ActionKind.SUSPEND, until=in_days(30))
    with pytest.raises(BeyondLimits):
        undo_action(by=jun, case_id=about(bob), action_id=long)
    report(alice, carol)
    short = decide(jun, about(carol), ActionKind.LIMIT, until=in_days(7))
    undo_action(by=jun, case_id=about(carol), action_id=short)


def test_seniors_answer_appeals_against_restrictions(alice, bob, jun, mod, mei):
    report(alice, bob)
    limit = decide(mod, about(bob), ActionKind.LIMIT, until=in_days(1))
    appeal(person_id=bob.user_id, action_id=limit, text="Why?")
    version = int(read_case(about(bob)).version)
    with pytest.raises(BeyondLimits):
        answer_appeal(
            by=jun,
            case_id=about(bob),
            action_id=limit,
            text="No.",
            version=version,
            grant=False,
        )
    answer_appeal(
        by=mei, case_id=about(bob), action_id=limit, text="No.", version=version, grant=False
    )


def test_a_junior_secures_and_mutes_and_gives_levels_within_their_limits(alice, bob, jun, admin):
    save_limits(by=admin, wave=5, days=7, level=Level.MEMBER)
    change(UserInfo, keys.user_info(bob.user_id), [UserInfo.level.set(Level.REGULAR)])
    for refused in (
        lambda: secure_account(by=jun, user_id=bob.user_id, wish=Securing(ids.new_id())),
        lambda: mute_reporter(by=jun, user_id=bob.user_id, until=after(days=7)),
        lambda: give_level(by=jun, user_id=bob.user_id, level=Level.NEW),
        lambda: mute_reporter(by=jun, user_id=alice.user_id, until=after(days=30)),
    ):
        with pytest.raises(BeyondLimits):
            refused()
    assert not info(bob).secured
    assert Level.of(info(bob).level) == Level.REGULAR
    secure_account(by=jun, user_id=alice.user_id, wish=Securing(ids.new_id()))
    mute_reporter(by=jun, user_id=alice.user_id, until=after(days=7))
    give_level(by=jun, user_id=alice.user_id, level=Level.MEMBER)
    assert info(alice).secured


def test_a_junior_takes_back_no_securing_and_no_long_mute(alice, jun, mod, log_in):
    secure_account(by=mod, user_id=alice.user_id, wish=Securing(ids.new_id()))
    mute_reporter(by=mod, user_id=alice.user_id, until=after(days=30))
    for refused in (undo_securing, unmute_reporter):
        with pytest.raises(BeyondLimits):
            refused(by=jun, user_id=alice.user_id)
    assert info(alice).secured
    for one, offers in ((jun, False), (mod, True)):
        page = Html(log_in(one).get(f"/moderation/people/{alice.user_id}/secure"))
        assert bool(page.all("form", action=page_of(alice, "/secure/undo"))) == offers
    mute_reporter(by=mod, user_id=alice.user_id, until=after(days=7))
    unmute_reporter(by=jun, user_id=alice.user_id)


def test_of_someone_about_whom_a_senior_was_asked_a_junior_secures_nothing(alice, bob, jun):
    report(alice, bob)
    ask_senior(by=jun, case_id=about(bob), text="?")
    with pytest.raises(BeyondLimits):
        secure_account(by=jun, user_id=bob.user_id, wish=Securing(ids.new_id()))


def test_the_page_of_a_reporter_says_beside_the_days_that_they_are_too_many(alice, jun, log_in):
    browser = log_in(jun)
    answer = browser.post(page_of(alice, "/reports"), {"days": "30"})
    assert answer.status_code == 422
    assert "for 7 days at most" in Html(answer).one("main").text
    assert browser.post(page_of(alice, "/reports"), {"days": "7"}).status_code == 302


def test_a_junior_is_nobody_else_who_could_answer_such_an_appeal(bob, jun, mod):
    assert others_answer(mod, about(bob), bob.user_id, ActionKind.WARN)
    assert not others_answer(mod, about(bob), bob.user_id, ActionKind.SUSPEND)


def test_a_wave_of_a_junior_is_small_and_leaves_what_is_beyond_them(
    alice, jun, admin, drain_stream, table
):
    save_limits(by=admin, wave=2, days=7, level=Level.REGULAR)
    people = reported_people(3, by=alice)
    targets = [Target(about(one), int(read_case(about(one)).version)) for one in people]
    decision = WaveDecision(ActionKind.LIMIT, until=in_days(1))
    wave_id = make_wave(by=jun, targets=targets, decision=decision)
    with pytest.raises(BeyondLimits):
        start_wave(by=jun, wave_id=wave_id, decision=decision)
    for_long = WaveDecision(ActionKind.LIMIT, until=in_days(30))
    start_wave(by=jun, wave_id=wave_id, decision=for_long, left_out=[targets[0].case_id])
    drain_stream()
    assert not any(info(one).limited_until for one in people)


def carried_out(by, people, decision, drain_stream) -> str:
    targets = [Target(about(one), int(read_case(about(one)).version)) for one in people]
    wave_id = make_wave(by=by, targets=targets, decision=decision)
    start_wave(by=by, wave_id=wave_id, decision=decision)
    drain_stream()
    return wave_id


def test_a_junior_undoes_no_wave_beyond_them_and_leaves_it_to_seniors(
    alice, jun, mod, admin, log_in, drain_stream
):
    save_limits(by=admin, wave=1, days=7, level=Level.REGULAR)
    people = reported_people(3, by=alice)
    many = carried_out(mod, people[:2], WaveDecision(ActionKind.WARN), drain_stream)
    long = carried_out(mod, people[2:], WaveDecision(ActionKind.SUSPEND), drain_stream)
    for wave_id in (many, long):
        with pytest.raises(BeyondLimits):
            undo_wave(by=jun, wave_id=wave_id)
        assert read_wave(wave_id).state == WaveState.DONE
    said = log_in(jun).post(f"/moderation/waves/{long}/undo", follow=True)
    assert "for 7 days at most" in said.content.decode()
    assert info(people[2]).suspended_until
    undo_wave(by=mod, wave_id=long)
    drain_stream()
    assert not info(people[2]).suspended_until


def test_what_a_junior_could_not_undo_of_a_wave_a_senior_undoes(
    alice, jun, mod, admin, drain_stream
):
    save_limits(by=admin, wave=5, days=7, level=Level.MEMBER)
    people = reported_people(2, by=alice)
    decision = WaveDecision(ActionKind.LIMIT, until=in_days(1))
    wave_id = carried_out(mod, people, decision, drain_stream)
    change(UserInfo, keys.user_info(people[0].user_id), [UserInfo.level.set(Level.REGULAR)])
    undo_wave(by=jun, wave_id=wave_id)
    drain_stream()
    assert (read_wave(wave_id).state, read_wave(wave_id).undone) == (WaveState.DONE, 1)
    undo_wave(by=mod, wave_id=wave_id)
    drain_stream()
    assert (read_wave(wave_id).state, read_wave(wave_id).undone) == (WaveState.UNDONE, 2)
    assert not info(people[0]).limited_until


def test_a_wave_of_a_junior_opens_no_case_that_they_may_not_decide(
    alice, bob, jun, admin, drain_stream
):
    save_limits(by=admin, wave=5, days=7, level=Level.MEMBER)
    change(UserInfo, keys.user_info(alice.user_id), [UserInfo.level.set(Level.REGULAR)])
    for one, until in ((alice, in_days(1)), (bob, in_days(30))):
        decision = WaveDecision(ActionKind.LIMIT, until=until, rule_id="spam")
        targets = [Target(about(one), 0)]
        wave_id = make_wave(by=jun, targets=targets, decision=decision)
        start_wave(by=jun, wave_id=wave_id, decision=decision)
        drain_stream()
        assert read_wave(wave_id).skipped == 1
    assert waiting(REPORTS) == []


def test_older_roles_mean_what_they_meant(mod, admin, jun):
    assert is_junior(jun)
    assert not is_junior(mod)
    assert not is_junior(admin)


# Pages


def test_the_message_stands_beside_the_field_with_the_way_to_a_senior(alice, bob, jun, log_in):
    report(alice, bob, rule_id="spam")
    browser = log_in(jun)
    version = int(read_case(about(bob)).version)
    typed = {"action": "suspend", "version": version, "end": "30", "rule": "spam"}
    typed |= {"preset": "none", "words": "You spam."}
    for extra in ({}, {"headers": HTMX}):
        answer = browser.post(address(bob, "/decide"), typed, **extra)
        html = Html(answer)
        assert answer.status_code == 422
        assert "for 7 days at most" in answer.content.decode()
        assert "You spam." in answer.content.decode()
        assert html.all("a", href=address(bob, "/senior?queue=reports"))


def test_a_junior_asks_and_a_senior_answers_on_pages(alice, bob, jun, mod, log_in):
    report(alice, bob)
    browser = log_in(jun)
    assert browser.post(address(bob, "/senior"), {"text": ""}).status_code == 422
    assert browser.post(address(bob, "/senior"), {"text": "Is it?"}).status_code == 302
    page = browser.get(address(bob)).content.decode()
    assert "asked a senior" in page
    assert "/decide" not in page
    assert browser.get("/moderation/queue?queue=seniors").status_code == 404
    assert "For seniors" not in browser.get("/moderation/queue").content.decode()
    assert browser.post(address(bob, "/answer"), {"text": "x"}).status_code == 404
    senior = log_in(mod)
    assert "@bob" in senior.get("/moderation/queue?queue=seniors").content.decode()
    assert "Is it?" in senior.get(address(bob)).content.decode()
    assert senior.post(address(bob, "/answer"), {"text": "No."}).status_code == 302
    assert "@bob" in browser.get("/moderation/queue?queue=mine").content.decode()


def test_a_junior_does_not_read_the_seniors_list_beside_a_case(alice, bob, carol, jun, log_in):
    report(alice, bob)
    report(alice, carol)
    ask_senior(by=jun, case_id=about(bob), text="?")
    page = Html(log_in(jun).get(address(carol, "?queue=seniors")))
    assert [row_["id"] for row_ in page.all("article", class_="case-row")] == [
        f"case-person-{carol.user_id}"
    ]


def test_only_who_gives_roles_sets_the_limits(jun, mod, admin, log_in):
    for one in (jun, mod):
        assert log_in(one).get("/moderation/juniors").status_code == 404
    browser = log_in(admin)
    assert browser.get("/moderation/juniors").status_code == 200
    bad = browser.post("/moderation/juniors", {"wave": "-1", "days": "9", "level": "x"})
    assert bad.status_code == 422
    browser.post("/moderation/juniors", {"wave": "3", "days": "1", "level": "new"})
    assert read_site_rules().junior_wave == 3
    assert logged()[-1][1] == "change settings"


# Crossings


def test_an_appeal_meanwhile_waits_with_the_seniors_too(alice, bob, carol, jun, mod, mei, work):
    report(alice, bob)
    warned = decide(mod, about(bob), ActionKind.WARN, text="Stop.")
    report(carol, bob)
    ask_senior(by=jun, case_id=about(bob), text="?")
    appeal(person_id=bob.user_id, action_id=warned, text="Why?")
    assert waiting(SENIORS) == [about(bob)]
    version = int(read_case(about(bob)).version)
    answered = {"case_id": about(bob), "action_id": warned, "text": "No.", "grant": False}
    with pytest.raises(BeyondLimits):
        answer_appeal(by=jun, version=version, **answered)
    answer_appeal(by=mei, version=version, **answered)
    assert waiting(SENIORS) == [about(bob)]
    work()
    let_pass(after(minutes=3))
    assert broken_invariants() == {}


def test_a_wave_of_a_junior_leaves_what_a_senior_was_asked(alice, jun, drain_stream, table):
    people = reported_people(2, by=alice)
    ask_senior(by=jun, case_id=about(people[0]), text="?")
    targets = [Target(about(one), int(read_case(about(one)).version)) for one in people]
    decision = WaveDecision(ActionKind.DISMISS)
    start_wave(
        by=jun,
        wave_id=make_wave(by=jun, targets=targets, decision=decision),
        decision=decision,
    )
    drain_stream()
    assert [read_case(about(one)).closed_at is None for one in people] == [True, False]


def test_an_erased_account_leaves_what_was_asked_about_it_open(alice, bob, jun, mod):
    report(alice, bob)
    ask_senior(by=jun, case_id=about(bob), text="?")
    let_case_end(about(bob), until=after(days=180))
    assert waiting(SENIORS) == [about(bob)]
    answer_junior(by=mod, case_id=about(bob), text="Close it.")
    assert waiting(keys.desk(jun.user_id)) == [about(bob)]


def test_only_one_asks_and_the_other_is_told_so(alice, bob, jun, log_in):
    kim = person("kim", "Kim", role=JUNIOR)
    report(alice, bob)
    ask_senior(by=jun, case_id=about(bob), text="First")
    with pytest.raises(CaseMoved):
        ask_senior(by=kim, case_id=about(bob), text="Second")
    assert log_in(kim).post(address(bob, "/senior"), {"text": "Second"}).status_code == 409
    assert notes_of(bob) == ["First"]


def test_an_answer_that_comes_late_shows_the_case_as_it_is(alice, bob, jun, mod, log_in):
    report(alice, bob)
    ask_senior(by=jun, case_id=about(bob), text="?")
    answer_junior(by=mod, case_id=about(bob), text="Yes.")
    late = log_in(mod).post(address(bob, "/answer"), {"text": "No."})
    assert late.status_code == 409
    assert "Nobody waits for an answer here." in late.content.decode()
    decide(mod, about(bob), ActionKind.DISMISS)
    assert log_in(jun).post(address(bob, "/senior"), {"text": "?"}).status_code == 409


def test_the_page_of_a_wave_says_beside_the_cases_that_they_are_too_many(alice, jun, admin, log_in):
    save_limits(by=admin, wave=1, days=7, level=Level.REGULAR)
    people = reported_people(2, by=alice)
    values = [f"person.{one.user_id}.{int(read_case(about(one)).version)}" for one in people]
    browser = log_in(jun)
    draft = browser.post(
        "/moderation/waves?queue=reports", {"targets": values, "action": "dismiss"}
    )
    included = [
        box["value"]
        for box in Html(browser.get(draft["Location"])).all("input", type="checkbox")
        if box["name"] == "include"
    ]
    sent = {"kind": "dismiss", "shown": "dismiss", "include": included}
    answer = browser.post(f"{draft['Location']}/start", sent)
    assert answer.status_code == 422
    assert "Junior moderators act on 1 case at once at most." in answer.content.decode()
    assert all(read_case(about(one)).closed_at is None for one in people)
    sent["include"] = included[:1]
    assert browser.post(f"{draft['Location']}/start", sent).status_code == 302
