"""The staff pages of people and of hints, and what none of them offers about superiors."""

import pytest
from django.test import Client

from accounts.models import UserSettings
from accounts.people.reads import get_user_info
from accounts.people.restrictions import Restriction
from accounts.people.viewer import Viewer
from accounts.permissions import Permission, save_role
from moderation.cases.reads import CaseId, is_open, read_case
from moderation.cases.rounds import others_answer
from moderation.cases.writes import appeal
from moderation.models import ActionKind, Appeal, HintKind
from moderation.people.reads import get_person_file, people_url
from moderation.people.writes import note_person
from moderation.reports.reads import list_own_reports
from moderation.suspicions.reads import list_hints
from socialsite.models import Role
from socialsite.table import Create, change, keys, query, transact
from tests.conftest import HTMX, person, post
from tests.moderation.cases import (
    QUEUE,
    about,
    broken,
    decide,
    info,
    logged,
    report,
    report_by_each,
    restrict,
    rows,
    strikes,
    version_of,
    withheld,
)
from tests.moderation.staff import SPAM, all_post, everything_of, newcomers
from tests.moderation.test_bulk_decision_pages import WAVES, page_text, said, start
from tests.moderation.test_ranks import change_role
from tests.moderation.test_suspicions import hint_url
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
    for each_said in (
        *("@alice", "I love birds", "Email address not confirmed", "1 strike", "Frozen"),
        *("Warned", "Fewer adverts", "Was here before", "Addy Admin", "closed"),
    ):
        assert each_said in page.one("main").text, each_said
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


# Hints above the reports: looked at as the draft of a wave, or put away.


@pytest.fixture
def authors(table, drain_stream) -> list[Viewer]:
    """Five new accounts that posted the same."""
    authors = newcomers(5)
    all_post(authors)
    drain_stream()
    return authors


def test_a_hint_stands_above_the_reports_and_nowhere_else(authors, moderator):
    text = Html(moderator.get(QUEUE)).one("ul", aria_labelledby="hints").text
    assert "5 new accounts posted the same text" in text
    assert SPAM in text
    for tab in ("mine", "desks", "appeals", "closed"):
        page = moderator.get(f"{QUEUE}?queue={tab}")
        assert not Html(page).all("ul", aria_labelledby="hints"), tab


def test_without_a_hint_there_is_nothing_of_it(moderator):
    assert "This may be a wave" not in page_text(moderator.get(QUEUE))


def test_a_look_at_all_is_a_draft_about_everyone_which_does_nothing(
    authors, moderator, drain_stream
):
    answer = moderator.post(f"{hint_url()}/look")
    address = str(answer["Location"])
    page = Html(moderator.get(address))
    included = {box["value"] for box in page.all("input", name="include", checked="")}
    assert included == {f"person.{author.user_id}" for author in authors}
    assert page.one("input", name="kind", checked="")["value"] == "hide"
    drain_stream()
    assert not logged()


def test_the_draft_of_a_hint_hides_every_post_it_is_about(authors, moderator, drain_stream):
    posts = all_post(authors)
    drain_stream()
    [hint] = list_hints(HintKind)
    address = str(moderator.post(f"{hint.url}/look")["Location"])
    start(moderator, address, "hide")
    [entry] = logged()
    assert (entry.action, entry.detail["hint"]) == ("start wave", hint.hint_id)
    drain_stream()
    assert "5 cases decided." in page_text(moderator.get(address))
    for author, post_id in zip(authors, posts, strict=True):
        assert withheld(author, post_id)
    assert not list_hints(HintKind)  # it is dealt with


def test_a_hint_that_was_put_away_stays_away_for_everyone(
    authors, moderator, admin, log_in, drain_stream
):
    address = hint_url()
    for _ in range(2):
        answer = moderator.post(f"{address}/put-away")
        assert answer.status_code == 302
    assert "put away" in said(moderator, answer)
    all_post([person("late")])
    drain_stream()
    assert "This may be a wave" not in page_text(log_in(admin).get(QUEUE))
    assert [entry.action for entry in logged()] == ["put hint away"]


def test_hints_are_for_those_who_open_cases(authors, alice, admin, log_in):
    save_role(by=admin, name="host", title="Host", permissions={Permission.SIGN_UPS})
    for browser in (Client(), log_in(alice), log_in(person("hosty", role="host"))):
        for rest in ("look", "put-away"):
            assert browser.post(f"{hint_url()}/{rest}").status_code == 404


# Hints that are one, and what becomes of them


LINKED = f"{SPAM} https://spam.example"


@pytest.fixture
def linkers(table, drain_stream) -> list[Viewer]:
    """Five new accounts that posted the same text with the same link: two hints about the same accounts."""
    authors = newcomers(5)
    all_post(authors, LINKED)
    drain_stream()
    return authors


def test_hints_about_the_same_accounts_are_one(linkers, moderator):
    [hint] = list_hints(HintKind)
    assert (hint.kind, [other.kind for other in hint.also]) == (HintKind.TEXT, [HintKind.LINK])
    page = Html(moderator.get(QUEUE))
    shown = page.one("ul", aria_labelledby="hints").text
    assert "5 new accounts posted the same text" in shown
    assert "5 new accounts linked to spam.example" in shown
    assert not page.all("ul", aria_labelledby="more-hints")


def test_hints_about_others_stay_apart_and_only_the_first_is_unfolded(
    linkers, moderator, drain_stream
):
    others = [person(f"other{number}") for number in range(6)]
    all_post([*others, linkers[0]], "Something else is said here by seven")
    drain_stream()
    assert [hint.authors for hint in list_hints(HintKind)] == [5, 7]
    page = Html(moderator.get(QUEUE))
    assert "5 new accounts" in page.one("ul", aria_labelledby="hints").text
    assert "7 new accounts" in page.one("ul", aria_labelledby="more-hints").text
    assert "1 more hint" in page_text(moderator.get(QUEUE))


def test_hints_about_the_same_accounts_are_put_away_together(linkers, moderator):
    moderator.post(f"{hint_url()}/put-away")
    assert not list_hints(HintKind)


def test_a_wave_from_a_hint_closes_the_cases_that_its_preview_showed(
    linkers, moderator, drain_stream, alice, bob
):
    """Three of five were reported; all are suspended, their reporters are told, and one press takes it back."""
    reported, others = linkers[:3], linkers[3:]
    for one in reported:
        report_by_each(one, by=[alice, bob])
    address = str(moderator.post(f"{hint_url()}/look")["Location"])
    start(moderator, address, "suspend")
    drain_stream()
    assert "5 cases decided." in page_text(moderator.get(address))
    assert all(info(one).suspended_until for one in linkers)
    assert not any(is_open(read_case(about(one))) for one in linkers)
    assert not rows(moderator.get(QUEUE))
    assert {one.outcome for one in list_own_reports(viewer=alice)} == {"suspend"}
    assert not list_hints(HintKind)
    moderator.post(f"{address}/undo")
    drain_stream()
    assert not any(info(one).suspended_until for one in linkers)
    assert all(is_open(read_case(about(one))) for one in [*reported, *others])
    assert {one.outcome for one in list_own_reports(viewer=alice)} == {""}
    assert not broken()


def test_a_report_after_the_preview_still_waits(linkers, moderator, drain_stream, alice, bob):
    report_by_each(linkers[0], by=[alice])
    address = str(moderator.post(f"{hint_url()}/look")["Location"])
    report_by_each(linkers[0], by=[bob], rule="violence", severity=1)
    start(moderator, address, "suspend")
    drain_stream()
    assert all(info(one).suspended_until for one in linkers)
    assert [is_open(read_case(about(one))) for one in linkers] == [True] + [False] * 4


def test_reports_that_the_preview_showed_can_be_dismissed(linkers, moderator, drain_stream, alice):
    report_by_each(linkers[0], by=[alice])
    address = str(moderator.post(f"{hint_url()}/look")["Location"])
    start(moderator, address, "dismiss")
    drain_stream()
    assert "1 case decided. 4 left out." in page_text(moderator.get(address))
    assert not is_open(read_case(about(linkers[0])))


def test_a_wave_begun_elsewhere_about_all_accounts_of_a_hint_deals_with_it(
    linkers, moderator, drain_stream, alice
):
    for one in linkers:
        report_by_each(one, by=[alice])
    boxes = [box["value"] for box in Html(moderator.get(QUEUE)).all("input", name="targets")]
    some = str(moderator.post(WAVES, {"action": "warn", "targets": boxes[:4]})["Location"])
    start(moderator, some, "warn")
    assert list_hints(HintKind)
    everyone = [f"person.{one.user_id}.0" for one in linkers]
    address = str(moderator.post(WAVES, {"action": "suspend", "targets": everyone})["Location"])
    start(moderator, address, "suspend")
    assert not list_hints(HintKind)
    drain_stream()
    assert not rows(moderator.get(QUEUE))


# No page offers what is refused about colleagues and superiors, and none does it: a junior with "cases" alone,
# and a moderator. The table of actions by roles: `test_ranks.py`.

K = ActionKind


@pytest.fixture
def junior_role(table) -> None:
    transact(Create(Role.new(name="junior", title="Junior", permissions={"cases"})))


def send(browser, case_id: CaseId, action: str, **form):
    fields = {"action": action, "version": version_of(case_id), "rule": "spam", "end": "7"}
    return browser.post(f"{case_id.url}/decide", fields | {"preset": "default"} | form)


@pytest.mark.usefixtures("junior_role")
@pytest.mark.parametrize("of", ["junior", "moderator", "admin"])
def test_no_page_offers_what_is_refused_and_none_does_it(of, alice, log_in):
    """A junior with "cases" alone, about a colleague and those above."""
    browser, whom = log_in(person("jun", role="junior")), person("whom", role=of)
    post_id = post(whom, "Look")
    report(alice, whom, post_id, rule_id="spam")
    before = everything_of(about(whom))
    html = Html(browser.get(about(whom).url))
    assert {button["value"] for button in html.all("button", name="action")} == {"dismiss"}
    assert "your role is not above theirs" in html.one("p", class_="ladder-taken").text
    assert not html.all("form", id="note-form")
    for action in ("warn", "sensitive", "hide", "reset", "no-messages", "limit", "freeze"):
        asked = browser.get(f"{about(whom).url}/decide?action={action}")
        assert asked.status_code == 409
        sent = send(browser, about(whom), action, posts=[post_id], parts=["name"], words="Mine")
        assert sent.status_code == 409
        assert "your role is not above theirs" in sent.content.decode()
        assert Html(sent).value("words") == "Mine"
    assert browser.post(f"{about(whom).url}/note", {"text": "Hm"}).status_code == 403
    told = browser.post(f"{about(whom).url}/note", {"text": "Hm"}, headers=HTMX)
    assert told.status_code == 403
    assert everything_of(about(whom)) == before
    assert info(whom).name == "Whom"
    assert send(browser, about(whom), "dismiss").status_code == 302


@pytest.mark.usefixtures("junior_role")
def test_what_was_done_before_they_were_staff_is_left_to_those_above(alice, bob, admin, log_in):
    junior = log_in(person("jun", role="junior"))
    report(alice, bob, rule_id="spam")
    warned = decide(admin, about(bob), K.WARN)
    appeal(person_id=bob.user_id, action_id=warned, text="Why?")
    change_role(bob, "moderator")
    html = Html(junior.get(about(bob).url))
    assert not html.all("button", name="answer")
    assert not html.all("button", name="action_id")
    assert "someone above them answers" in html.one("section", id="appeal").text
    form = {"answer": "refuse", "words": "No", "version": version_of(about(bob))}
    assert junior.post(f"{about(bob).url}/appeal", form).status_code == 403
    assert junior.post(f"{about(bob).url}/undo", {"action_id": warned}).status_code == 404
    assert strikes(bob)[0].appeal == Appeal.OPEN
    chair = log_in(person("chair", role="admin"))
    assert len(Html(chair.get(about(bob).url)).all("button", name="answer")) == 3
    assert chair.post(f"{about(bob).url}/appeal", form).status_code == 302


@pytest.mark.usefixtures("junior_role")
def test_an_appeal_of_staff_waits_for_those_above_alone(alice, bob, admin):
    """Otherwise the administrator who decided would be sent away, with nobody left to answer."""
    person("mei", role="moderator")
    report(alice, bob, rule_id="spam")
    warned = decide(admin, about(bob), K.WARN)
    appeal(person_id=bob.user_id, action_id=warned, text="Why?")
    change_role(bob, "moderator")
    others = [get_user_info(one.user_id) for one in (bob, admin)]
    assert not others_answer(admin, about(bob), bob.user_id, K.WARN, staff=others)


@pytest.mark.usefixtures("junior_role")
@pytest.mark.parametrize("of", ["moderator", "admin"])
def test_the_page_of_a_person_takes_no_note_about_a_superior(of, mod, log_in):
    whom, browser = person("whom", role=of), log_in(mod)
    address = f"/moderation/people/{whom.user_id}"
    html = Html(browser.get(address))
    assert not html.all("button", id="note-button")
    assert browser.post(f"{address}/note", {"text": "Hm"}).status_code == 403
    assert Html(browser.get(address)).all("button", id="note-button") == []
    junior = person("jun", role="junior")
    below = f"/moderation/people/{junior.user_id}"
    assert Html(browser.get(below)).all("button", id="note-button")
    assert browser.post(f"{below}/note", {"text": "Hm"}).status_code == 302
