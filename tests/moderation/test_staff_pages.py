"""The overview, the log in words, and the roles, page by page."""

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from django.test import Client

import moderation
from accounts.permissions import (
    BUILT_IN,
    Permission,
    list_roles,
    permissions_of_role,
    save_role,
    set_role,
)
from moderation.audit_log.reads import (
    MOST_LOOKED_AT,
    list_audit_entries,
    list_public_entries,
)
from moderation.audit_log.words import PUBLIC, SENTENCES
from moderation.cases.writes import assign_case
from moderation.log.writes import record, record_with
from moderation.models import ActionKind, Case, DayCount, Queue
from moderation.staff.overview import DAYS, bar_plot, get_overview
from moderation.staff.waiting import MOST_COUNTED
from moderation.staff.writes import MOST_ROLES, give_role, make_role
from socialsite.clock import utc_now
from socialsite.site_settings.site_setup import SiteRules
from socialsite.table import Item, change, ids, keys, write_batch
from tests.accounts.test_roles import role_of
from tests.conftest import HTMX, person, post
from tests.kept import keep_site_rules
from tests.moderation.cases import about, decide, held_post, logged, report
from tests.moderation.tampering import this_month
from tests.web.html import Html

PAGE = "/moderation/overview"


def count(name: str, times: int, *, days_ago: int = 0) -> None:
    day = (utc_now() - timedelta(days=days_ago)).date().isoformat()
    counter = DayCount.new(day=day, name=name)
    counter.times = times
    write_batch(puts=[counter])


def open_cases(number: int) -> list[Item]:
    """Cases in the queue of reports, of every severity, the oldest among the mildest."""
    cases = []
    for n in range(number):
        subject, opened = ids.new_id(), (utc_now() - timedelta(minutes=n)).isoformat()
        severity = 3 if n == number - 1 else n % 3 + 1
        cases.append(
            Case(
                *keys.case("person", subject),
                kind="person",
                subject_id=subject,
                person_id=subject,
                queue="reports",
                severity=severity,
                opened_at=opened,
                escalated_to=keys.queue("reports"),
                escalated_at=keys.queue_place(severity, 5, opened, "person", subject),
            )
        )
    return cases


def waiting(name: str):
    return next(queue for queue in get_overview().queues if queue.place == name)


def test_a_new_site_has_nothing_to_show_and_shows_that(mod, log_in):
    page = Html(log_in(mod).get(PAGE))
    assert len(page.all("svg", class_="plot")) == 3
    assert "nothing waiting" in page.one("main").text
    assert "no cases yet" in page.one("main").text


def test_open_cases_count_in_their_queue_with_the_age_of_the_oldest(alice, bob, mod):
    report(bob, alice)
    case = report(alice, bob)
    held_post(bob)
    reports = waiting(Queue.REPORTS)
    assert (reports.count, reports.has_more) == (2, False)
    assert waiting(Queue.HELD).count == 1
    assert waiting(Queue.APPEALS).count == 0
    aged = (utc_now() - timedelta(days=3)).isoformat()
    change(Case, about(bob).key, [Case.opened_at.set(aged)])
    assert waiting(Queue.REPORTS).oldest == aged != case.opened_at


def test_cases_on_a_desk_are_counted_there(alice, bob, mod):
    report(bob, alice)
    assign_case(by=mod, case_id=about(alice), moderator_id=mod.user_id)
    overview = get_overview()
    assert overview.desks.count == 1
    assert waiting(Queue.REPORTS).count == 0


def test_of_very_many_no_more_are_counted_and_the_oldest_is_still_found(mod):
    cases = open_cases(MOST_COUNTED)
    write_batch(puts=cases)
    assert waiting(Queue.REPORTS).count_text == "200"
    cases = open_cases(MOST_COUNTED + 30)
    write_batch(puts=cases)
    reports = waiting(Queue.REPORTS)
    assert reports.count_text == "200+"
    assert reports.oldest == cases[-1].opened_at


def test_the_days_hold_what_was_counted_on_them_and_nothing_older(mod):
    count("sign-ups", 4)
    count("sign-ups", 2, days_ago=DAYS - 1)
    count("sign-ups", 99, days_ago=DAYS)
    count("reports.spam", 3, days_ago=1)
    count("reports.other", 1, days_ago=1)
    count("actions.warn", 2, days_ago=2)
    overview = get_overview()
    assert len(overview.days) == DAYS
    assert [day.sign_ups for day in overview.days] == [2, *[0] * 28, 4]
    assert overview.days[-2].reports == 4
    assert overview.rules == [("Spam", 3), ("Something else", 1)]
    assert overview.actions == [("warn", 2)]


def test_half_of_the_closed_cases_took_no_longer_than_it_says(mod, log_in):
    count("closed.1h", 2)
    count("closed.1d", 2, days_ago=3)
    count("closed.2d", 1)
    count("answered.15m", 5)
    overview = get_overview()
    assert (overview.answered, overview.closed, overview.cases_closed) == ("15m", "1d", 5)
    text = log_in(mod).get(PAGE).content.decode()
    assert "15 minutes" in text
    assert "1 day" in text


def test_what_the_worker_counted_is_what_the_page_shows(alice, bob, mod, drain_stream, log_in):
    report(bob, alice, rule_id="spam")
    decide(mod, about(alice), ActionKind.WARN)
    drain_stream()
    page = Html(log_in(mod).get(PAGE))
    today = [cell.text for cell in page.all("td")[-3:]]
    assert today == ["3", "1", "1"]  # sign-ups, reports, actions
    assert "Warned" in page.one("main").text


@pytest.mark.engines("embedded", reason="the others report other capacity")
def test_what_it_costs_whatever_is_open_and_whoever_is_on_the_staff(
    alice, bob, mod, admin, count_waiting, log_in, measure
):
    report(bob, alice)
    report(alice, bob)
    for number in range(3):
        moderator = person(f"moderator{number}", role="moderator")
        assign_case(by=mod, case_id=about(bob), moderator_id=moderator.user_id)
    count_waiting()
    browser = log_in(mod)
    browser.get("/settings")
    with measure() as meter:
        browser.get(PAGE)
    months = len(
        {(utc_now() - timedelta(days=days)).date().isoformat()[:7] for days in range(DAYS)}
    )
    # who is looking, what waits, the cards of the five, the months in their parts, and what was closed in them
    parts = keys.COUNT_PARTS + 1
    assert len(meter.calls) == 1 + 1 + 1 + (parts + 1) * months
    assert meter.read_units == 2 + 0.5 + 0.5 * 5 + 0.5 * (parts + 1) * months


def test_on_the_first_of_march_all_of_february_counts(table, monkeypatch):
    march = datetime(2027, 3, 1, 12, tzinfo=UTC)
    monkeypatch.setattr("moderation.staff.overview.utc_now", lambda: march)
    counter = DayCount.new(day="2027-02-14", name="sign-ups")
    counter.times = 3
    write_batch(puts=[counter])
    assert sum(day.sign_ups for day in get_overview().days) == 3


def test_a_plot_is_a_picture_with_words_and_without_style():
    plot = bar_plot([0, 5, 10], title='Reports <"of"> 3 days')
    assert 'role="img"' in plot
    assert "<title>Reports &lt;&quot;of&quot;&gt; 3 days</title>" in plot
    assert plot.count("<rect") == 3
    assert "style" not in plot
    assert plot.count('fill="currentColor"') == 3


def test_the_greatest_bar_is_as_high_as_the_plot_and_nothing_is_still_seen():
    plot = bar_plot([0, 10], title="Two")
    assert 'height="1.00"' in plot
    assert 'y="0.00"' in plot
    assert 'height="60.00"' in plot


@pytest.mark.parametrize("values", [[], [0], [0] * 30, [-3, 3], [10**9]])
def test_any_numbers_make_a_plot_within_its_box(values):
    plot = bar_plot(values, title="Any")
    heights = [float(part.split('"')[1]) for part in plot.split(" height=")[1:]]
    assert all(0 < height <= 60 for height in heights)
    assert plot.startswith("<svg")


# The log in words for the staff: month by month, by whom, about whom; and what of it everyone may read.

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


ROLES_PAGE = "/moderation/roles"
# Giving and making roles on the page: what it refuses in words, and what stands in the audit log.

GREETER = {"title": "Greeter", "permissions": ["sign-ups", "overview"]}


def entries() -> list[tuple[str, dict]]:
    return [(entry.action, entry.detail or {}) for entry in logged()]


def own_roles() -> dict[str, set[str]]:
    return {role.name: set(role.permissions) for role in list_roles() if not role.is_built_in}


@pytest.mark.parametrize(
    ("method", "address"),
    [
        ("get", ROLES_PAGE),
        ("post", f"{ROLES_PAGE}/give"),
        ("post", f"{ROLES_PAGE}/take"),
        ("get", f"{ROLES_PAGE}/add"),
        ("post", f"{ROLES_PAGE}/add"),
        ("get", f"{ROLES_PAGE}/of/greeter"),
        ("post", f"{ROLES_PAGE}/of/greeter/remove"),
    ],
)
def test_the_pages_are_not_there_for_who_gives_no_roles(alice, mod, log_in, method, address):
    for client in (Client(), log_in(alice), log_in(mod)):
        assert getattr(client, method)(address).status_code == 404


def test_the_page_lists_staff_and_what_each_role_may_do(admins, mod):
    text = Html(admins.get(ROLES_PAGE)).one("main").text
    assert "@moddy" in text
    assert "Moderator" in text
    assert "Suspend accounts" in text
    assert "@addy" in text


def test_a_role_is_given_by_handle_and_entered_in_the_log(admins, alice):
    given = {"person": "@Alice", "role": "moderator"}
    assert admins.post(f"{ROLES_PAGE}/give", given).status_code == 302
    assert role_of(alice) == "moderator"
    [entry] = logged()
    assert (entry.action, entry.person_id) == ("give role", alice.user_id)
    assert entry.detail == {"role": "moderator"}


def test_the_same_again_changes_nothing_and_is_not_entered(admins, alice):
    for _ in range(2):
        admins.post(f"{ROLES_PAGE}/give", {"person": "alice", "role": "moderator"})
        assert role_of(alice) == "moderator"
    assert len(logged()) == 1
    for _ in range(2):
        assert admins.post(f"{ROLES_PAGE}/take", {"person": alice.user_id}).status_code == 302
        assert role_of(alice) == ""
    assert [name for name, _ in entries()] == ["give role", "take role"]


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"person": "nobody", "role": "moderator"}, "Nobody has this handle. Check the spelling."),
        ({"person": "", "role": "moderator"}, "required"),
        ({"person": "alice", "role": "king"}, "king"),
        ({"person": "addy", "role": "moderator"}, "Ask someone else on the staff"),
    ],
)
def test_what_is_refused_is_said_beside_the_field(admins, alice, given, told):
    answer = admins.post(f"{ROLES_PAGE}/give", given)
    assert answer.status_code == 422
    assert told in answer.content.decode()
    assert logged() == []


def test_nobody_gives_or_takes_more_than_they_have(alice, admin, bob, log_in):
    save_role(by=admin, name="chief", title="Chief", permissions=[Permission.ROLES])
    set_role(user_id=alice.user_id, role="chief")
    chiefs = log_in(alice)
    answer = chiefs.post(f"{ROLES_PAGE}/give", {"person": "bob", "role": "moderator"})
    assert answer.status_code == 422
    assert "has permissions you do not have" in answer.content.decode()
    answer = chiefs.post(f"{ROLES_PAGE}/take", {"person": admin.user_id}, follow=True)
    assert "has permissions you do not have" in answer.content.decode()
    assert role_of(admin) == "admin"
    made = chiefs.post(f"{ROLES_PAGE}/add", {"title": "More", "permissions": ["suspend"]})
    assert made.status_code == 422
    assert logged() == []


def test_taking_from_oneself_is_refused(admins, admin):
    answer = admins.post(f"{ROLES_PAGE}/take", {"person": admin.user_id}, follow=True)
    assert "Ask someone else on the staff" in answer.content.decode()
    assert role_of(admin) == "admin"


def test_somebody_who_is_not_there_is_not_found(admins):
    assert admins.post(f"{ROLES_PAGE}/take", {"person": "of nobody"}).status_code == 404
    assert admins.post(f"{ROLES_PAGE}/take").status_code == 404


def test_a_role_is_made_changed_and_removed(admins, alice):
    assert admins.post(f"{ROLES_PAGE}/add", GREETER).status_code == 302
    assert own_roles() == {"greeter": {"sign-ups", "overview"}}
    changed = {"title": "Door", "permissions": ["sign-ups"]}
    assert admins.post(f"{ROLES_PAGE}/of/greeter", changed).status_code == 302
    assert own_roles() == {"greeter": {"sign-ups"}}
    admins.post(f"{ROLES_PAGE}/give", {"person": "alice", "role": "greeter"})
    assert role_of(alice) == "greeter"
    in_use = admins.post(f"{ROLES_PAGE}/of/greeter/remove", follow=True)
    assert "Someone still has this role" in in_use.content.decode()
    admins.post(f"{ROLES_PAGE}/take", {"person": alice.user_id})
    for _ in range(2):
        assert admins.post(f"{ROLES_PAGE}/of/greeter/remove").status_code == 302
    assert own_roles() == {}
    names = [name for name, _ in entries()]
    assert names == ["save role", "save role", "give role", "take role", "remove role"]
    assert entries()[0][1]["permissions"] == ["overview", "sign-ups"]


@pytest.mark.parametrize("typed", [{}, {"title": "Greeter"}, {"permissions": ["log"]}])
def test_a_role_needs_a_name_and_a_permission(admins, typed):
    answer = admins.post(f"{ROLES_PAGE}/add", typed)
    assert answer.status_code == 422
    assert Html(answer).all(class_="field-error")
    assert own_roles() == {}


@pytest.mark.parametrize("title", ["Greeter", "greeter", "Moderator"])
def test_a_name_that_a_role_has_is_refused(admins, title):
    admins.post(f"{ROLES_PAGE}/add", GREETER)
    answer = admins.post(f"{ROLES_PAGE}/add", GREETER | {"title": title})
    assert answer.status_code == 422
    assert "There is already a role with this name. Choose another." in answer.content.decode()


def test_a_name_in_any_script_makes_a_role(admin):
    for title in ("客服", "Admin!", "a", "Moderator 2"):
        name = make_role(by=admin, title=title, permissions=[Permission.LOG])
        assert permissions_of_role(name) == {Permission.LOG}
        assert name not in BUILT_IN


def test_there_are_so_many_roles_and_no_more(admins, admin):
    for number in range(MOST_ROLES - len(BUILT_IN)):
        save_role(by=admin, name=f"r{number}x", title=f"{number}", permissions=[Permission.LOG])
    answer = admins.post(f"{ROLES_PAGE}/add", GREETER)
    assert answer.status_code == 422
    assert "You can have up to" in answer.content.decode()


def test_a_built_in_role_has_no_page(admins):
    assert admins.get(f"{ROLES_PAGE}/of/admin").status_code == 404
    assert admins.get(f"{ROLES_PAGE}/of/nothing").status_code == 404


def test_the_form_of_a_role_shows_what_it_may_do(admins):
    admins.post(f"{ROLES_PAGE}/add", GREETER)
    page = Html(admins.get(f"{ROLES_PAGE}/of/greeter"))
    boxes = [box for box in page.all("input") if "checked" in box.attributes]
    assert {box["value"] for box in boxes} == {"sign-ups", "overview"}


@pytest.mark.engines("embedded", reason="the others report other capacity")
def test_what_giving_a_role_costs_with_its_entry(admin, measure):
    alice = person("alice")
    give_role(by=admin, user_id=person("bob").user_id, role="moderator")
    with measure() as meter:
        give_role(by=admin, user_id=alice.user_id, role="moderator")
    assert (meter.read_units, meter.write_units) == (3, 8)


@pytest.mark.parametrize("name", BUILT_IN)
def test_a_role_that_is_built_in_is_neither_changed_nor_removed(admins, mod, name):
    for address in (f"{ROLES_PAGE}/of/{name}", f"{ROLES_PAGE}/of/{name}/remove"):
        assert admins.post(address, GREETER).status_code == 404
    assert permissions_of_role(name) == BUILT_IN[name]
    assert not logged()
