"""Reporting on pages: a person or a post, on a page of its own or in a dialog, and what may be done along with it."""

import pytest

from accounts.people.restrictions import Restriction
from feed.posts.models import Audience
from feed.publishing.writes import publish_post
from moderation.cases.lists import get_case
from moderation.cases.reads import read_case
from relations.blocks.writes import block, mute
from socialsite.site_settings.site_setup import MINOR, SERIOUS, URGENT, Rule, SiteRules
from socialsite.table import ids
from tests.conftest import HTMX, post
from tests.kept import keep_site_rules
from tests.moderation.cases import about, is_there
from tests.moderation.reports import report_by
from tests.moderation.restricting import restrict, withhold
from tests.relations.relations import relationship
from tests.web.html import Html

PAGE = "/@bob/report"
SPAM = {"reason": "spam"}
ways = pytest.mark.parametrize("extra", [{}, {"headers": HTMX}], ids=["page", "htmx"])


def address(post_id: str, handle: str = "bob") -> str:
    return f"/@{handle}/posts/{post_id}/report"


def toasts(browser, path: str) -> list[str]:
    return [box.text for box in Html(browser.get(path)).all(class_="toast-success")]


def test_the_page_and_the_dialog_offer_the_rules_and_something_else(alice, bob, log_in):
    browser = log_in(alice)
    for path in (PAGE, address(post(bob))):
        for extra in ({}, {"headers": HTMX}):
            html = Html(browser.get(path, **extra))
            reasons = [radio["value"] for radio in html.all("input", type="radio")]
            assert reasons == [*(rule.rule_id for rule in SiteRules().rules), "other"]
            assert html.one("form", class_="report")["action"] == path
            assert "We won’t tell @bob that you reported" in html.one("form", class_="report").text
            assert bool(html.all("html")) is not bool(extra)
    assert not is_there(about(bob))


def test_the_page_shows_the_post_which_is_reported(alice, bob, log_in):
    post_id = post(bob, "Buy my tea")
    html = Html(log_in(alice).get(address(post_id)))
    assert html.post_ids() == [post_id]
    assert html.one("h2", id="modal-title").text == "Report this post by Bob Brandt"


def test_a_reason_says_what_was_done_and_not_what_the_rule_asks(alice, bob, log_in):
    choices = Html(log_in(alice).get(PAGE)).one("fieldset", id="id_reason").text
    assert choices == (
        "What is wrong? Violence or threats Something illegal Harassment or hate "
        "Sexual content without a warning Pretending to be someone else Spam Something else"
    )


def test_that_something_else_needs_words_is_said_before_it_is_sent(alice, bob, log_in):
    page = Html(log_in(alice).get(PAGE))
    described = page.one("textarea", name="comment")["aria-describedby"]
    said = " ".join(page.one(id=one).text for one in described.split() if page.all(id=one))
    assert "unless you choose “Something else”" in said


def test_the_sites_own_rules_are_offered_in_its_words(alice, bob, log_in):
    rules = (
        Rule("tea", URGENT, 0, "No tea", "Coffee alone.", "Tea"),
        Rule("ale", MINOR, 1, "No ale"),
    )
    keep_site_rules(SiteRules(rules=rules))
    browser = log_in(alice)
    choices = Html(browser.get(PAGE)).one("fieldset", id="id_reason").text
    assert choices == "What is wrong? Tea Breaks “No ale” Something else"
    assert browser.post(PAGE, SPAM).status_code == 422
    assert browser.post(PAGE, {"reason": "tea"}).status_code == 302
    assert read_case(about(bob)).severity == URGENT


def test_a_post_is_reported_with_its_words_its_rule_and_a_comment(alice, bob, log_in):
    post_id = post(bob, "Buy my tea")
    form = {"reason": "harassment", "comment": " Under each of my posts "}
    response = log_in(alice).post(address(post_id), form)
    assert (response.status_code, response["Location"]) == (302, "/settings/reports")
    case = read_case(about(bob))
    assert (case.reports, case.severity, case.rules) == (1, SERIOUS, {"harassment"})
    report = report_by(alice, bob)
    assert (report.posts, report.comment) == ({post_id}, "Under each of my posts")
    assert [card.html for card in get_case(about(bob)).evidence] == ["Buy my tea"]


def test_the_next_page_says_thank_you(alice, bob, log_in):
    browser = log_in(alice)
    browser.post(PAGE, SPAM)
    assert toasts(browser, "/settings/reports") == ["Thanks. A moderator will look into it. Close"]


def test_over_htmx_a_toast_says_thank_you_and_the_page_stays(alice, bob, log_in):
    response = log_in(alice).post(address(post(bob)), SPAM, headers=HTMX)
    assert (response.status_code, response.content) == (204, b"")
    assert "Thanks." in response["HX-Trigger"]
    assert read_case(about(bob)).reports == 1


def test_something_else_names_no_rule(alice, bob, log_in):
    log_in(alice).post(PAGE, {"reason": "other", "comment": "Odd"})
    case = read_case(about(bob))
    assert (case.severity, case.rules) == (MINOR, None)
    assert report_by(alice, bob).rule_id is None


@ways
def test_the_same_report_again_is_one_report(alice, bob, log_in, extra):
    browser, post_id = log_in(alice), post(bob)
    for _ in range(3):
        assert browser.post(address(post_id), SPAM, **extra).status_code < 400
    assert read_case(about(bob)).reports == 1


@ways
@pytest.mark.parametrize(
    ("form", "field", "says"),
    [
        ({}, "reason", "Choose a reason."),
        ({"reason": "no_such_rule"}, "reason", "Choose a reason."),
        ({"reason": "other"}, "comment", "Tell us in a sentence what’s wrong."),
        ({"reason": "other", "comment": " \u200b "}, "comment", "Tell us in a sentence what’s wrong."),
        (SPAM | {"comment": "x" * 501}, "comment", "Use up to 500 characters (this has 501)."),
    ],
)  # fmt: skip
def test_what_is_missing_is_said_beside_the_field(alice, bob, log_in, extra, form, field, says):
    response = log_in(alice).post(PAGE, form, **extra)
    assert response.status_code == 422
    html = Html(response)
    assert html.error(field) == says
    assert says not in html.one(class_="form-errors").text
    assert not extra or response["HX-Retarget"] == "#modal"
    assert not is_there(about(bob))


@ways
def test_what_was_typed_and_chosen_stays(alice, bob, log_in, extra):
    form = {"comment": "He wrote: <b>tea</b>", "also_mute": "on"}
    html = Html(log_in(alice).post(PAGE, form, **extra))
    assert html.value("comment") == "He wrote: <b>tea</b>"
    assert "checked" in html.one("input", name="also_mute").attributes
    assert "checked" not in html.one("input", name="also_block").attributes
    kept = log_in(alice).post(PAGE, SPAM | {"comment": "x" * 501}, **extra)
    assert "checked" in Html(kept).one("input", value="spam").attributes


def test_muting_along_with_it(alice, bob, log_in):
    browser = log_in(alice)
    assert browser.post(PAGE, SPAM | {"also_mute": "on"}).status_code == 302
    assert relationship(alice, bob).mutes
    assert not relationship(alice, bob).blocks
    response = browser.post(address(post(bob)), SPAM | {"also_mute": "on"}, headers=HTMX)
    assert response.status_code == 204  # muted already: there is nothing new to show


def test_over_htmx_the_page_is_loaded_anew_without_whom_one_mutes(alice, bob, log_in):
    browser = log_in(alice)
    response = browser.post(PAGE, SPAM | {"also_mute": "on"}, headers=HTMX)
    assert response["HX-Refresh"] == "true"
    assert "HX-Trigger" not in response
    assert "Thanks." in toasts(browser, "/")[0]


def test_blocking_along_with_it_leads_to_their_page(alice, bob, log_in):
    browser, post_id = log_in(alice), post(bob)
    response = browser.post(address(post_id), SPAM | {"also_block": "on"}, headers=HTMX)
    assert response["HX-Redirect"] == "/@bob"
    assert relationship(alice, bob).blocks
    assert report_by(alice, bob).posts == {post_id}
    assert "Thanks." in toasts(browser, "/@bob")[0]


def test_both_at_once(alice, bob, log_in):
    response = log_in(alice).post(PAGE, SPAM | {"also_block": "on", "also_mute": "on"})
    assert response.status_code == 302
    assert relationship(alice, bob).blocks
    assert relationship(alice, bob).mutes


def test_what_is_in_force_already_is_not_offered(alice, bob, log_in):
    def offered() -> list[str]:
        return [box["name"] for box in Html(log_in(alice).get(PAGE)).all("input", type="checkbox")]

    assert offered() == ["also_mute", "also_block"]
    mute(by=alice, user_id=bob.user_id)
    assert offered() == ["also_block"]
    block(by=alice, user_id=bob.user_id)
    assert offered() == []


def test_only_what_one_sees_can_be_reported(alice, bob, carol, log_in):
    browser = log_in(alice)
    nonce = ids.new_id()
    private = publish_post(by=bob, content="Us", nonce=nonce, audience=Audience.FRIENDS)
    hidden, carols = post(bob), post(carol)
    withhold(bob, hidden)
    nowhere = [address(private), address(hidden), address(carols), address(ids.new_id())]
    for path in (*nowhere, "/@nobody_here/report"):
        assert browser.get(path).status_code == 404
        assert browser.post(path, SPAM).status_code == 404
    assert not is_there(about(bob))


def test_who_is_not_there_for_one_cannot_be_reported(alice, bob, carol, log_in):
    block(by=bob, user_id=alice.user_id)
    restrict(carol, Restriction.SUSPENDED)
    for path in (PAGE, address(post(bob)), "/@carol/report"):
        for response in (log_in(alice).get(path), log_in(alice).post(path, SPAM)):
            assert response.status_code in (404, 410)
    assert not is_there(about(bob))
    assert not is_there(about(carol))


@ways
def test_nobody_reports_themselves(alice, log_in, extra):
    for path in ("/@alice/report", address(post(alice), "alice")):
        response = log_in(alice).post(path, SPAM, **extra)
        assert response.status_code == 400
        said = response["HX-Trigger"] if extra else response.content.decode()
        assert "This is yours, so there" in said
    assert log_in(alice).get("/@alice/report").status_code == 400
    assert not is_there(about(alice))


def test_who_is_frozen_may_report(alice, bob, log_in):
    restrict(alice, Restriction.FROZEN)
    assert log_in(alice).post(PAGE, SPAM).status_code == 302
    assert read_case(about(bob)).reports == 1
