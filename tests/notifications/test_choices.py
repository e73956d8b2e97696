"""The settings of notifications: what is switched off, and who has which switches."""

from accounts.permissions import set_role
from notifications.writes import choose_notifications
from socialsite.telling import OptOut
from tests.conftest import person
from tests.web.html import Html

PAGE = "/settings/notifications"


def switches(browser) -> dict[str, bool]:
    """Each switch, and whether it is on."""
    boxes = Html(browser.get(PAGE)).all("input", role="switch")
    return {box["name"]: "checked" in box.attributes for box in boxes}


def all_but(browser, *off: str) -> dict[str, str]:
    """The form with everything on that is on, but these."""
    return {name: "on" for name, is_on in switches(browser).items() if is_on and name not in off}


def test_only_staff_have_a_switch_for_cases(alice, mod, log_in):
    assert "cases" not in switches(log_in(alice))
    assert switches(log_in(mod))["cases"]


def test_it_is_switched_off_and_on(mod, log_in):
    browser = log_in(mod)
    everything = all_but(browser)
    for sent, is_on in ((all_but(browser, "cases"), False), (everything, True)):
        assert browser.post(PAGE, sent).status_code == 302
        assert switches(browser)["cases"] is is_on


def test_what_was_chosen_stays_through_a_time_without_a_role(table, log_in):
    mei = person("mei", "Mei", role="moderator")
    choose_notifications(by=mei, opted_out=[OptOut.CASES])
    set_role(user_id=mei.user_id, role="")
    browser = log_in(mei)
    assert browser.post(PAGE, all_but(browser, "likes")).status_code == 302
    set_role(user_id=mei.user_id, role="moderator")
    assert not switches(browser)["cases"]
    assert not switches(browser)["likes"]
