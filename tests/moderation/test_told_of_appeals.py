"""An appeal is told to all who may answer it, but not to the moderator who decided, and to nobody else."""

import pytest

from accounts.people.viewer import Viewer
from accounts.permissions import Permission, save_role
from moderation.cases.effects import undo_action
from moderation.cases.writes import TELL_OF_APPEAL, appeal
from moderation.models import ActionKind
from moderation.staff.stream import tell_of_appeal
from moderation.staff.waiting_too_long import TELL, tell_staff
from moderation.staff.writes import choose_languages
from notifications.writes import choose_notifications
from socialsite.due.work import AlreadyDone
from socialsite.telling import OptOut
from tests.conftest import person
from tests.looks import broken_invariants
from tests.moderation.cases import about, decide
from tests.moderation.queues import report
from tests.moderation.waiting import after, hears, let_pass, planned
from tests.notifications.told import badge
from tests.web.html import Html

ONE = ["1 appeal is waiting for an answer"]
P = Permission


@pytest.fixture
def mei(table) -> Viewer:
    return person("mei", "Mei", role="moderator")


@pytest.fixture
def decided(mod, bob, carol) -> str:
    report(bob, by=[carol])
    return decide(mod, about(bob), ActionKind.WARN)


@pytest.fixture
def work(drain_stream):
    def done() -> None:
        drain_stream()
        let_pass(after(seconds=5))
        drain_stream()

    return done


def test_all_who_may_answer_hear_of_it_but_the_moderator_who_decided(
    mod, mei, admin, bob, carol, decided, work, log_in
):
    save_role(by=admin, name="door", title="Door", permissions={P.SIGN_UPS, P.LOG})
    door = person("dora", role="door")
    appeal(person_id=bob.user_id, action_id=decided, text="It was not me")
    work()
    assert hears(mei) == hears(admin) == ONE
    assert hears(mod) == hears(door) == hears(carol) == []
    assert bob.user_id not in str(hears(mei))
    browser = log_in(mei)
    assert badge(browser) == "1 1 new"
    link = Html(browser.get("/notifications")).one("a", class_="note-answer")
    assert link["href"] == "/moderation/queue?queue=appeals"
    assert "@bob" in browser.get(link["href"]).content.decode()
    assert not broken_invariants()


def test_more_words_are_told_to_nobody_and_two_appeals_are_one_line(
    mod, mei, bob, carol, decided, work
):
    for text in ("It was not me", "Really"):
        appeal(person_id=bob.user_id, action_id=decided, text=text)
        work()
    assert hears(mei) == ONE
    report(carol, by=[bob])
    other = decide(mod, about(carol), ActionKind.WARN)
    appeal(person_id=carol.user_id, action_id=other, text="Nor me")
    work()
    assert hears(mei) == ["2 appeals are waiting for an answer"]


def test_where_nobody_else_may_answer_the_moderator_who_decided_hears_of_it(
    mod, bob, decided, work
):
    appeal(person_id=bob.user_id, action_id=decided, text="It was not me")
    work()
    assert hears(mod) == ONE


def test_of_a_suspension_only_those_hear_who_may_suspend(mod, mei, admin, bob, carol, work):
    save_role(by=admin, name="helper", title="Helper", permissions={P.CASES})
    helper = person("hanna", role="helper")
    report(bob, by=[carol])
    action_id = decide(mod, about(bob), ActionKind.SUSPEND)
    appeal(person_id=bob.user_id, action_id=action_id, text="It was not me")
    work()
    assert hears(mei) == ONE
    assert hears(helper) == []


def test_an_appeal_that_was_answered_meanwhile_is_told_to_nobody(mod, mei, bob, decided, work):
    appeal(person_id=bob.user_id, action_id=decided, text="It was not me")
    undo_action(by=mod, case_id=about(bob), action_id=decided)
    work()
    assert hears(mei) == []


def test_those_hear_who_read_the_language_and_everyone_if_nobody_does(
    mod, mei, admin, bob, carol, decided, work
):
    choose_languages(by=mei, languages=["de"])
    choose_languages(by=admin, languages=["en"])
    appeal(person_id=bob.user_id, action_id=decided, text="Nicht ich", language="de")
    report(carol, by=[bob])
    other = decide(mod, about(carol), ActionKind.WARN)
    appeal(person_id=carol.user_id, action_id=other, text="不是我", language="zh-hans")
    work()
    assert hears(mei) == ["2 appeals are waiting for an answer"]
    assert hears(admin) == ONE


def test_staff_switch_it_off(mei, bob, decided, work):
    choose_notifications(by=mei, opted_out=[OptOut.CASES])
    appeal(person_id=bob.user_id, action_id=decided, text="It was not me")
    work()
    assert hears(mei) == []
    assert planned(TELL) == []


def test_it_is_told_once_however_often_the_clock_tries(mod, mei, bob, decided):
    appeal(person_id=bob.user_id, action_id=decided, text="It was not me")
    [due] = planned(TELL_OF_APPEAL)
    for _ in range(2):
        tell_of_appeal(due)
    [telling] = planned(TELL)
    tell_staff(telling)
    with pytest.raises(AlreadyDone):
        tell_staff(telling)
    assert hears(mei) == ONE
