"""The staff pages of people: lists and search, what is known of one, notes, and opening a case from there."""

import pytest

from accounts.models import UserSettings
from accounts.people.restrictions import Restriction
from accounts.permissions import Permission, save_role
from moderation.cases.reads import read_case
from moderation.models import ActionKind
from moderation.people.reads import get_person_file, people_url
from moderation.people.writes import note_person
from socialsite.table import change, keys, query
from tests.conftest import HTMX, person, post
from tests.moderation.cases import about, decide, logged, report
from tests.moderation.restricting import restrict
from tests.web.html import Html

PAGE = "/moderation/people"


@pytest.fixture
def mods(mod, log_in):
    return log_in(mod)


def actions() -> list[str]:
    return [entry.action for entry in logged()]


def text_of(response) -> str:
    return Html(response).one("main").text


def test_each_list_shows_its_people_and_links_to_their_pages(alice, bob, carol, mods, drain_stream):
    restrict(alice, Restriction.SUSPENDED, lasts=None)
    report(carol, bob, rule_id="violence")
    drain_stream()
    shown = {
        name: {
            link["href"]
            for link in Html(mods.get(f"{PAGE}?list={name}")).all("a", class_="case-person")
        }
        for name in ("reported", "restricted")
    }
    assert shown == {
        "reported": {people_url(bob.user_id)},
        "restricted": {people_url(alice.user_id)},
    }
    assert "@alice" in text_of(mods.get(PAGE))
    assert "@moddy" in text_of(mods.get(f"{PAGE}?list=staff"))
    assert "Nobody signed up in this month." in text_of(mods.get(f"{PAGE}?list=new&month=2020-01"))
    assert mods.get(f"{PAGE}?list=unheard").status_code == 400
    assert mods.get(f"{PAGE}?month=2020-13").status_code == 400


def test_a_search_shows_whom_it_finds_and_what_was_typed(alice, mods, drain_stream):
    drain_stream()
    page = Html(mods.get(f"{PAGE}?q=arch"))
    assert [link["href"] for link in page.all("a", class_="case-person")] == [
        people_url(alice.user_id)
    ]
    assert page.one("input", id="id_people_q")["value"] == "arch"
    assert "Nobody is called that." in text_of(mods.get(f"{PAGE}?q=zzz"))
    assert mods.get(PAGE, {"q": "x" * 101}).status_code == 422
    assert mods.get(PAGE, {"q": "a\0b"}).status_code == 422


def test_an_email_address_leads_to_its_account_and_into_the_log_without_itself(alice, mods):
    answer = mods.post(f"{PAGE}/find", {"email": "Alice@example.org"})
    assert answer["Location"] == people_url(alice.user_id)
    (entry,) = logged()
    assert (entry.action, entry.person_id) == ("look up email", alice.user_id)
    assert "example.org" not in str(entry.serialize())


def test_an_address_that_nobody_confirmed_is_said_and_logged_too(alice, mods):
    answer = mods.post(f"{PAGE}/find", {"email": "alice@example.com"})
    assert answer.status_code == 422
    assert "No account has confirmed this address." in text_of(answer)
    assert 'value="alice@example.com"' in answer.content.decode()
    assert [(entry.action, entry.person_id) for entry in logged()] == [("look up email", None)]
    assert mods.post(f"{PAGE}/find", {"email": "no address"}).status_code == 422
    assert len(logged()) == 1


def test_the_page_of_a_person_shows_what_is_known(alice, bob, mod, admin, mods):
    asked = [UserSettings.asked.set("I love birds"), UserSettings.unconfirmed.set("yes")]
    change(UserSettings, keys.user_settings(alice.user_id), asked)
    report(bob, alice, rule_id="spam")
    decide(admin, about(alice), ActionKind.WARN, text="Fewer adverts")
    restrict(alice, Restriction.FROZEN)
    note_person(by=admin, user_id=alice.user_id, text="Was here before")
    page = Html(mods.get(people_url(alice.user_id)))
    for said in (
        *("@alice", "I love birds", "Email address not confirmed", "1 strike", "Frozen"),
        *("Warned", "Fewer adverts", "Was here before", "Addy Admin", "closed"),
    ):
        assert said in page.one("main").text, said
    assert page.all("a", href=about(alice).url)
    assert page.all("a", href="/moderation/log?person=alice")


def test_the_page_shows_people_whom_nobody_else_sees(alice, mods):
    restrict(alice, Restriction.SUSPENDED)
    assert mods.get("/@alice").status_code == 410
    assert mods.get(people_url(alice.user_id)).status_code == 200
    assert mods.get(people_url("0" * 26)).status_code == 404


def test_nobody_opens_the_page_about_themselves(mod, mods):
    for address in ("", "/note", "/case"):
        method = mods.post if address else mods.get
        assert method(people_url(mod.user_id) + address, {"text": "x"}).status_code == 403
    assert list(query(keys.person_notes(mod.user_id))) == []


def test_a_note_is_left_once_and_logged(alice, mods):
    where = f"{people_url(alice.user_id)}/note"
    assert mods.post(where, {"text": "Ask again"}).status_code == 302
    assert mods.post(where, {"text": "Ask again"}).status_code == 302
    fragment = mods.post(where, {"text": "And again"}, headers=HTMX)
    assert [note.text for note in get_person_file(alice.user_id).notes] == [
        "And again",
        "Ask again",
    ]
    assert Html(fragment).one("section")["id"] == "notes"
    assert actions() == ["note on person"] * 2
    answer = mods.post(where, {"text": ""})
    assert (answer.status_code, len(logged())) == (422, 2)
    assert mods.post(f"{PAGE}/{'0' * 26}/note", {"text": "x"}).status_code == 404


def test_a_case_is_opened_from_the_page_once(alice, mod, mods):
    where = f"{people_url(alice.user_id)}/case"
    assert mods.post(where, {"rule": ""}).status_code == 422
    for _ in range(2):
        answer = mods.post(where, {"rule": "violence", "comment": "Threats in names"})
        assert answer["Location"] == about(alice).url
    case = read_case(about(alice))
    assert (int(case.reports), int(case.severity), case.rules) == (1, 1, {"violence"})
    assert actions() == ["open case"]
    assert "Threats in names" in mods.get(about(alice).url).content.decode()


def test_people_who_may_not_see_cases_open_one_and_stay(alice, admin, log_in):
    save_role(by=admin, name="guide", title="Guide", permissions={Permission.PEOPLE})
    browser, here = log_in(person("guide", role="guide")), people_url(alice.user_id)
    assert browser.post(f"{here}/case", {"rule": "other"})["Location"] == here
    page = Html(browser.get(here))
    assert "1 report" in page.one("main").text
    assert not page.all("a", href=about(alice).url)
    assert not page.all("a", href="/moderation/log?person=alice")


def test_staff_find_the_way_there_in_menus_and_on_cases(alice, bob, mods, log_in, drain_stream):
    post(alice)
    report(bob, alice, rule_id="spam")
    where = people_url(alice.user_id)
    assert len(Html(mods.get("/@alice")).all("a", href=where)) == 2  # of the person and of the post
    assert Html(mods.get(about(alice).url)).all("a", href=where)
    assert where not in log_in(bob).get("/@alice").content.decode()


def test_the_way_there_is_shown_to_those_who_may_go(alice, mod, admin, log_in, drain_stream):
    post(alice)
    where = people_url(alice.user_id)
    for name, permissions in (("reader", {Permission.LOG}), ("guide", {Permission.PEOPLE})):
        save_role(by=admin, name=name, title=name, permissions=permissions)
        browser = log_in(person(name, role=name))
        leads_there = where in browser.get("/@alice").content.decode()
        assert leads_there == (browser.get(where).status_code == 200), name


def test_the_permission_is_read_once_for_all_menus_of_a_page(alice, admin, log_in, measure):
    for text in "abc":
        post(alice, text)
    save_role(by=admin, name="guide", title="Guide", permissions={Permission.PEOPLE})
    browser = log_in(person("guide", role="guide"))
    with measure() as meter:
        browser.get("/@alice")
    read = [call for call in meter.calls if call.access_pattern == "permissions_of_role"]
    assert len(read) == 1
