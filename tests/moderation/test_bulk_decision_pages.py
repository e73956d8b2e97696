"""The pages of waves: begun from a queue, previewed, started once, and undone by one press."""

import re

import pytest
from django.test import Client

from accounts.permissions import Permission, save_role
from moderation.cases.reads import is_open, read_case
from moderation.models import ActionKind
from tests.accounts.scenes import proved_long_ago, with_second_factor
from tests.conftest import person
from tests.moderation.cases import (
    QUEUE,
    about,
    actions_of,
    decide,
    info,
    logged,
    report_by_each,
    reported_people,
    version_of,
    waiting_sign_up,
)
from tests.web.html import Html

WAVES = "/moderation/waves"
NO_WAVE = "01M7YXYAVBYS6TB3H18E6Q4Q9C"


def boxes(moderator: Client, tab: str = "reports", name: str = "targets") -> list[str]:
    page = Html(moderator.get(f"{QUEUE}?queue={tab}"))
    return [box["value"] for box in page.all("input", name=name)]


def begin(moderator: Client, action: str, targets: list[str], tab: str = "reports") -> str:
    """The address of the new draft."""
    form = {"action": action, "targets": targets}
    return str(moderator.post(f"{WAVES}?queue={tab}", form)["Location"])


def start(moderator: Client, address: str, kind: str, **typed):
    include = [box["value"] for box in Html(moderator.get(address)).all("input", name="include")]
    form = {"kind": kind, "shown": kind, "include": include, "rule": "spam", "end": "7", **typed}
    return moderator.post(f"{address}/start", {**form, "preset": "default"})


def page_text(answer) -> str:
    """What the page says, with single spaces."""
    return " ".join(re.sub(r"<[^>]+>", " ", answer.content.decode()).split())


def said(browser: Client, answer) -> str:
    return Html(browser.get(answer["Location"])).one(id="toasts").text


def test_to_others_it_is_not_there(alice, bob, mod, log_in):
    report_by_each(bob, by=[alice])
    address = begin(log_in(mod), "warn", boxes(log_in(mod)))
    for browser in (log_in(alice), Client()):
        assert browser.get(WAVES).status_code == 404
        assert browser.post(WAVES, {"targets": []}).status_code == 404
        for rest in ("", "/progress"):
            assert browser.get(f"{address}{rest}").status_code == 404
        for rest in ("", "/start", "/undo"):
            assert browser.post(f"{address}{rest}").status_code == 404


def test_a_get_changes_nothing(moderator, alice):
    reported_people(1, by=alice)
    address = begin(moderator, "warn", boxes(moderator))
    for rest in ("/start", "/undo"):
        assert moderator.get(f"{address}{rest}").status_code == 405
    moderator.get(address)
    assert not logged()


def test_those_selected_are_shown_first_and_dismissed_after_that(moderator, worker, alice):
    people = reported_people(4, by=alice)
    address = begin(moderator, "dismiss", boxes(moderator)[:3])
    assert not logged()
    answer = start(moderator, address, "dismiss")
    assert answer["Location"] == address
    worker.drain()
    assert "3 cases decided." in Html(moderator.get(address)).one(id="wave-state").text
    assert [is_open(read_case(about(one))) for one in people] == [False] * 3 + [True]


def test_the_preview_shows_what_the_people_will_read(moderator, alice):
    reported_people(2, by=alice)
    address = begin(moderator, "warn", boxes(moderator))
    typed = {"kind": "suspend", "shown": "warn", "rule": "spam", "words": "Write to us."}
    page = Html(moderator.post(address, typed))
    assert "Your account was suspended" in page.one(id="told").text
    assert "Write to us." in page.one(id="told").text
    assert not logged()


def test_urgent_cases_are_named_and_no_dismissal_takes_them_along(moderator, alice, bob, carol):
    report_by_each(bob, by=[alice], rule="violence", severity=1)
    report_by_each(carol, by=[alice])
    address = begin(moderator, "dismiss", boxes(moderator))
    answer = moderator.get(address)
    page, text = Html(answer), page_text(answer)
    assert "1 of these cases is urgent" in text
    checked = [box["value"] for box in page.all("input", name="include", checked="")]
    assert checked == [f"person.{carol.user_id}"]


def test_who_is_not_ticked_is_left_out(moderator, worker, alice):
    people = reported_people(2, by=alice)
    address = begin(moderator, "suspend", boxes(moderator))
    start(moderator, address, "suspend", include=[f"person.{people[0].user_id}"])
    worker.drain()
    assert info(people[0]).suspended_until
    assert not info(people[1]).suspended_until
    assert "You left it out." in page_text(moderator.get(address))


def test_staff_and_what_changed_are_left_out_in_the_preview(moderator, admin, alice, bob):
    report_by_each(admin, by=[alice])
    report_by_each(bob, by=[alice])
    targets = boxes(moderator)
    decide(admin, about(bob), ActionKind.WARN, keep_open=True)
    answer = moderator.get(begin(moderator, "warn", targets))
    page, text = Html(answer), page_text(answer)
    assert "They are on the staff." in text
    assert "It changed since you chose it." in text
    assert not page.all("input", name="include")


def test_another_action_than_the_one_shown_is_previewed_first(moderator, alice):
    reported_people(1, by=alice)
    address = begin(moderator, "warn", boxes(moderator))
    answer = start(moderator, address, "suspend", shown="warn")
    assert "Your account was suspended" in Html(answer).one(id="told").text
    assert not logged()


@pytest.mark.parametrize("missing", [{"rule": ""}, {"include": []}])
def test_without_a_rule_or_a_case_nothing_starts_and_what_was_typed_stays(
    moderator, alice, missing
):
    reported_people(1, by=alice)
    address = begin(moderator, "warn", boxes(moderator))
    answer = start(moderator, address, "warn", words="Be kind.", **missing)
    assert answer.status_code == 422
    assert "Be kind." in Html(answer).one("textarea").text
    assert not logged()


def test_sent_twice_it_starts_and_is_undone_once(moderator, worker, alice):
    [reported] = reported_people(1, by=alice)
    address = begin(moderator, "warn", boxes(moderator))
    for _ in range(2):
        assert start(moderator, address, "warn").status_code == 302
    worker.drain()
    assert len(actions_of(about(reported))) == 1
    assert moderator.post(f"{address}/undo")["Location"] == address
    assert "can’t be undone now" in said(moderator, moderator.post(f"{address}/undo"))
    worker.drain()
    assert "1 action was undone." in page_text(moderator.get(address))
    assert [entry.action for entry in logged()] == ["start wave", "warn", "undo wave", "undo warn"]


def test_while_it_runs_the_page_says_how_far_it_is(moderator, worker, alice):
    reported_people(3, by=alice)
    address = begin(moderator, "warn", boxes(moderator))
    start(moderator, address, "warn")
    assert "Under way: 0 of 3" in page_text(moderator.get(f"{address}/progress"))
    worker.drain()
    done = moderator.get(f"{address}/progress", headers={"hx-request": "true"})
    assert (done.status_code, done["HX-Refresh"]) == (204, "true")


def test_the_draft_of_someone_else_is_not_there_but_their_wave_is(
    moderator, worker, admin, alice, log_in
):
    reported_people(1, by=alice)
    address = begin(moderator, "warn", boxes(moderator))
    other = log_in(admin)
    assert other.get(address).status_code == 404
    assert address not in str(other.get(WAVES).content)
    start(moderator, address, "warn")
    worker.drain()
    assert other.get(address).status_code == 200
    assert address in str(other.get(WAVES).content)
    other.post(f"{address}/undo")
    worker.drain()
    assert logged()[-1].moderator_id == admin.user_id


def test_each_wave_needs_the_permission_for_its_cases(moderator, worker, admin, alice, bob, log_in):
    save_role(by=admin, name="host", title="Host", permissions={Permission.SIGN_UPS})
    save_role(by=admin, name="reader", title="Reader", permissions={Permission.CASES})
    host, reader = log_in(person("hosty", role="host")), log_in(person("ready", role="reader"))
    report_by_each(bob, by=[alice])
    target = f"person.{bob.user_id}.{version_of(about(bob))}"
    asks = waiting_sign_up(alice)
    assert host.post(WAVES, {"action": "warn", "targets": [target]}).status_code == 404
    assert reader.post(WAVES, {"action": "suspend", "targets": [target]}).status_code == 400
    address = begin(host, "approve", [f"sign-up.{alice.user_id}.{version_of(asks)}"], "sign-ups")
    start(host, address, "approve")
    worker.drain()
    assert not info(alice).waiting
    assert host.get(address).status_code == 200
    assert reader.get(address).status_code == 404


def test_an_old_proof_is_asked_for_when_it_starts_and_not_before(mod, alice, log_in, settings):
    reported_people(1, by=alice)
    settings.STAFF_SECOND_FACTOR = True
    with_second_factor(mod)
    moderator = log_in(mod)
    proved_long_ago(mod)
    address = begin(moderator, "warn", boxes(moderator))
    assert moderator.post(address, {"kind": "warn"}).status_code == 200
    assert start(moderator, address, "warn").status_code == 401
    assert not logged()
