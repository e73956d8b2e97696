"""Once a day, while cases wait too long, a letter says so to the staff who may decide them."""

from datetime import datetime, timedelta

import pytest
from django.core import mail

from accounts.people.viewer import Viewer
from accounts.permissions import Permission, save_role
from moderation.cases.reads import read_case
from moderation.models import ActionKind
from moderation.staff.stream import LETTERS, write_to_staff
from moderation.staff.waiting_too_long import late_at
from notifications.writes import choose_notifications
from socialsite.due.work import AlreadyDone
from socialsite.site_settings.site_setup import URGENT
from socialsite.telling import OptOut
from tests.accounts.letters import Sent
from tests.conftest import person
from tests.moderation.cases import about, decide, waiting_sign_up
from tests.moderation.queues import report
from tests.moderation.waiting import let_pass, planned

P = Permission


@pytest.fixture
def mei(table) -> Viewer:
    return person("mei", "Mei", role="moderator")


@pytest.fixture
def waits_long(bob, carol, drain_stream) -> None:
    """Bob's case has been open for a day, to the second."""
    report(bob, by=[carol])
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
    report(mei, by=[bob])
    report(alice, by=[bob], rule="violence", severity=URGENT)
    drain_stream()
    let_pass(late_at(read_case(about(mei))))
    letters = letters_until(planned_mornings()[-1])
    assert letters["dora@example.org"].subject == "1 case is waiting for a decision"
    assert letters["mei@example.org"].subject == "3 cases are waiting for a decision"
    assert letters["moddy@example.org"].subject == "4 cases are waiting for a decision"
    assert "1 of them is urgent." in letters["moddy@example.org"].text
    assert "of them" not in letters["dora@example.org"].text


@pytest.mark.usefixtures("waits_long")
def test_staff_switch_it_off(mod, mei):
    choose_notifications(by=mei, opted_out=[OptOut.CASES])
    assert set(letters_until(morning())) == {"moddy@example.org"}


@pytest.mark.usefixtures("waits_long")
def test_one_morning_has_one_letter_however_often_the_clock_tries(mod, carol, alice, drain_stream):
    report(carol, by=[alice])
    drain_stream()
    let_pass(late_at(read_case(about(carol))))
    [due] = planned(LETTERS)  # both cases planned the same
    write_to_staff(due)
    with pytest.raises(AlreadyDone):
        write_to_staff(due)
    assert len(planned("mail")) == 1
