"""The navigation of staff: links to what they may open, and how many cases wait. Others see and pay nothing."""

import pytest

from accounts.permissions import Permission, save_role
from moderation.cases.writes import assign_case
from moderation.models import ActionKind, Queue
from moderation.staff.nav import MOST_COUNTED
from socialsite.process_state import reset_process_state
from tests.conftest import person
from tests.kept import keep_counts
from tests.moderation.cases import about, decide, held_post, waiting_sign_up
from tests.moderation.queues import report
from tests.web.html import Html


def badges(page) -> set[str]:
    return {badge.text for badge in Html(page).all(class_="nav-badge")}


def links(page) -> set[str]:
    """To pages of staff, wherever on the page."""
    hrefs = {link["href"] for link in Html(page).all("a")}
    return {href for href in hrefs if href.startswith(("/moderation", "/operations"))}


@pytest.fixture
def three_wait(alice, bob, carol) -> None:
    report(alice, by=[carol])
    held_post(bob)
    waiting_sign_up(person("newcomer"))
    reset_process_state()


@pytest.mark.usefixtures("three_wait")
def test_moderators_see_how_many_cases_wait_on_every_page(mod, log_in):
    browser = log_in(mod)
    for path in ("/", "/explore", "/settings/profile"):
        assert badges(browser.get(path)) == {"3 3 cases are waiting"}


@pytest.mark.usefixtures("three_wait")
def test_only_those_count_that_the_viewer_may_open(admin, log_in):
    for name, permission, seen in (
        ("door", Permission.SIGN_UPS, {"1 1 case is waiting"}),
        ("reports", Permission.CASES, {"2 2 cases are waiting"}),
        ("log", Permission.LOG, set()),
    ):
        save_role(by=admin, name=name, title=name, permissions={permission})
        assert badges(log_in(person(f"{name}_keeper", role=name)).get("/")) == seen


@pytest.mark.usefixtures("three_wait")
def test_nobody_else_sees_or_pays_for_it(alice, log_in, measure):
    browser = log_in(alice)
    with measure() as meter:
        page = browser.get("/")
    assert not badges(page)
    assert not links(page)
    assert "list_waiting" not in {call.access_pattern for call in meter.calls}


def test_while_nothing_waits_there_is_no_number(mod, log_in):
    page = log_in(mod).get("/")
    assert not badges(page)
    assert links(page) == {"/moderation"}


def test_it_is_read_once_in_a_while_and_again_after_a_decision(
    mod, alice, carol, log_in, measure, count_waiting
):
    browser = log_in(mod)
    report(alice, by=[carol])
    count_waiting()
    reset_process_state()
    with measure() as meter:
        assert badges(browser.get("/")) == badges(browser.get("/")) == {"1 1 case is waiting"}
    read = [call for call in meter.calls if call.access_pattern == "list_waiting"]
    assert [call.operation for call in read] == ["Query"]
    version = Html(browser.get(about(alice).url)).value("version")
    form = {"action": ActionKind.DISMISS, "version": version}
    answer = browser.post(f"{about(alice).url}/decide", form)
    count_waiting()
    assert not badges(browser.get(answer["Location"]))


def test_very_many_are_as_many_as_are_worth_counting(mod, log_in):
    keep_counts(dict.fromkeys(Queue, MOST_COUNTED))
    assert badges(log_in(mod).get("/")) == {"99+ 99+ cases are waiting"}


def test_it_is_as_old_as_the_setting_says(mod, alice, carol, log_in, settings):
    settings.STAFF_NAV_SECONDS = 0
    browser = log_in(mod)
    reset_process_state()
    report(alice, by=[carol])
    assert badges(browser.get("/"))
    decide(mod, about(alice), ActionKind.DISMISS)
    assert not badges(browser.get("/"))


def test_the_page_about_the_worker_is_for_operators_and_apart(admin, mod, log_in):
    save_role(by=admin, name="operator", title="Operator", permissions={Permission.WORKER})
    operator = log_in(person("olga", role="operator"))
    page = operator.get("/operations/worker")
    assert page.status_code == 200
    assert links(page) == links(operator.get("/")) == {"/operations/worker"}
    assert not Html(log_in(admin).get("/operations/worker")).all("nav", class_="staff-nav")
    assert "/operations/worker" not in links(log_in(mod).get("/"))
    assert operator.get("/moderation").status_code == 404


def tab_badges(page) -> dict[str, str]:
    """What stands on the tabs of the queue, by their addresses, where anything does."""
    shown = {}
    for link in Html(page).all("a"):
        queue = link["href"].partition("/moderation/queue?queue=")[2]
        if queue and any(character.isdigit() for character in link.text):
            shown[queue] = link.text.split()[-4:]
    return {queue: words[0] for queue, words in shown.items()}


@pytest.mark.usefixtures("three_wait")
def test_each_tab_says_how_many_wait_in_it(mod, alice, log_in):
    browser = log_in(mod)
    before = browser.get("/moderation/queue?queue=appeals")
    assert tab_badges(before) == {"reports": "1", "held": "1", "sign-ups": "1"}
    browser.post(f"{about(alice).url}/assign", {"moderator": mod.user_id})
    after = browser.get("/moderation/queue?queue=appeals")
    assert tab_badges(after) == {"mine": "1", "desks": "1", "held": "1", "sign-ups": "1"}
    assert badges(browser.get("/")) == {"3 3 cases are waiting"}


@pytest.mark.usefixtures("three_wait")
def test_the_tabs_count_nothing_that_is_not_the_viewers_to_open(admin, log_in):
    save_role(by=admin, name="door", title="door", permissions={Permission.SIGN_UPS})
    page = log_in(person("door_keeper", role="door")).get("/moderation/queue?queue=sign-ups")
    assert tab_badges(page) == {"sign-ups": "1"}


@pytest.mark.usefixtures("three_wait")
def test_those_on_the_desks_of_others_count_as_far_as_one_may_open_them(
    admin, mod, alice, log_in, measure, count_waiting
):
    for case_id in (about(alice), waiting_sign_up(person("second_newcomer"))):
        assign_case(by=admin, case_id=case_id, moderator_id=mod.user_id)
    save_role(by=admin, name="door", title="door", permissions={Permission.SIGN_UPS})
    keeper = log_in(person("door_keeper", role="door"))
    reset_process_state()
    tabs = tab_badges(keeper.get("/moderation/queue?queue=sign-ups"))
    assert tabs == {"desks": "1", "sign-ups": "1"}
    assert badges(keeper.get("/")) == {"2 2 cases are waiting"}
    count_waiting()
    reset_process_state()
    with measure() as meter:
        page = log_in(admin).get("/moderation/queue?queue=held")
    assert tab_badges(page) == {"desks": "2", "held": "1", "sign-ups": "1"}
    asked = [call for call in meter.calls if call.access_pattern in {"list_waiting", "count_now"}]
    assert len(asked) == 1  # whoever has a desk
