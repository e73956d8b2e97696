"""Someone is in danger: always urgent, told at once, with kind words instead of a strike and a checklist."""

import pytest
from django.core import mail
from django.test import Client

from accounts.permissions import Permission, save_role
from moderation.cases.reads import Outranked, read_case
from moderation.danger.writes import HelpStep, kind_words, save_help, send_help, tick_step
from moderation.models import ActionKind, HelpOffer, Strike
from notifications.writes import choose_notifications
from socialsite.site_settings.help_lines import (
    BUILT_IN,
    BadLine,
    HelpLine,
    as_text,
    country_of_zone,
    read_lines,
)
from socialsite.site_settings.site_rules import read_site_rules
from socialsite.site_settings.site_setup import DANGER, MINOR, URGENT
from socialsite.table import keys, query
from socialsite.telling import OptOut
from tests.conftest import HTMX, person, post
from tests.looks import broken_invariants
from tests.moderation.cases import about, decide, info, report, strikes
from tests.moderation.staff import after, hears, let_pass, logged
from tests.web.html import Html

PAGE = "/moderation/help"
DANGER_SAID = ["Someone may be in danger: 1 report waits"]


@pytest.fixture
def work(drain_stream):
    """The worker and the clock do what is to be done now."""

    def done() -> None:
        for _ in range(3):
            drain_stream()
            let_pass(after(seconds=1))

    return done


def in_danger(by, person_):
    return report(by, person_, rule_id=DANGER, severity=URGENT, comment="She says goodbye.")


def address(person_, what: str) -> str:
    return f"/moderation/cases/person/{person_.user_id}/{what}"


def test_the_report_offers_it_first_and_shows_who_helps_at_once(alice, bob, log_in):
    browser = log_in(alice)
    browser.cookies["zone"] = "Europe/Berlin"
    for extra in ({}, {"headers": HTMX}):
        html = Html(browser.get("/@bob/report", **extra))
        first = html.all("input", type="radio")[0]
        assert first["value"] == DANGER
        assert "emergency number" in html.one(class_="at-once").text
        assert html.one("a", href="/help/now")


@pytest.mark.parametrize("extra", [{}, {"headers": HTMX}], ids=["page", "htmx"])
def test_who_reports_it_is_led_to_those_who_help(alice, bob, log_in, extra):
    response = log_in(alice).post("/@bob/report", {"reason": DANGER, "comment": "Hm"}, **extra)
    assert (response.headers.get("HX-Redirect") or response["Location"]) == "/help/now"
    case = read_case(about(bob))
    assert (case.severity, case.rules) == (URGENT, {DANGER})


def test_it_is_urgent_whoever_reports_it(mod, alice, bob, carol):
    for reported in (alice, carol, person("dora")):
        report(bob, reported, rule_id="spam", severity=MINOR)
        decide(mod, about(reported), ActionKind.DISMISS)
    erik = person("erik")
    assert in_danger(bob, erik).severity == URGENT


def test_staff_hear_of_it_at_once_by_notification_and_letter_even_if_they_hear_of_no_cases(
    mod, bob, carol, work
):
    choose_notifications(by=mod, opted_out=[OptOut.CASES])
    mail.outbox.clear()
    in_danger(carol, bob)
    work()
    assert hears(mod) == DANGER_SAID
    assert [letter.subject for letter in mail.outbox] == ["Someone may be in danger"]
    assert hears(bob) == []
    assert not broken_invariants()


def test_the_role_that_staff_named_hears_instead(admin, mod, bob, carol, work, log_in):
    save_role(by=admin, name="care", title="Care", permissions={Permission.CASES})
    log_in(admin).post(PAGE, {"lines": BUILT_IN, "role": "care"})
    chosen = person("chosen", role="care")
    in_danger(carol, bob)
    work()
    assert hears(chosen) == DANGER_SAID
    assert hears(mod) == []


def test_it_is_told_once_in_a_round(mod, alice, bob, carol, work):
    in_danger(carol, bob)
    work()
    in_danger(alice, bob)
    work()
    assert hears(mod) == DANGER_SAID


def test_many_reports_of_danger_are_few_letters_and_the_last_is_in_one(mod, carol, work):
    mail.outbox.clear()
    for number in range(4):
        in_danger(carol, person(f"erik{number}"))
        work()
    assert len(hears(mod)) == 1
    assert len(mail.outbox) == 1
    let_pass(after(minutes=21))
    assert len(mail.outbox) == 2


def test_a_case_that_is_closed_takes_no_letter_from_the_others_that_wait(mod, carol, work):
    mail.outbox.clear()
    people = [person(name) for name in ("first", "real", "last")]
    for one in people:
        in_danger(carol, one)
        work()
    decide(mod, about(people[-1]), ActionKind.CLOSE)
    let_pass(after(minutes=21))
    assert len(mail.outbox) == 2


def test_danger_in_a_case_that_a_moderator_acted_on_is_urgent_too(mod, bob, carol, alice):
    report(alice, bob, rule_id="spam", severity=MINOR)
    decide(mod, about(bob), ActionKind.WARN, keep_open=True)
    assert in_danger(carol, bob).severity == URGENT


def test_nobody_is_told_that_they_broke_danger(mod, bob, carol, log_in):
    in_danger(carol, bob)
    page = Html(log_in(mod).get(address(bob, "decide?action=warn")))
    assert DANGER not in [option["value"] for option in page.all("option")]


def test_the_next_round_begins_with_no_step_taken(mod, alice, bob, carol):
    in_danger(carol, bob)
    tick_step(by=mod, case_id=about(bob), step=HelpStep.READ, done=True)
    decide(mod, about(bob), ActionKind.CLOSE)
    report(alice, bob, rule_id="spam")
    assert not read_case(about(bob)).steps_done


def test_a_role_that_cannot_decide_cases_is_no_role_for_danger(
    admin, mod, bob, carol, work, log_in
):
    save_role(by=admin, name="site", title="Site", permissions={Permission.SITE})
    save_help(by=admin, lines=BUILT_IN, role="site")
    named = person("named", role="site")
    in_danger(carol, bob)
    work()
    assert hears(named) == []
    assert hears(mod) == DANGER_SAID
    page = Html(log_in(admin).get(PAGE))
    assert "site" not in [option["value"] for option in page.all("option")]


def test_someone_who_is_suspended_reads_kind_words_too(mod, bob, carol, log_in):
    in_danger(carol, bob)
    decide(mod, about(bob), ActionKind.SUSPEND, keep_open=True)
    send_help(by=mod, case_id=about(bob), text="We are here.")
    browser = log_in(bob)
    assert "We are here." in Html(browser.get("/help/now")).one(class_="told").text
    assert Html(browser.get("/standing")).one("a", href="/help/now")


def test_kind_words_that_are_sent_twice_come_once(mod, bob, carol, log_in):
    in_danger(carol, bob)
    browser = log_in(mod)
    for _ in range(2):
        assert browser.post(address(bob, "help"), {"words": "We are here."}).status_code == 302
    assert len(list(query(keys.help_offers(bob.user_id)))) == 1


def test_a_kept_line_that_can_be_read_no_more_leaves_the_others(admin):
    save_help(by=admin, lines="DE | Rat | 1\nnothing", role="")
    assert [one.name for one in read_site_rules().help_lines] == ["Rat"]


def test_help_is_no_strike_and_tells_the_person_with_kind_words(mod, bob, carol, work, log_in):
    in_danger(carol, bob)
    text = kind_words("de")
    send_help(by=mod, case_id=about(bob), text=text)
    work()
    assert strikes(bob) == []
    assert hears(bob) == ["The moderators wrote to you. You are not in trouble."]
    assert text[:40] in Html(log_in(bob).get("/help/now")).one(class_="told").text
    assert HelpStep.HELP in read_case(about(bob)).steps_done
    assert logged()[-1] == (mod.user_id, "help", {"text": text})
    assert "took action" not in Html(log_in(carol).get("/settings/reports")).one("main").text
    assert not broken_invariants()


def test_a_case_about_danger_can_be_closed_without_saying_that_no_rule_was_broken(
    mod, bob, carol, log_in
):
    in_danger(carol, bob)
    page = Html(log_in(mod).get(address(bob, "")[:-1]))
    offered = [button["value"] for button in page.all("button", class_="step-button")]
    assert {"dismiss", "close"} <= set(offered)
    decide(mod, about(bob), ActionKind.CLOSE)
    assert strikes(bob) == []


def test_the_checklist_stays_with_the_case_and_can_be_taken_back(mod, bob, carol, log_in):
    in_danger(carol, bob)
    version = read_case(about(bob)).version
    browser = log_in(mod)
    for on in ("1", "1", "0", "1"):
        assert browser.post(address(bob, "step?step=read"), {"on": on}).status_code == 302
    assert read_case(about(bob)).steps_done == {"read"}
    assert read_case(about(bob)).version == version
    page = Html(browser.get(address(bob, "")[:-1]))
    ticks = [one["aria-checked"] for one in page.all(class_="step-tick")]
    assert ticks == ["true", "false", "false", "false", "false"]
    assert browser.post(address(bob, "step?step=none"), {"on": "1"}).status_code == 400


def test_cases_about_other_things_have_no_checklist(mod, bob, carol, log_in):
    report(carol, bob, rule_id="spam")
    page = Html(log_in(mod).get(address(bob, "")[:-1]))
    assert not page.all(id="checklist")


def test_kind_words_are_asked_for_in_a_dialog_and_have_to_be_there(mod, bob, carol, log_in):
    in_danger(carol, bob)
    browser = log_in(mod)
    for extra in ({}, {"headers": HTMX}):
        asked = Html(browser.get(address(bob, "help"), **extra))
        assert "worried about you" in asked.one("textarea").text
        empty = browser.post(address(bob, "help"), {"words": " "}, **extra)
        assert empty.status_code == 422
        sent = browser.post(address(bob, "help"), {"words": "We are here."}, **extra)
        assert sent.status_code in (200, 302)
    assert len(list(query(keys.help_offers(bob.user_id)))) == 1


def test_a_moderator_writes_to_nobody_above_them_and_not_to_themselves(mod, admin, bob, log_in):
    in_danger(bob, admin)
    with pytest.raises(Outranked):
        send_help(by=mod, case_id=about(admin), text="Hello")
    with pytest.raises(Outranked):
        tick_step(by=mod, case_id=about(admin), step=HelpStep.READ, done=True)
    assert log_in(mod).post(address(admin, "help"), {"words": "Hello"}).status_code == 404


def test_the_page_of_who_helps_is_for_everyone_with_the_reader_s_country_first(alice, log_in):
    page = Html(Client().get("/help/now"))
    assert len(page.all("a", dir="ltr")) == len(read_lines(BUILT_IN))
    browser = log_in(alice)
    browser.post("/settings/appearance", {"time_zone": "Europe/Vienna", "theme": "auto"})
    assert "no-store" in browser.get("/help/now")["Cache-Control"]


def test_staff_edit_who_helps(admin, log_in):
    browser = log_in(admin)
    lines = "de | TelefonSeelsorge | 0800 1110111 | https://www.telefonseelsorge.de\nat|Rat|147"
    assert browser.post(PAGE, {"lines": lines, "role": ""})["Location"] == PAGE
    assert read_site_rules().help_lines == (
        HelpLine("DE", "TelefonSeelsorge", "0800 1110111", "https://www.telefonseelsorge.de"),
        HelpLine("AT", "Rat", "147"),
    )
    assert logged()[-1][1] == "change help"
    said = Html(browser.get("/moderation/log")).one("main").text
    assert "changed who helps people in danger" in said


@pytest.mark.parametrize(
    "line",
    [
        "Call 112",
        "XX | Nobody | 112",
        "DE | | 112",
        "DE | Nobody",
        "DE | Nobody | none",
        "DE | Page | 1 | http://example.org",
        "DE | Page | 1 | javascript:alert(1)",
        "DE | a | 1 | https://a.example | more",
    ],
)
def test_a_line_that_helps_nobody_is_refused_and_stays_typed(admin, log_in, line):
    response = log_in(admin).post(PAGE, {"lines": line, "role": ""})
    assert response.status_code == 422
    assert Html(response).error("lines")
    assert Html(response).value("lines") == line
    with pytest.raises(BadLine):
        read_lines(line)


def test_the_lines_come_back_as_they_were_written():
    assert read_lines(as_text(read_lines(BUILT_IN))) == read_lines(BUILT_IN)
    assert country_of_zone("Europe/Berlin") == "DE"
    assert country_of_zone("UTC") == ""
    assert country_of_zone("Asia/Calcutta") == "IN"


def test_kind_words_expire_and_are_erased_with_the_account(mod, bob, carol):
    in_danger(carol, bob)
    send_help(by=mod, case_id=about(bob), text="We are here.")
    [raw] = query(keys.help_offers(bob.user_id))
    assert "ttl" in raw
    assert keys.help_offers(bob.user_id) in keys.own_partitions(bob.user_id)
    assert info(bob).suspended_until is None
    assert HelpOffer.__name__ != Strike.__name__
    assert post(bob)
