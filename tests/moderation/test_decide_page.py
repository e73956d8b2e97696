"""Deciding: asked first, with posts, an end and words; then done, and the next case opens with a way back."""

import pytest
from django.test import Client

from accounts.permissions import Permission, grant_role, save_role
from feed.posts.models import Withheld
from feed.publishing.writes import delete_post
from moderation.cases.writes import claim_case
from moderation.models import ActionKind
from tests.conftest import HTMX, person
from tests.moderation.cases import (
    about,
    about_post,
    actions,
    decide,
    held_post,
    info,
    logged,
    strikes,
    waiting_sign_up,
    withheld,
)
from tests.moderation.queues import QUEUE, report, rows, version_of
from tests.moderation.scenes import EACH, scene_of
from tests.web.html import Html


@pytest.fixture
def moderator(mod, log_in) -> Client:
    return log_in(mod)


def send(browser: Client, case_id, action: str, *, headers=None, tab: str = "reports", **form):
    version = form.pop("version", None) or version_of(case_id)
    fields = {"action": action, "version": version, "rule": "spam", "preset": "default", "end": "7"}
    fields |= form
    return browser.post(f"{case_id.url}/decide?queue={tab}", fields, headers=headers or {})


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_one_is_asked_first_and_nothing_happens(moderator, bob, carol, headers):
    post_id = report(bob, by=[carol], text="Buy this")
    answer = moderator.get(
        f"{about(bob).url}/decide?action=hide&posts={post_id}&queue=reports", headers=headers
    )
    html = Html(answer)
    assert answer.status_code == 200
    assert bool(html.all("html")) == (headers == {})
    assert "Buy this" in html.one("label", class_="chosen-post").text
    assert "checked" in html.one("input", name="posts").attributes
    assert "Only the author can see the posts." in html.one("p", class_="decide-line").text
    assert not actions(about(bob))


def test_only_the_posts_that_were_chosen_are_checked(moderator, bob, carol):
    first = report(bob, by=[carol], text="One")
    report(bob, by=[person("zoe")], text="Two")
    html = Html(moderator.get(f"{about(bob).url}/decide?action=hide&posts={first}"))
    checked = [
        box["value"] for box in html.all("input", name="posts") if "checked" in box.attributes
    ]
    assert checked == [first]


@pytest.mark.parametrize(
    ("action", "asks"),
    [
        ("dismiss", set()),
        ("warn", {"rule", "preset", "words", "keep_open"}),
        ("hide", {"rule", "posts", "preset", "words", "keep_open"}),
        ("reset", {"rule", "parts", "preset", "words", "keep_open"}),
        ("limit", {"rule", "end", "preset", "words", "keep_open"}),
        ("suspend", {"rule", "end", "preset", "words", "keep_open"}),
    ],
)
def test_each_action_asks_for_what_it_needs(moderator, bob, carol, action, asks):
    report(bob, by=[carol], text="Buy this")
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
    report(bob, by=[carol], text="Buy this")
    report(alice, by=[carol])
    answer = send(moderator, about(bob), "warn", words="Please stop.")
    assert answer["Location"].startswith(f"{about(alice).url}?queue=reports&done=")
    strip = Html(moderator.get(answer["Location"])).one("form", class_="done-strip")
    assert strip.text.startswith("Warned: @bob")
    [strike] = strikes(bob)
    assert strike.text.endswith("restrict your account.\n\nPlease stop.")


def test_htmx_is_led_to_the_next_case(moderator, alice, bob, carol):
    report(bob, by=[carol])
    report(alice, by=[carol])
    answer = send(moderator, about(bob), "dismiss", headers=HTMX)
    assert answer["HX-Redirect"].startswith(f"{about(alice).url}?queue=reports")


def test_the_last_one_leads_to_the_queue_which_says_all_done(moderator, bob, carol):
    report(bob, by=[carol])
    answer = send(moderator, about(bob), "dismiss")
    assert answer["Location"].startswith(f"{QUEUE}?queue=reports&done=")
    page = moderator.get(answer["Location"])
    assert "All done" in Html(page).one(class_="empty").text


def test_the_strip_undoes_what_was_done(moderator, bob, carol):
    report(bob, by=[carol])
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
        report(reported, by=[carol], severity=severity)
    claim_case(by=admin, case_id=about(people[1]))
    address = f"{about(bob).url}/decide?queue=reports&severity=3"
    answer = moderator.post(address, {"action": "dismiss", "version": version_of(about(bob))})
    assert answer["Location"].startswith(f"{about(people[2]).url}?queue=reports&severity=3")


def test_kept_open_it_comes_back_for_more(moderator, bob, carol):
    report(bob, by=[carol], text="Buy this")
    answer = send(moderator, about(bob), "warn", keep_open="on")
    assert answer["Location"].startswith(about(bob).url)
    send(moderator, about(bob), "limit")
    assert [action.kind for action in actions(about(bob))] == ["warn", "limit"]


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_sent_twice_it_is_done_once(moderator, alice, bob, carol, headers):
    report(bob, by=[carol])
    report(alice, by=[carol])
    version = version_of(about(bob))
    for _ in range(2):
        answer = send(moderator, about(bob), "warn", version=version, headers=headers)
        address = answer.headers.get("HX-Redirect") or answer["Location"]
        assert address.startswith(about(alice).url)
    assert len(actions(about(bob))) == 1


def test_posts_are_needed_where_it_is_about_posts(moderator, bob, carol):
    post_id = report(bob, by=[carol], text="Buy this")
    refused = send(moderator, about(bob), "hide")
    assert refused.status_code == 422
    assert Html(refused).one(id="id_posts_error").text == "Choose at least one post."
    assert Html(refused).one("div", class_="form-errors").text == "Please check this: Posts"
    assert send(moderator, about(bob), "hide", posts=carol.user_id).status_code == 422
    assert send(moderator, about(bob), "hide", posts=[post_id]).status_code == 302
    assert withheld(bob, post_id) == Withheld.HIDDEN


def test_posts_deleted_meanwhile_are_said_so(moderator, bob, carol):
    post_id = report(bob, by=[carol], text="Buy this")
    delete_post(by=bob, post_id=post_id)
    assert send(moderator, about(bob), "hide", posts=[post_id]).status_code == 422
    assert not actions(about(bob))


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_what_was_typed_stays_when_it_is_refused(moderator, bob, carol, headers):
    report(bob, by=[carol])
    answer = send(moderator, about(bob), "limit", words="y" * 501, end="30", headers=headers)
    html = Html(answer)
    assert answer.status_code == 422
    assert html.value("words") == "y" * 501
    radios = [one["value"] for one in html.all("input", name="end") if "checked" in one.attributes]
    assert radios == ["30"]


@pytest.mark.parametrize("form", [{"end": "8"}, {"preset": "unknown"}, {"preset": "none"}])
def test_what_is_no_choice_is_refused(moderator, bob, carol, form):
    report(bob, by=[carol])
    assert send(moderator, about(bob), "limit", **form).status_code == 422
    assert not actions(about(bob))


def test_what_belongs_to_no_such_case_makes_no_sense(moderator, bob, carol):
    report(bob, by=[carol])
    for action in ("approve", "release", "sing", ""):
        assert moderator.get(f"{about(bob).url}/decide?action={action}").status_code == 400
        assert send(moderator, about(bob), action).status_code == 400


def test_who_got_a_role_meanwhile_is_not_restricted(moderator, bob, admin, carol):
    save_role(by=admin, name="helper", title="Helper", permissions={Permission.CASES})
    report(bob, by=[carol])
    assert "freeze" in moderator.get(about(bob).url).content.decode()
    grant_role(by=admin, user_id=bob.user_id, role="helper")
    assert "freeze" not in moderator.get(about(bob).url).content.decode()
    answer = send(moderator, about(bob), "freeze", words="Enough of this")
    assert answer.status_code == 409
    assert "Remove their role first" in answer.content.decode()
    assert Html(answer).value("words") == "Enough of this"
    assert not actions(about(bob))


def test_suspending_and_undoing_it_takes_its_permission(mod, admin, bob, carol, log_in):
    save_role(by=admin, name="helper", title="Helper", permissions={Permission.CASES})
    helper = log_in(person("helper", role="helper"))
    report(bob, by=[carol])
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
