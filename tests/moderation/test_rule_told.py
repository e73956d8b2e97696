"""The person reads the rule that the moderator chose, whatever reports named, and logs name that one too."""

import pytest
from django.test import Client

from moderation.log.writes import record
from moderation.models import ActionKind
from moderation.reports.reads import list_strikes
from socialsite.site_settings.site_setup import SiteRules
from tests.conftest import person
from tests.kept import keep_site_rules
from tests.moderation.cases import (
    about,
    about_post,
    actions,
    decide,
    held_post,
    logged,
    waiting_sign_up,
)
from tests.moderation.queues import page_of, part, report, version_of
from tests.web.html import Element, Html


@pytest.fixture
def moderator(mod, log_in) -> Client:
    return log_in(mod)


@pytest.fixture
def in_dispute(bob, carol):
    """Three people say that Bob sends spam, one that he is violent."""
    for number in range(3):
        report(bob, by=[person(f"reader{number}")], rule="spam")
    report(bob, by=[carol], rule="violence", severity=1)


def asked(moderator: Client, case_id, action: str = "warn") -> Html:
    return Html(moderator.get(f"{case_id.url}/decide?action={action}"))


def choices(page: Html) -> list[Element]:
    """The first list of the page: rules come before texts."""
    assert page.all("select")[0]["name"] == "rule"
    options = page.all("option")
    last = [option.text for option in options].index("No particular rule")
    return options[: last + 1]


def chosen(page: Html) -> list[str]:
    return [option["value"] for option in choices(page) if "selected" in option.attributes]


def send(moderator: Client, bob, **form: str):
    fields = {"action": "warn", "version": version_of(about(bob)), "preset": "default", **form}
    return moderator.post(f"{about(bob).url}/decide", fields)


def test_a_rule_that_all_reports_name_is_chosen_beforehand(moderator, bob, carol):
    report(bob, by=[carol, person("zoe")], rule="spam")
    page = asked(moderator, about(bob))
    assert chosen(page) == ["spam"]
    assert "Rule: No spam" in page.one(id="told").text


def test_where_reports_name_several_nothing_is_chosen_and_the_most_named_comes_first(
    moderator, bob, in_dispute
):
    page = asked(moderator, about(bob))
    assert chosen(page) in ([], [""])
    texts = [option.text for option in choices(page)]
    assert texts[:3] == ["Choose…", "No spam · 3 reports", "No violence or threats · 1 report"]
    assert "No harassment or hate" in texts
    assert "autofocus" in page.one("select", name="rule").attributes
    assert "Rule:" not in page.one(id="told").text


def test_a_decision_without_a_rule_is_refused_beside_the_field(moderator, bob, in_dispute):
    for nothing in ({}, {"rule": ""}, {"rule": "unheard of"}):
        answer = send(moderator, bob, words="Please stop.", **nothing)
        assert answer.status_code == 422
        assert Html(answer).value("words") == "Please stop."
        assert Html(answer).one(id="id_rule_error").text
    assert not actions(about(bob))


def test_the_person_reads_the_rule_that_was_chosen(moderator, bob, in_dispute, log_in):
    assert send(moderator, bob, rule="harassment").status_code == 302
    [strike] = list_strikes(bob.user_id)
    assert strike.rule_title == "No harassment or hate"
    said = Html(log_in(bob).get("/standing")).one("main").text
    assert "No harassment or hate" in said
    assert "violence" not in said
    assert "Harassment or hate" in part(page_of(moderator, bob), "case-actions")


def test_no_particular_rule_names_none(moderator, bob, in_dispute):
    assert send(moderator, bob, rule="other").status_code == 302
    [strike] = list_strikes(bob.user_id)
    assert strike.rule_title == ""


def test_the_logs_name_the_rule_that_was_chosen_and_no_other(moderator, bob, in_dispute):
    send(moderator, bob, rule="spam")
    assert logged()[-1].detail["named"] == "spam"
    keep_site_rules(SiteRules(public_log=True))
    for address in ("/moderation/log", "/about/log"):
        said = Html(moderator.get(address)).one("main").text
        assert "Spam" in said
        assert "Violence" not in said


def test_a_dismissal_names_what_reports_named(moderator, mod, bob, in_dispute):
    decide(mod, about(bob), ActionKind.DISMISS)
    said = Html(moderator.get("/moderation/log")).one("main").text
    assert "Spam" in said
    assert "Violence" in said


def test_entries_from_before_the_choice_say_what_reports_named(moderator, mod, bob):
    record(
        by=mod.user_id, action="warn", person_id=bob.user_id, detail={"rules": ["spam", "sexual"]}
    )
    said = Html(moderator.get("/moderation/log")).one("main").text
    assert "Spam" in said
    assert "Sexual content" in said


def test_a_held_post_is_refused_under_a_rule_and_a_sign_up_without(moderator, bob, carol):
    case_id = about_post(held_post(bob))
    assert chosen(asked(moderator, case_id, "refuse")) in ([], [""])
    joins = waiting_sign_up(carol)
    assert not asked(moderator, joins, "decline").all("select", name="rule")


@pytest.mark.parametrize(("field", "what"), [("rule", "rule"), ("preset", "message")])
@pytest.mark.usefixtures("in_dispute")
def test_a_form_that_was_open_while_the_rules_changed_names_what_is_gone_and_keeps_the_words(
    moderator, bob, field, what
):
    form = {"action": "warn", "rule": "spam", "preset": "default", "words": "Stop this"}
    form |= {field: "01M8FD5ZDZ3M90XS5F413818NA", "version": str(version_of(about(bob)))}
    answer = moderator.post(f"{about(bob).url}/decide", form)
    assert answer.status_code == 422
    page = Html(answer)
    assert page.one("p", id=f"id_{field}_error").text == (
        f"This {what} no longer exists. Choose another."
    )
    assert page.one("textarea", name="words").text.strip() == "Stop this"
    assert not actions(about(bob))
