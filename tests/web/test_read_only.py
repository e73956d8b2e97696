"""While the site is only read, reading goes on and nothing is written, and everyone is told why and until when."""

from datetime import datetime, timedelta

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from moderation.log.writes import OPERATOR
from moderation.maintenance.writes import NotAhead, TooLong, end_read_only, plan_read_only
from socialsite.clock import utc_now
from socialsite.due.lambda_handler import handle
from socialsite.site_settings.models import SiteMaintenance
from socialsite.site_settings.read_only import Why, announced, read_only_now
from socialsite.site_settings.site_rules import forget_site_rules, site_rules
from socialsite.streams.worker import Worker
from socialsite.table import fetch, keys, write_batch
from tests.conftest import PASSWORD

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
WORDS = "What I wrote on a long evening"


@pytest.fixture
def only_read(table):
    plan_read_only(by=OPERATOR, ends=utc_now() + HOUR, message="We move to a new machine.")
    site_rules()


def published(author) -> str:
    return Client().get(f"/@{author.handle}").content.decode()


def test_what_is_sent_is_answered_503_with_when_and_with_what_was_typed(only_read, alice, log_in):
    answer = log_in(alice).post("/posts", {"content": WORDS, "nonce": "n" * 22})
    text = answer.content.decode()
    assert answer.status_code == 503
    assert 3500 < int(answer["Retry-After"]) <= 3600
    assert "nothing can be saved until" in text
    assert "We move to a new machine." in text
    assert "What you sent was not saved." in text
    assert f"{WORDS}</textarea>" in text
    assert 'action="/posts"' in text
    assert f'value="{"n" * 22}"' in text
    assert WORDS not in published(alice)


def test_what_was_typed_can_be_sent_again_from_there(only_read, alice, log_in):
    browser = log_in(alice)
    browser.post("/posts", {"content": WORDS, "nonce": "n" * 22})
    end_read_only(by=OPERATOR)
    browser.post("/posts", {"content": WORDS, "nonce": "n" * 22})
    assert WORDS in published(alice)


def test_htmx_gets_it_as_a_line_even_for_a_button_that_asks_for_a_state(
    only_read, alice, bob, log_in
):
    browser = log_in(alice)
    for form, button in (({"content": "x", "nonce": "n" * 22}, ""), ({"on": "1"}, "on")):
        address = "/posts" if "content" in form else "/@bob/follow"
        headers = {"HX-Request": "true", "HX-Trigger-Name": button}
        answer = browser.post(address, form, headers=headers)
        assert answer.status_code == 503
        assert "until" in answer["HX-Trigger"], address
        assert "was not saved" in answer["HX-Trigger"]


def test_secrets_do_not_come_back(only_read, alice):
    answer = Client().post("/login", {"account": "alice", "password": PASSWORD})
    assert answer.status_code == 503
    assert PASSWORD not in answer.content.decode()


def test_those_who_are_signed_in_stay_so_and_can_sign_out(only_read, alice, log_in):
    browser = log_in(alice)
    assert browser.get("/settings/profile").status_code == 200
    assert browser.post("/logout").status_code == 302
    assert browser.get("/settings/profile").status_code == 302


def test_every_page_says_so(only_read, alice, log_in):
    browser = log_in(alice)
    for page in ("/", "/@alice", "/explore", "/settings/profile", "/posts/new"):
        assert "nothing can be saved until" in browser.get(page).content.decode(), page


def planned(begins: timedelta, ends: timedelta) -> None:
    """What stands in the table as this much from now."""
    now = utc_now()
    item = SiteMaintenance(
        *keys.site_maintenance(),
        begins=(now + begins).isoformat(timespec="seconds"),
        ends=(now + ends).isoformat(timespec="seconds"),
    )
    write_batch(puts=[item])
    forget_site_rules()
    site_rules()


def test_it_begins_and_ends_by_itself_and_is_announced_a_day_before(alice):
    rows = [(3 * DAY, False, False), (5 * HOUR, True, False), (-HOUR / 2, False, True)]
    for begins, is_announced, is_on in [*rows, (-2 * HOUR, False, False)]:
        planned(begins, begins + HOUR)
        assert bool(announced()) == is_announced, begins
        assert bool(read_only_now()) == is_on, begins
        assert ("you can only read here" in published(alice)) == is_announced, begins


def test_without_an_end_people_are_told_none_and_it_ends_after_20_hours(table):
    plan_read_only(by=OPERATOR)
    now = read_only_now()
    assert (now.why, now.until) == (Why.PLANNED, "")
    ends = datetime.fromisoformat(site_rules().maintenance.ends)
    assert abs(ends - utc_now() - 20 * HOUR) < timedelta(minutes=1)


def test_a_time_that_cannot_be_is_refused(table):
    with pytest.raises(TooLong):
        plan_read_only(by=OPERATOR, ends=utc_now() + timedelta(hours=21))
    with pytest.raises(NotAhead):
        plan_read_only(by=OPERATOR, ends=utc_now() - HOUR)


def test_asked_for_again_while_it_is_on_it_lasts_20_hours_from_its_beginning(table):
    planned(-19 * HOUR, HOUR)
    began = site_rules().maintenance.begins
    with pytest.raises(TooLong):
        plan_read_only(by=OPERATOR, ends=utc_now() + 2 * HOUR)
    plan_read_only(by=OPERATOR, ends=utc_now() + HOUR / 2, message="Nearly done.")
    assert (read_only_now().since, read_only_now().message) == (began, "Nearly done.")
    plan_read_only(by=OPERATOR)
    assert datetime.fromisoformat(site_rules().maintenance.ends) <= utc_now() + HOUR


def test_services_of_the_operator_write_and_the_site_is_as_before_at_the_end(
    only_read, alice, log_in
):
    call_command("read_only", "off")
    assert fetch([keys.site_maintenance()]) == {}
    assert log_in(alice).post("/posts", {"content": WORDS, "nonce": "n" * 22}).status_code == 302


def test_the_command_says_how_it_is(table, capsys, settings):
    settings.SITE_RULES_SECONDS = settings.PAGE_SECONDS = 0
    call_command("read_only")
    call_command("read_only", "on", "--until", "30m", "--message", "Soon back.")
    call_command("read_only", "show")
    call_command("read_only", "off")
    call_command("read_only", "on", "--begins", "2h", "--until", "1h")
    call_command("read_only")
    said = capsys.readouterr().out
    assert "Everyone can write." in said
    assert "The site is only read (planned) until" in said
    assert "Soon back." in said
    assert "Announced from" in said
    for wrong in ("tomorrow", "9999m9", "2026-99-99T00:00"):
        with pytest.raises(CommandError, match="--until"):
            call_command("read_only", "on", "--until", wrong)


def test_worker_and_clock_wait(only_read, alice, monkeypatch):
    class Once:
        """A stop that comes after the first round."""

        rounds = 0

        def is_set(self) -> bool:
            self.rounds += 1
            return self.rounds > 1

        def wait(self, seconds: float) -> bool:
            return True

    worker = Worker()
    monkeypatch.setattr(Worker, "step", lambda self: pytest.fail("it works"))
    worker.run(Once())
    assert handle({}, between=0) == {"taken": 0}


def test_health_says_so(only_read):
    told = Client().get("/readyz").json()
    assert told["status"] == "read-only"
    assert told["read_only"]["why"] == "planned"
    assert Client().get("/healthz").status_code == 200
    assert b"read_only 1.0" in Client().get("/metrics").content


def test_an_admin_begins_and_ends_it_on_a_page_which_is_logged(admin, alice, log_in):
    browser = log_in(admin)
    typed = {"begins": "", "lasts": "60", "message": "Soon back."}
    asked = browser.post("/moderation/read-only", typed).content.decode()
    assert "Make the site read-only now?" in asked
    assert "Soon back." in asked
    assert fetch([keys.site_maintenance()]) == {}
    answer = browser.post("/moderation/read-only", {**typed, "now": "1"}, follow=True)
    assert "Soon back." in answer.content.decode()
    assert log_in(alice).post("/posts", {"content": "x", "nonce": "n" * 22}).status_code == 503
    browser.post("/moderation/read-only/end")
    assert log_in(alice).post("/posts", {"content": "x", "nonce": "n" * 22}).status_code == 302
    log = browser.get("/moderation/log").content.decode()
    assert "let the site only be read" in log
    assert "let everyone write again" in log


def test_what_was_typed_wrong_is_said_beside_it(admin, log_in):
    answer = log_in(admin).post(
        "/moderation/read-only", {"begins": "2020-01-01T00:00", "lasts": "60", "message": "Kept"}
    )
    text = answer.content.decode()
    assert "Choose a moment within the next 60 days." in text
    assert "Kept" in text
    assert fetch([keys.site_maintenance()]) == {}


def test_another_process_follows_once_its_copy_is_old(table):
    site_rules()
    plan_read_only(by=OPERATOR, ends=utc_now() + HOUR)
    forget_site_rules()
    assert read_only_now()
