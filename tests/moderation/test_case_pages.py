"""The queue, a case, and deciding it, page by page."""

import pytest
from django.test import Client

from accounts.people.restrictions import Restriction
from accounts.permissions import Permission, grant_role, save_role
from feed.posts.models import Withheld
from feed.publishing.writes import delete_post
from moderation.cases.writes import assign_case, claim_case
from moderation.models import ActionKind
from tests.accounts.scenes import rename
from tests.conftest import HTMX, person
from tests.moderation.cases import (
    EACH,
    QUEUE,
    about,
    about_post,
    actions_of,
    asks_to_join,
    decide,
    held_post,
    info,
    logged,
    page_of,
    part,
    report_by_each,
    reported_people,
    reporters,
    restrict,
    rows,
    scene_of,
    steps,
    strikes,
    version_of,
    waiting_sign_up,
    withheld,
)
from tests.web.html import Html


def row_text(response, handle: str) -> str:
    cards = Html(response).all("article", class_="case-row")
    return next(card.text for card in cards if f"@{handle}" in card.text)


@pytest.mark.parametrize("path", ["/moderation", QUEUE])
def test_to_who_is_no_moderator_it_is_not_there(alice, log_in, path):
    assert Client().get(path).status_code == 404
    assert log_in(alice).get(path).status_code == 404


def test_moderation_leads_to_the_queue(moderator):
    assert moderator.get("/moderation")["Location"] == QUEUE


def test_the_menu_leads_moderators_there_and_nobody_else(alice, moderator, log_in):
    assert '"/moderation"' in moderator.get("/").content.decode()
    assert '"/moderation"' not in log_in(alice).get("/").content.decode()


def test_the_most_urgent_stands_first_and_then_the_oldest(moderator, alice, bob, carol, mod):
    old, new = person("old"), person("new")
    for reported, severity in ((old, 3), (alice, 2), (new, 3), (bob, 1)):
        report_by_each(reported, by=[carol], severity=severity)
    assert rows(moderator.get(QUEUE)) == ["bob", "alice", "old", "new"]


def test_a_row_says_who_how_grave_how_many_and_which_rules(moderator, alice):
    report_by_each(alice, by=reporters(2), rule="harassment", severity=2)
    report_by_each(alice, by=[person("zoe")], rule="spam", severity=3)
    text = row_text(moderator.get(QUEUE), "alice")
    for said in ("Alice Archer", "Serious", "3 reports", "Spam", "Harassment or hate"):
        assert said in text


def test_a_severity_shows_its_cases_alone(moderator, alice, bob, carol):
    report_by_each(alice, by=[carol], severity=1)
    report_by_each(bob, by=[carol], severity=3)
    assert rows(moderator.get(f"{QUEUE}?severity=1")) == ["alice"]
    assert rows(moderator.get(f"{QUEUE}?severity=3")) == ["bob"]


@pytest.mark.parametrize(
    "query", ["queue=nowhere", "severity=4", "severity=x", "queue=closed&month=2026-13"]
)
def test_what_is_no_tab_is_a_bad_request(moderator, query):
    assert moderator.get(f"{QUEUE}?{query}").status_code == 400


def test_a_row_says_who_looks_at_it(moderator, alice, bob, mod, admin):
    report_by_each(alice, by=[bob])
    claim_case(by=admin, case_id=about(alice))
    assert "Addy Admin is reviewing this" in row_text(moderator.get(QUEUE), "alice")
    assert rows(moderator.get(QUEUE)) == ["alice"]


def test_what_lies_on_a_desk_is_under_mine_alone(moderator, alice, bob, mod):
    report_by_each(alice, by=[bob])
    assign_case(by=mod, case_id=about(alice), moderator_id=mod.user_id)
    assert rows(moderator.get(QUEUE)) == []
    assert rows(moderator.get(f"{QUEUE}?queue=mine")) == ["alice"]
    assert "Assigned to you" in row_text(moderator.get(f"{QUEUE}?queue=mine"), "alice")


def test_held_posts_and_sign_ups_have_their_tabs(moderator, alice, bob):
    held_post(alice)
    waiting_sign_up(bob)
    assert rows(moderator.get(f"{QUEUE}?queue=held")) == ["alice"]
    assert rows(moderator.get(f"{QUEUE}?queue=sign-ups")) == ["bob"]


def test_closed_cases_say_how_and_by_whom(moderator, alice, bob, mod):
    report_by_each(alice, by=[bob])
    decide(mod, about(alice), ActionKind.WARN, text="Careful")
    assert rows(moderator.get(QUEUE)) == []
    assert "Warned · closed by Mod Miller" in row_text(
        moderator.get(f"{QUEUE}?queue=closed"), "alice"
    )


def test_another_month_has_other_closed_cases(moderator, alice, bob, mod):
    report_by_each(alice, by=[bob])
    decide(mod, about(alice), ActionKind.DISMISS)
    page = moderator.get(f"{QUEUE}?queue=closed&month=2025-12")
    assert rows(page) == []
    assert "December 2025" in Html(page).one("p", class_="months").text
    assert Html(page).link("next") == "?queue=closed&month=2026-01"


def test_nobody_finds_a_case_about_themselves(moderator, mod, bob):
    report_by_each(mod, by=[bob])
    assert rows(moderator.get(QUEUE)) == []


@pytest.mark.parametrize(
    "tab", ["reports", "mine", "desks", "appeals", "held", "sign-ups", "closed"]
)
def test_an_empty_tab_says_so(moderator, tab):
    page = moderator.get(f"{QUEUE}?queue={tab}")
    assert page.status_code == 200
    assert Html(page).one(class_="empty").text


def test_a_long_queue_goes_on_over_pages_and_each_case_stands_once(moderator, alice):
    people = reported_people(45, by=alice)
    seen, address = [], QUEUE
    while address:
        page = moderator.get(address)
        seen += rows(page)
        address = Html(page).link("next")
    assert seen == [one.handle for one in people]


def test_htmx_gets_the_next_rows_alone(moderator, alice):
    reported_people(21, by=alice)
    address = Html(moderator.get(QUEUE)).link("next")
    part = moderator.get(address, headers=HTMX)
    assert rows(part) == ["person20"]
    assert "<html" not in part.content.decode()


def test_who_may_only_approve_sign_ups_finds_those_alone(admin, bob, log_in):
    save_role(by=admin, name="doorkeeper", title="Door", permissions={Permission.SIGN_UPS})
    keeper = log_in(person("keeper", role="doorkeeper"))
    waiting_sign_up(bob)
    assert rows(keeper.get(QUEUE)) == rows(keeper.get(f"{QUEUE}?queue=sign-ups")) == ["bob"]
    assert keeper.get(f"{QUEUE}?queue=reports").status_code == 404
    assert keeper.get("/moderation")["Location"] == QUEUE
    tabs = [
        link["href"]
        for link in Html(keeper.get(f"{QUEUE}?queue=sign-ups")).all("a")
        if "queue?" in link["href"]
    ]
    assert not [href for href in tabs if "reports" in href or "held" in href]


@pytest.mark.engines("embedded", reason="the others report other capacity")
def test_a_page_of_twenty_is_four_calls_and_one_for_hints(moderator, alice, requests_of):
    reported_people(25, by=alice)
    moderator.get(f"{QUEUE}?queue=held")  # the numbers on the tabs are kept
    with requests_of() as requests:
        moderator.get(QUEUE)
    # the viewer, the cases, their people, hints, notes of the staff
    assert requests.operations == ["BatchGetItem", "Query", "BatchGetItem", "Query", "Query"]
    assert requests.units[1:] == [1.0, 10.0, 0.5, 0.5]


# A case on one page: the person, the reasons by rule, the posts as they were, what may be done.

PATHS = ["", "/note", "/reveal", "/undo", "/claim", "/assign", "/decide", "/appeal"]


@pytest.mark.parametrize("path", PATHS)
def test_to_who_is_no_moderator_a_case_is_not_there(path, alice, bob, carol, log_in):
    report_by_each(bob, by=[carol])
    for browser in (Client(), log_in(alice)):
        address = f"{about(bob).url}{path}"
        ask = browser.get if path in ("", "/decide", "/assign") else browser.post
        assert ask(address).status_code == 404


def test_a_case_that_was_never_there_is_not_found(moderator, bob):
    assert moderator.get(about(bob).url).status_code == 404
    assert moderator.get("/moderation/cases/person/x").status_code == 404
    assert moderator.get(f"/moderation/cases/animal/{bob.user_id}").status_code == 404


def test_nobody_opens_a_case_about_themselves(moderator, mod, bob):
    report_by_each(mod, by=[bob], comment="Who am I?")
    held_id = held_post(mod)
    for path in ("", "/decide?action=warn", "/assign"):
        answer = moderator.get(f"{about(mod).url}{path}")
        assert answer.status_code == 403
        assert "Bob" not in answer.content.decode()
    assert moderator.get(about_post(held_id).url).status_code == 403
    for path, form in (
        ("note", {"text": "Mine"}),
        ("claim", {"on": "1"}),
        ("reveal", {}),
        ("photo", {}),
    ):
        assert moderator.post(f"{about(mod).url}/{path}", form, headers=HTMX).status_code == 403


def test_the_person_comes_first_with_what_is_held_against_them(moderator, mod, bob, carol):
    report_by_each(bob, by=[carol])
    decide(mod, about(bob), ActionKind.WARN, text="Careful")
    restrict(bob, Restriction.LIMITED)
    report_by_each(bob, by=[person("zoe")])
    rename(bob, "bobby")
    said = part(page_of(moderator, bob), "case-person")
    for words in (
        "@bobby",
        "was @bob until",
        "Bob Brandt",
        "Joined today",
        "0 posts",
        "1 strike",
        "Limited until",
    ):
        assert words in said


def test_reports_are_grouped_by_rule_the_gravest_first(moderator, bob):
    for rule, severity, handle, comment in (
        ("spam", 3, "anna", "Again!"),
        ("violence", 1, "berta", "He means it"),
        ("harassment", 2, "cleo", ""),
        ("spam", 3, "dina", ""),
    ):
        report_by_each(bob, by=[person(handle)], rule=rule, severity=severity, comment=comment)
    said = part(page_of(moderator, bob), "case-reasons")
    assert "4 people reported this" in said
    order = ["Violence", "He means it", "Harassment", "Cleo", "Spam", "Again!", "Dina"]
    assert sorted(order, key=said.index) == order


def test_more_reports_than_fit_are_counted(moderator, bob):
    report_by_each(bob, by=reporters(53))
    assert "And 3 more." in part(page_of(moderator, bob), "case-reasons")


def test_reports_of_an_earlier_round_stand_apart(moderator, mod, bob, carol):
    report_by_each(bob, by=[carol], comment="Old words")
    decide(mod, about(bob), ActionKind.DISMISS)
    report_by_each(bob, by=[person("zoe")], comment="New words")
    html = page_of(moderator, bob)
    assert "New words" in part(html, "case-reasons")
    assert "Old words" not in part(html, "case-reasons")
    assert "Old words" in part(html, "case-history")


def test_a_post_stays_as_it_was_though_its_author_deletes_it(moderator, bob, carol):
    post_id = report_by_each(bob, by=[carol], text="Words to keep")
    delete_post(by=bob, post_id=post_id)
    html = page_of(moderator, bob)
    assert "Words to keep" in part(html, "case-evidence")
    assert "Since deleted" in part(html, "case-evidence")
    assert not html.all("input", name="posts")


def test_posts_are_chosen_unless_nothing_can_be_done_about_them(moderator, mod, bob, carol):
    hidden = report_by_each(bob, by=[carol], text="One")
    shown = report_by_each(bob, by=[person("zoe")], text="Two")
    decide(mod, about(bob), ActionKind.HIDE, hidden, keep_open=True)
    html = page_of(moderator, bob)
    assert [box["value"] for box in html.all("input", name="posts")] == [shown]
    assert "Hidden" in part(html, "case-evidence")


def test_a_sensitive_post_is_covered(moderator, mod, bob, carol):
    post_id = report_by_each(bob, by=[carol], text="Blood")
    decide(mod, about(bob), ActionKind.SENSITIVE, post_id, keep_open=True)
    html = page_of(moderator, bob)
    assert "Blood" in html.one("details", class_="covered").text


def test_the_ladder_has_what_belongs_to_the_kind_of_case(moderator, bob, carol):
    report_by_each(bob, by=[carol])
    held_id, joins = held_post(bob), asks_to_join(person("zoe"), "I bake")
    assert steps(page_of(moderator, bob)) == [
        "dismiss", "warn", "sensitive", "hide", "reset", "no-messages", "limit", "freeze", "suspend",
    ]  # fmt: skip
    assert steps(Html(moderator.get(about_post(held_id).url))) == ["release", "refuse"]
    page = moderator.get(joins.url)
    assert steps(Html(page)) == ["approve", "decline"]
    assert "I bake" in page.content.decode()


def test_every_step_says_in_one_line_what_it_does(moderator, bob, carol):
    report_by_each(bob, by=[carol])
    lines = page_of(moderator, bob).all("span", class_="step-line")
    assert len(lines) == 9
    assert all(0 < len(line.text) <= 60 for line in lines)


def test_a_held_post_is_its_own_evidence(moderator, bob):
    case = about_post(held_post(bob, "Hold this"))
    said = part(Html(moderator.get(case.url)), "case-evidence")
    assert "Hold this" in said
    assert "Waiting for review" in said


def test_the_case_stands_beside_its_queue(moderator, mod, bob, carol, alice):
    report_by_each(bob, by=[carol])
    report_by_each(alice, by=[carol])
    assign_case(by=mod, case_id=about(alice), moderator_id=mod.user_id)
    page = moderator.get(f"{about(bob).url}?queue=reports")
    assert rows(page) == ["bob"]
    assert Html(page).one("article", class_="is-open")["aria-current"] == "true"
    assert rows(moderator.get(f"{about(bob).url}?queue=mine")) == ["alice"]


@pytest.mark.engines("embedded", reason="the others report other capacity")
def test_a_case_with_twenty_reports_and_its_queue_are_eight_calls(
    moderator, alice, bob, requests_of
):
    report_by_each(bob, by=reporters(20), text="Buy this")
    with requests_of() as requests:
        moderator.get(about(bob).url)
    assert requests.operations == [
        "BatchGetItem", "GetItem", "Query", "Query", "Query", "BatchGetItem", "Query", "BatchGetItem",
    ]  # fmt: skip
    assert sum(requests.units[1:]) <= 28


# Deciding: asked first, with posts, an end and words; then done, and the next case opens with a way back.


def send(browser: Client, case_id, action: str, *, headers=None, tab: str = "reports", **form):
    version = form.pop("version", None) or version_of(case_id)
    fields = {"action": action, "version": version, "rule": "spam", "preset": "default", "end": "7"}
    fields |= form
    return browser.post(f"{case_id.url}/decide?queue={tab}", fields, headers=headers or {})


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_one_is_asked_first_and_nothing_happens(moderator, bob, carol, headers):
    post_id = report_by_each(bob, by=[carol], text="Buy this")
    answer = moderator.get(
        f"{about(bob).url}/decide?action=hide&posts={post_id}&queue=reports", headers=headers
    )
    html = Html(answer)
    assert answer.status_code == 200
    assert bool(html.all("html")) == (headers == {})
    assert "Buy this" in html.one("label", class_="chosen-post").text
    assert "checked" in html.one("input", name="posts").attributes
    assert "Only the author can see the posts." in html.one("p", class_="decide-line").text
    assert not actions_of(about(bob))


def test_only_the_posts_that_were_chosen_are_checked(moderator, bob, carol):
    first = report_by_each(bob, by=[carol], text="One")
    report_by_each(bob, by=[person("zoe")], text="Two")
    html = Html(moderator.get(f"{about(bob).url}/decide?action=hide&posts={first}"))
    checked = [
        box["value"] for box in html.all("input", name="posts") if "checked" in box.attributes
    ]
    assert checked == [first]


@pytest.mark.parametrize(
    ("action", "asks"),
    [
        ("dismiss", set()),
        ("warn", {"rule", "posts", "preset", "words", "keep_open"}),
        ("hide", {"rule", "posts", "preset", "words", "keep_open"}),
        ("reset", {"rule", "parts", "preset", "words", "keep_open"}),
        ("limit", {"rule", "posts", "end", "preset", "words", "keep_open"}),
        ("suspend", {"rule", "posts", "end", "preset", "words", "keep_open"}),
    ],
)
def test_each_action_asks_for_what_it_needs(moderator, bob, carol, action, asks):
    report_by_each(bob, by=[carol], text="Buy this")
    html = Html(moderator.get(f"{about(bob).url}/decide?action={action}"))
    names = {element.attributes.get("name") for element in html.elements if element.tag != "meta"}
    assert names & {"rule", "posts", "parts", "end", "preset", "words", "keep_open"} == asks


def test_held_posts_and_sign_ups_are_answered_without_more(moderator, bob, carol):
    case = about_post(held_post(bob))
    assert send(moderator, case, "release", tab="held").status_code == 302
    assert withheld(bob, case.subject_id) is None
    joins = waiting_sign_up(carol)
    assert send(moderator, joins, "approve", tab="sign-ups").status_code == 302
    assert info(carol).waiting is None


def test_confirmed_it_is_done_and_the_next_case_of_the_tab_opens(moderator, alice, bob, carol):
    report_by_each(bob, by=[carol], text="Buy this")
    report_by_each(alice, by=[carol])
    answer = send(moderator, about(bob), "warn", words="Please stop.")
    assert answer["Location"].startswith(f"{about(alice).url}?queue=reports&done=")
    strip = Html(moderator.get(answer["Location"])).one("form", class_="done-strip")
    assert strip.text.startswith("Warned: @bob")
    [strike] = strikes(bob)
    assert strike.text.endswith("restrict your account.\n\nPlease stop.")


def test_htmx_is_led_to_the_next_case(moderator, alice, bob, carol):
    report_by_each(bob, by=[carol])
    report_by_each(alice, by=[carol])
    answer = send(moderator, about(bob), "dismiss", headers=HTMX)
    assert answer["HX-Redirect"].startswith(f"{about(alice).url}?queue=reports")


def test_the_last_one_leads_to_the_queue_which_says_all_done(moderator, bob, carol):
    report_by_each(bob, by=[carol])
    answer = send(moderator, about(bob), "dismiss")
    assert answer["Location"].startswith(f"{QUEUE}?queue=reports&done=")
    page = moderator.get(answer["Location"])
    assert "All done" in Html(page).one(class_="empty").text


def test_the_strip_undoes_what_was_done(moderator, bob, carol):
    report_by_each(bob, by=[carol])
    page = Html(moderator.get(send(moderator, about(bob), "freeze")["Location"]))
    strip, button = page.one("form", class_="done-strip"), page.one("button", name="action_id")
    assert info(bob).frozen_until
    moderator.post(strip["action"], {"action_id": button["value"]})
    assert info(bob).frozen_until is None
    assert rows(moderator.get(QUEUE)) == ["bob"]


def test_a_strip_that_somebody_made_up_is_not_shown(moderator, bob):
    page = Html(moderator.get(f"{QUEUE}?done=WyJwZXJzb24iXQ:made:up"))
    assert not page.all("form", class_="done-strip")


def test_the_next_case_is_of_the_same_severity_and_not_looked_at(moderator, admin, bob, carol):
    people = [person(name) for name in ("serious", "minor1", "minor2")]
    for reported, severity in zip([bob, *people], (3, 2, 3, 3), strict=True):
        report_by_each(reported, by=[carol], severity=severity)
    claim_case(by=admin, case_id=about(people[1]))
    address = f"{about(bob).url}/decide?queue=reports&severity=3"
    answer = moderator.post(address, {"action": "dismiss", "version": version_of(about(bob))})
    assert answer["Location"].startswith(f"{about(people[2]).url}?queue=reports&severity=3")


def test_kept_open_it_comes_back_for_more(moderator, bob, carol):
    report_by_each(bob, by=[carol], text="Buy this")
    answer = send(moderator, about(bob), "warn", keep_open="on")
    assert answer["Location"].startswith(about(bob).url)
    send(moderator, about(bob), "limit")
    assert [action.kind for action in actions_of(about(bob))] == ["warn", "limit"]


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_sent_twice_it_is_done_once(moderator, alice, bob, carol, headers):
    report_by_each(bob, by=[carol])
    report_by_each(alice, by=[carol])
    version = version_of(about(bob))
    for _ in range(2):
        answer = send(moderator, about(bob), "warn", version=version, headers=headers)
        address = answer.headers.get("HX-Redirect") or answer["Location"]
        assert address.startswith(about(alice).url)
    assert len(actions_of(about(bob))) == 1


def test_posts_are_needed_where_it_is_about_posts(moderator, bob, carol):
    post_id = report_by_each(bob, by=[carol], text="Buy this")
    refused = send(moderator, about(bob), "hide")
    assert refused.status_code == 422
    assert Html(refused).one(id="id_posts_error").text == "Choose at least one post."
    assert Html(refused).one("div", class_="form-errors").text == "Please check this: Posts"
    assert send(moderator, about(bob), "hide", posts=carol.user_id).status_code == 422
    assert send(moderator, about(bob), "hide", posts=[post_id]).status_code == 302
    assert withheld(bob, post_id) == Withheld.HIDDEN


def test_posts_deleted_meanwhile_are_said_so(moderator, bob, carol):
    post_id = report_by_each(bob, by=[carol], text="Buy this")
    delete_post(by=bob, post_id=post_id)
    assert send(moderator, about(bob), "hide", posts=[post_id]).status_code == 422
    assert not actions_of(about(bob))


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_what_was_typed_stays_when_it_is_refused(moderator, bob, carol, headers):
    report_by_each(bob, by=[carol])
    answer = send(moderator, about(bob), "limit", words="y" * 501, end="30", headers=headers)
    html = Html(answer)
    assert answer.status_code == 422
    assert html.value("words") == "y" * 501
    radios = [one["value"] for one in html.all("input", name="end") if "checked" in one.attributes]
    assert radios == ["30"]


@pytest.mark.parametrize("form", [{"end": "8"}, {"preset": "unknown"}, {"preset": "none"}])
def test_what_is_no_choice_is_refused(moderator, bob, carol, form):
    report_by_each(bob, by=[carol])
    assert send(moderator, about(bob), "limit", **form).status_code == 422
    assert not actions_of(about(bob))


def test_what_belongs_to_no_such_case_makes_no_sense(moderator, bob, carol):
    report_by_each(bob, by=[carol])
    for action in ("approve", "release", "sing", ""):
        assert moderator.get(f"{about(bob).url}/decide?action={action}").status_code == 400
        assert send(moderator, about(bob), action).status_code == 400


def test_who_got_a_role_meanwhile_is_not_restricted(moderator, bob, admin, carol):
    save_role(by=admin, name="helper", title="Helper", permissions={Permission.CASES})
    report_by_each(bob, by=[carol])
    assert "freeze" in moderator.get(about(bob).url).content.decode()
    grant_role(by=admin, user_id=bob.user_id, role="helper")
    assert "freeze" not in moderator.get(about(bob).url).content.decode()
    answer = send(moderator, about(bob), "freeze", words="Enough of this")
    assert answer.status_code == 409
    assert "Remove their role first" in answer.content.decode()
    assert Html(answer).value("words") == "Enough of this"
    assert not actions_of(about(bob))


def test_suspending_and_undoing_it_takes_its_permission(mod, admin, bob, carol, log_in):
    save_role(by=admin, name="helper", title="Helper", permissions={Permission.CASES})
    helper = log_in(person("helper", role="helper"))
    report_by_each(bob, by=[carol])
    assert "suspend" not in helper.get(about(bob).url).content.decode()
    assert helper.get(f"{about(bob).url}/decide?action=suspend").status_code == 404
    assert send(helper, about(bob), "suspend").status_code == 404
    action_id = decide(mod, about(bob), ActionKind.SUSPEND, text="Out")
    assert helper.post(f"{about(bob).url}/undo", {"action_id": action_id}).status_code == 404
    assert info(bob).suspended_until
    assert [entry.action for entry in logged()].count("suspend") == 1


@pytest.mark.parametrize("headers", [{}, HTMX])
@pytest.mark.parametrize(("kind", "action"), EACH)
def test_the_focus_never_begins_on_a_red_button(moderator, alice, bob, kind, action, headers):
    case_id = scene_of(kind, alice, bob).case_id
    html = Html(moderator.get(f"{case_id.url}/decide?action={action}", headers=headers))
    focused = [element for element in html.elements if "autofocus" in element.attributes]
    assert len(focused) == 1
    assert "button-danger" not in focused[0].attributes.get("class", "")
