"""The log in words for the staff: month by month, by whom, about whom; and what of it everyone may read."""

import re
from pathlib import Path

import pytest
from django.test import Client

import moderation
from moderation.audit_log.reads import (
    MOST_LOOKED_AT,
    PUBLIC,
    SENTENCES,
    list_audit_entries,
    list_public_entries,
)
from moderation.log.writes import record, record_with
from moderation.models import ActionKind
from socialsite.site_settings.site_setup import SiteRules
from tests.conftest import HTMX, post
from tests.kept import keep_site_rules
from tests.moderation.cases import about, decide, report
from tests.moderation.tampering import this_month
from tests.web.html import Html

LOG, PUBLIC_LOG = "/moderation/log", "/about/log"


def sentences(response) -> list[str]:
    """What the entries say, newest first."""
    articles = Html(response).all(class_="log-entry")
    return [" ".join(article.text.split()) for article in articles]


def enter(by, action="warn", *, times=1, **rest) -> None:
    for _ in range(times):
        record(by=by.user_id, action=action, **rest)


@pytest.fixture
def hidden(alice, bob, mod):
    """A post of Alice was reported by Bob and hidden by a moderator, with a word to her."""
    post_id = post(alice, "Buy this")
    report(bob, alice, post_id, rule_id="spam")
    until = "2099-01-01T00:00:00+00:00"
    decide(mod, about(alice), ActionKind.HIDE, post_id, text="Not here, please", rule_id="spam")
    decide(mod, about(alice), ActionKind.FREEZE, until=until)


@pytest.fixture
def public():
    keep_site_rules(SiteRules(public_log=True))


def test_a_first_act_that_came_to_nothing_leaves_an_empty_log(mod, public, log_in):
    record_with(lambda *entry: False, by=mod.user_id, action="give role")
    for address in (LOG, PUBLIC_LOG):
        page = log_in(mod).get(address)
        assert page.status_code == 200
        assert sentences(page) == []


def test_it_says_in_words_what_was_done_newest_first(hidden, mod, log_in):
    page = log_in(mod).get(LOG)
    froze, hid = sentences(page)
    assert froze.startswith("Mod Miller froze @alice")
    assert re.search(r"until .*2099", froze)
    assert hid.startswith("Mod Miller hid 1 post by @alice")
    assert "No spam" not in hid
    assert "Spam" in hid
    assert "Not here, please" in hid
    assert 'href="/moderation/cases/person/' in page.content.decode()


def test_names_of_people_are_text(alice, mod, log_in):
    enter(mod, "<b>new", person_id="<b>nobody")
    enter(mod, "change settings", detail={"banner": ["", "<b>Hi"]})
    page = log_in(mod).get(LOG).content.decode()
    assert "<b>" not in page
    assert "→ &lt;b&gt;Hi" in page


@pytest.mark.parametrize("action", [*ActionKind, *(f"undo {kind}" for kind in ActionKind)])
def test_whatever_moderators_do_has_its_words(action):
    assert action in SENTENCES


def test_every_action_that_the_services_enter_has_its_words():
    services = Path(moderation.__file__).parent.rglob("*.py")
    code = "".join(file.read_text() for file in services)
    named = re.findall(r'(?:action=|change_site\(by, |_save_rules\(by, )"([^"]+)"', code)
    assert len(named) > 15
    assert set(named) <= SENTENCES.keys()


def test_a_month_without_entries_and_an_empty_log_say_so(mod, log_in):
    assert "No entries" in log_in(mod).get(LOG).content.decode()


def test_a_month_that_the_log_does_not_cover_is_refused_beside_the_field(mod, log_in):
    for month in ("2020-01", "Permissions", "'"):
        page = log_in(mod).get(LOG, {"month": month})
        assert page.status_code == 422
        assert Html(page).all(class_="field-error")


def test_it_is_narrowed_down_to_who_did_it_and_whom_it_was_about(alice, bob, mod, admin, log_in):
    enter(mod, person_id=alice.user_id)
    enter(admin, person_id=alice.user_id)
    enter(mod, "limit", person_id=bob.user_id)
    browser = log_in(mod)
    assert len(sentences(browser.get(LOG, {"moderator": "@Moddy"}))) == 2
    assert len(sentences(browser.get(LOG, {"person": "alice"}))) == 2
    both = {"moderator": "moddy", "person": "bob", "month": this_month()}
    assert "limited @bob" in sentences(browser.get(LOG, both))[0]
    none = browser.get(LOG, {"moderator": "addy", "person": "bob"})
    assert "No entries match" in none.content.decode()


def test_a_handle_that_nobody_has_is_said_beside_the_field(mod, log_in):
    page = log_in(mod).get(LOG, {"person": "nobody"})
    assert page.status_code == 422
    assert "Nobody has this handle. Check the spelling." in page.content.decode()
    assert 'value="nobody"' in page.content.decode()


def test_older_entries_follow_as_a_page_and_as_a_fragment(alice, mod, log_in):
    enter(mod, times=25, person_id=alice.user_id)
    for asked in ({}, {"person": "alice"}):
        browser = log_in(mod)
        first = browser.get(LOG, asked)
        assert len(sentences(first)) == 20
        older = Html(first).one("a", rel="next")["href"]
        assert len(sentences(browser.get(older))) == 5
        fragment = browser.get(older, headers=HTMX)
        assert len(sentences(fragment)) == 5
        assert "<html" not in fragment.content.decode()


def test_what_fits_is_found_behind_very_many_that_do_not(alice, mod, admin, measure):
    enter(admin, person_id=alice.user_id)
    enter(mod, times=MOST_LOOKED_AT)
    with measure() as meter:
        page = list_audit_entries(this_month(), moderator_id=admin.user_id)
    assert not page.items
    assert len(meter.calls) <= 5
    page = list_audit_entries(this_month(), moderator_id=admin.user_id, cursor=page.next_cursor)
    assert [card.number for card in page.items] == [1]
    assert not page.next_cursor


def test_a_last_page_that_is_full_promises_no_other(mod, admin):
    enter(admin, times=3)
    enter(mod, times=20)
    page = list_audit_entries(this_month(), moderator_id=mod.user_id)
    assert (len(page.items), page.next_cursor) == (20, None)


def test_the_public_log_is_not_there_unless_the_site_wants_it(hidden, log_in, alice):
    assert Client().get(PUBLIC_LOG).status_code == 404
    assert log_in(alice).get(PUBLIC_LOG).status_code == 404
    assert PUBLIC_LOG not in Client().get("/rules").content.decode()


def test_the_public_log_says_what_was_done_under_which_rule_and_never_to_whom(hidden, public):
    page = Client().get(PUBLIC_LOG)
    froze, hid = sentences(page)
    assert froze.startswith("An account was frozen")
    assert ":" not in froze  # no hour, which might tell whom it was about
    assert hid.startswith("1 post was hidden")
    assert "No spam" not in hid
    assert "Spam" in hid
    text = page.content.decode()
    for told in ("alice", "Alice", "Not here", "moddy", "Mod Miller", "cases/"):
        assert told not in text
    assert PUBLIC_LOG in Client().get("/rules").content.decode()


def test_the_public_log_names_moderators_where_the_site_wants_that(hidden, alice, mod):
    keep_site_rules(SiteRules(public_log=True, log_shows_names=True))
    text = Client().get(PUBLIC_LOG).content.decode()
    assert "Mod Miller" in text
    assert "alice" not in text


def test_notes_looks_claims_and_set_up_stay_inside(mod, public):
    inside = SENTENCES.keys() - PUBLIC.keys()
    for action in sorted(inside):
        enter(mod, action)
    assert sentences(Client().get(PUBLIC_LOG)) == []
    assert {"note", "view private post", "assign", "give role", "change settings"} <= inside


def test_the_public_log_tells_of_waves_whose_actions_it_tells(mod, public):
    for kind in ("suspend", "approve", "close"):
        for action in ("start wave", "undo wave"):
            enter(mod, action, detail={"wave": "0", "action": kind, "cases": 40})
    enter(mod, "undo wave", detail={"wave": "0"})  # as entries were before they said what
    undone, made = sentences(Client().get(PUBLIC_LOG))
    assert made.startswith("One decision was made about 40 cases at once")
    assert undone.startswith("A decision about 40 cases at once was undone")


def test_the_public_log_tells_the_day_alone(hidden, public):
    times = [element["datetime"] for element in Html(Client().get(PUBLIC_LOG)).all("time")]
    assert {len(time) for time in times} == {len("2026-11-21")}


def test_the_public_log_goes_from_month_to_month_and_page_to_page(mod, public):
    enter(mod, times=25)
    browser = Client()
    first = browser.get(PUBLIC_LOG)
    older = Html(first).one("a", rel="next")["href"]
    assert len(sentences(browser.get(older))) == 5
    assert len(sentences(browser.get(older, headers=HTMX))) == 5
    assert browser.get(PUBLIC_LOG, {"month": "2020-01"}).status_code == 404
    assert browser.get(PUBLIC_LOG, {"month": this_month(), "page": "x"}).status_code == 400


@pytest.mark.engines("embedded", reason="the others report other capacity")
def test_what_the_pages_of_the_log_cost(hidden, mod, measure):
    enter(mod, times=20, person_id=mod.user_id)
    with measure() as meter:
        list_audit_entries(this_month())
    assert [call.operation for call in meter.calls] == ["Query", "BatchGetItem"]
    assert meter.read_units <= 2.5
    with measure() as meter:
        list_public_entries(this_month())
    assert [call.operation for call in meter.calls] == ["Query"]
    assert meter.read_units <= 2
    with measure() as meter:
        list_public_entries(this_month(), with_names=True)
    assert [(call.operation, call.units) for call in meter.calls][1:] == [("BatchGetItem", 0.5)]
