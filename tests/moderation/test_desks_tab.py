"""The tab "Assigned": what is on all desks, for everyone who may open it."""

import pytest
from django.test import Client

from accounts.people.viewer import Viewer
from accounts.permissions import Permission, save_role
from moderation.cases.writes import assign_case
from moderation.models import ActionKind
from tests.conftest import HTMX, person
from tests.moderation.cases import about, waiting_sign_up
from tests.moderation.queues import QUEUE, report, reported_people, rows, version_of
from tests.web.html import Html

DESKS = f"{QUEUE}?queue=desks"


@pytest.fixture
def moderator(mod, log_in) -> Client:
    return log_in(mod)


@pytest.fixture
def mei(table) -> Viewer:
    return person("mei", "Mei", role="moderator")


def give(by: Viewer, reported: Viewer, to: Viewer) -> None:
    assign_case(by=by, case_id=about(reported), moderator_id=to.user_id)


def test_it_shows_all_desks_the_most_urgent_first_and_whose_they_are(
    moderator, mod, mei, alice, bob, carol
):
    for reported, severity, to in ((alice, 3, mod), (bob, 1, mei)):
        report(reported, by=[carol], severity=severity)
        give(mod, reported, to)
    report(carol, by=[bob])
    page = moderator.get(DESKS)
    assert rows(page) == ["bob", "alice"]
    assert "Assigned to Mei" in Html(page).all("article", class_="case-row")[0].text
    assert rows(moderator.get(f"{DESKS}&severity=3")) == ["alice"]


def test_many_follow_page_by_page(moderator, mod, mei, alice):
    people = reported_people(25, by=alice)
    for number, reported in enumerate(people):
        give(mod, reported, mei if number % 2 else mod)
    first = moderator.get(DESKS)
    assert rows(first) == [reported.handle for reported in people[:20]]
    older = Html(first).one("a", rel="next")["href"]
    assert rows(moderator.get(older)) == [reported.handle for reported in people[20:]]
    assert rows(moderator.get(older, headers=HTMX)) == [one.handle for one in people[20:]]


def test_it_leaves_out_what_the_viewer_may_not_open(admin, mod, mei, bob, carol, log_in):
    save_role(by=admin, name="door", title="Door", permissions={Permission.SIGN_UPS})
    report(bob, by=[carol])
    give(mod, bob, mei)
    report(mod, by=[carol])
    give(mei, mod, mei)
    assign_case(by=mod, case_id=waiting_sign_up(person("newcomer")), moderator_id=mei.user_id)
    door = log_in(person("dora", role="door"))
    assert rows(door.get(DESKS)) == ["newcomer"]
    assert "moddy" not in rows(log_in(mod).get(DESKS))


def test_after_a_decision_it_opens_again_and_no_case_of_others(moderator, mod, mei, bob, carol):
    for reported, by in ((bob, carol), (carol, bob)):
        report(reported, by=[by])
        give(mod, reported, mei)
    form = {"action": ActionKind.DISMISS, "version": version_of(about(bob))}
    answer = moderator.post(f"{about(bob).url}/decide?queue=desks", form)
    assert answer["Location"].startswith(f"{DESKS}&done=")
    assert rows(moderator.get(DESKS)) == ["carol"]


def test_one_takes_a_case_from_there(moderator, mod, mei, bob, carol):
    report(bob, by=[carol])
    give(mod, bob, mei)
    value = f"person.{bob.user_id}.{version_of(about(bob))}"
    moderator.post(f"{QUEUE}/selected?queue=desks", {"act": "take", "targets": [value]})
    assert rows(moderator.get(f"{QUEUE}?queue=mine")) == ["bob"]
