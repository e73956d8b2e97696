"""How grave a case is, which rule the person reads, and the preview of what they will be told."""

from functools import partial

import pytest
from django.core.management import call_command
from django.test import Client

from accounts.people.viewer import Viewer
from accounts.profile.writes import save_preferences
from moderation.bulk_decisions.reads import WaveDecision
from moderation.cases.changes import named_so_far, put_in_queue
from moderation.cases.decisions import decide_case
from moderation.cases.effects import undo_action
from moderation.cases.reads import CaseId, read_case
from moderation.cases.writes import answer_appeal, appeal
from moderation.log.writes import record
from moderation.models import ActionKind, Case, CaseKind, Queue
from moderation.reports.reads import list_strikes
from moderation.reports.writes import file_report
from moderation.rules.filter_writes import remove_word_rule
from moderation.rules.writes import save_preset
from socialsite.site_settings.site_setup import MINOR, SERIOUS, URGENT, SiteRules
from socialsite.site_settings.word_filters import Effect
from socialsite.table import change, keys
from socialsite.web.preferences import Preferences
from tests.conftest import HTMX, person, post
from tests.kept import keep_site_rules
from tests.moderation.cases import (
    about,
    about_post,
    actions_of,
    broken,
    crowd_ids,
    decide,
    held_post,
    index,
    listed,
    logged,
    page_of,
    part,
    report,
    report_by_each,
    strikes,
    version_of,
    waiting_sign_up,
)
from tests.moderation.staff import word_rule
from tests.together import together
from tests.web.html import Element, Html

SEVERITY = {"violence": URGENT, "harassment": SERIOUS, "spam": MINOR, "": MINOR}


def reported(person: Viewer, *rules: str) -> int:
    """Reports by one person each, in this order; returns how grave the case is then."""
    for rule, by in zip(rules, crowd_ids(len(rules)), strict=True):
        file_report(by=by, person_id=person.user_id, rule_id=rule, severity=SEVERITY[rule])
    case = read_case(about(person))
    assert case.escalated_at[0] == str(int(case.severity))
    return int(case.severity)


@pytest.mark.parametrize(
    ("rules", "severity"),
    [
        (["violence"], URGENT),
        (["spam", "spam", "violence"], URGENT),
        (["violence", "spam", "spam"], URGENT),
        (["spam", "violence"], URGENT),
        (["spam", "spam", "harassment", "violence", "harassment"], URGENT),
        (["", "", "harassment"], SERIOUS),
        (["spam", "", "spam"], MINOR),
    ],
)
def test_the_gravest_rule_that_is_named_decides(bob, rules, severity):
    assert reported(bob, *rules) == severity
    assert broken() == {}


def test_six_who_call_it_spam_do_not_outvote_one_who_names_a_danger(bob):
    assert reported(bob, *["spam"] * 6) == MINOR
    assert reported(bob, "violence") == URGENT
    assert listed(keys.queue(Queue.REPORTS), severity=URGENT) == [about(bob)]
    assert reported(bob, *["spam"] * 100) == URGENT
    assert broken() == {}


def test_who_reports_again_with_a_graver_rule_lifts_the_case(alice, bob, carol):
    for by in (alice, carol):
        file_report(by=by, person_id=bob.user_id, rule_id="spam")
    for _ in range(2):
        file_report(by=alice, person_id=bob.user_id, rule_id="violence", severity=URGENT)
        case = read_case(about(bob))
        assert (case.severity, case.reports) == (URGENT, 2)
    assert named_so_far(case) == {"3spam": 2, "1violence": 1}
    file_report(by=alice, person_id=bob.user_id, post_id=post(bob), rule_id="spam")
    assert read_case(about(bob)).severity == URGENT
    assert broken() == {}


def cried_wolf(liar: Viewer, mod: Viewer, *ends: ActionKind) -> None:
    """Someone reported as many people, each as urgent, and a moderator decided so."""
    for number, end in enumerate(ends):
        sheep = person(f"{liar.user_id[-6:].lower()}{number}")
        file_report(by=liar, person_id=sheep.user_id, rule_id="violence", severity=URGENT)
        decide(mod, about(sheep), end)


DISMISS, WARN = ActionKind.DISMISS, ActionKind.WARN


@pytest.mark.parametrize(
    ("ends", "severity"),
    [
        ([DISMISS, DISMISS], URGENT),
        ([DISMISS, DISMISS, DISMISS], SERIOUS),
        ([DISMISS, WARN, DISMISS, WARN, DISMISS, WARN], URGENT),
        ([DISMISS, DISMISS, WARN, DISMISS, ActionKind.CLOSE], SERIOUS),
    ],
)
def test_whose_reports_were_often_dismissed_fills_the_top_of_the_queue_no_more(
    alice, bob, carol, mod, ends, severity
):
    cried_wolf(alice, mod, *ends)
    file_report(by=alice, person_id=bob.user_id, rule_id="violence", severity=URGENT)
    assert read_case(about(bob)).severity == severity
    file_report(by=carol, person_id=bob.user_id, rule_id="violence", severity=URGENT)
    assert read_case(about(bob)).severity == URGENT
    assert broken() == {}


def test_a_dismissal_that_was_undone_is_none(alice, bob, mod):
    cried_wolf(alice, mod, DISMISS, DISMISS)
    file_report(by=alice, person_id=bob.user_id, rule_id="violence", severity=URGENT)
    action_id = decide(mod, about(bob), DISMISS)
    undo_action(by=mod, case_id=about(bob), action_id=action_id)
    sheep = person("sheep")
    file_report(by=alice, person_id=sheep.user_id, rule_id="violence", severity=URGENT)
    assert read_case(about(sheep)).severity == URGENT


def outvoted(bob: Viewer) -> None:
    """A case from before, when the rule that most reports named decided."""
    reported(bob, *["spam"] * 6, "violence")
    case = read_case(about(bob))
    place = put_in_queue(case, keys.queue(Queue.REPORTS), MINOR, 7, case.opened_at)
    change(Case, about(bob).key, [Case.severity.set(MINOR), *place])


def test_a_case_that_was_outvoted_before_is_lifted_by_reconcile(bob):
    outvoted(bob)
    call_command("reconcile")
    assert read_case(about(bob)).severity == URGENT
    assert listed(keys.queue(Queue.REPORTS), severity=URGENT) == [about(bob)]
    assert broken() == {}


def test_and_by_the_next_report(bob):
    outvoted(bob)
    assert reported(bob, "spam") == URGENT


def test_what_a_moderator_said_of_a_case_ends_with_the_action(bob, mod):
    reported(bob, "violence")
    first = decide(mod, about(bob), WARN, rule_id="harassment", keep_open=True)
    second = decide(mod, about(bob), WARN, rule_id="spam", keep_open=True)
    for action_id, severity in ((second, SERIOUS), (first, URGENT)):
        undo_action(by=mod, case_id=about(bob), action_id=action_id)
        assert read_case(about(bob)).severity == severity
        assert listed(keys.queue(Queue.REPORTS), severity=severity) == [about(bob)]
    assert broken() == {}


def test_reconcile_leaves_what_a_moderator_said_of_a_case(bob, mod):
    reported(bob, "violence")
    decide(mod, about(bob), ActionKind.WARN, rule_id="spam", keep_open=True)
    call_command("reconcile")
    assert read_case(about(bob)).severity == MINOR


def test_the_rule_that_the_moderator_names_corrects_it_and_later_reports_do_not(bob, mod):
    reported(bob, "violence")
    decide(mod, about(bob), ActionKind.WARN, rule_id="spam", keep_open=True)
    assert read_case(about(bob)).severity == MINOR
    assert listed(keys.queue(Queue.REPORTS), severity=MINOR) == [about(bob)]
    assert reported(bob, "violence", "violence") == MINOR
    decide(mod, about(bob), ActionKind.WARN, rule_id="violence", keep_open=True)
    assert read_case(about(bob)).severity == URGENT
    assert broken() == {}


def test_a_decision_without_a_look_at_the_reports_leaves_them_as_grave_as_they_are(bob, mod):
    reported(bob, "violence")
    seen = WaveDecision(ActionKind.WARN, rule_id="spam").about((), language="en", keep_open=True)
    decide_case(by=mod, case_id=about(bob), decision=seen, version=version_of(about(bob)))
    assert read_case(about(bob)).severity == URGENT
    assert broken() == {}


def test_a_new_round_begins_anew(bob, mod):
    reported(bob, "violence", "violence")
    decide(mod, about(bob), ActionKind.DISMISS)
    assert reported(bob, "spam") == MINOR
    assert named_so_far(read_case(about(bob))) == {"3spam": 1}
    assert broken() == {}


def test_an_appeal_is_serious_and_leaves_what_the_reports_named_for_later(bob, mod):
    reported(bob, "spam")
    action_id = decide(mod, about(bob), ActionKind.WARN, rule_id="spam")
    appeal(person_id=bob.user_id, action_id=action_id, text="Not me")
    assert reported(bob, "spam", "spam") == SERIOUS
    answer_appeal(
        by=mod,
        case_id=about(bob),
        action_id=action_id,
        text="Yes",
        version=int(read_case(about(bob)).version),
        grant=False,
    )
    assert read_case(about(bob)).severity == MINOR
    assert index(mod) == {keys.queue(Queue.REPORTS): [about(bob)]}
    assert broken() == {}


@pytest.mark.parametrize(("grant", "severity"), [(False, MINOR), (True, URGENT)])
def test_after_an_appeal_what_the_moderator_said_of_the_case_holds_as_long_as_it_stands(
    bob, mod, grant, severity
):
    reported(bob, "violence")
    action_id = decide(mod, about(bob), ActionKind.WARN, rule_id="spam", keep_open=True)
    appeal(person_id=bob.user_id, action_id=action_id, text="Not me")
    assert read_case(about(bob)).severity == SERIOUS
    answer_appeal(
        by=mod,
        case_id=about(bob),
        action_id=action_id,
        text="Well",
        version=version_of(about(bob)),
        grant=grant,
    )
    assert read_case(about(bob)).severity == severity
    assert broken() == {}


def test_all_who_report_at_once_count_whatever_they_name(bob):
    rules = ["spam", "violence", "harassment", "violence"] * 4
    filed = together(
        *(
            partial(
                file_report,
                by=by,
                person_id=bob.user_id,
                rule_id=rule,
                severity=SEVERITY[rule],
            )
            for by, rule in zip(crowd_ids(len(rules)), rules, strict=True)
        )
    )
    assert [result for result in filed if result is not None] == []
    case = read_case(about(bob))
    assert named_so_far(case) == {"1violence": 8, "2harassment": 4, "3spam": 4}
    assert (case.severity, case.escalated_at[0]) == (URGENT, "1")
    assert broken() == {}


def test_a_case_from_before_reports_were_counted_by_rule_takes_its_own_severity_for_them(bob):
    reported(bob, "harassment", "harassment")
    change(Case, about(bob).key, [Case.named.remove()])
    assert reported(bob, "spam") == SERIOUS
    assert named_so_far(read_case(about(bob))) == {"2": 2, "3spam": 1}
    assert broken() == {}


# The person reads the rule that the moderator chose, whatever reports named, and logs name that one too.


@pytest.fixture
def in_dispute(bob, carol):
    """Three people say that Bob sends spam, one that he is violent."""
    for number in range(3):
        report_by_each(bob, by=[person(f"reader{number}")], rule="spam")
    report_by_each(bob, by=[carol], rule="violence", severity=1)


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
    report_by_each(bob, by=[carol, person("zoe")], rule="spam")
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
    assert not actions_of(about(bob))


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
    assert not actions_of(about(bob))


@pytest.fixture
def moderator_with_a_case(mod, log_in, bob, carol) -> Client:
    report_by_each(bob, by=[carol], text="Buy this")
    return log_in(mod)


# What the person will be told is shown before it is decided: in their language, as their own page shows it.


def told(answer) -> str:
    return Html(answer).one(id="told").text


def preview(moderator: Client, reported, *, action: str = "limit", headers=None, **form):
    fields = {"action": action, "version": version_of(about(reported)), "preview": "1"}
    fields |= {"rule": "spam", "preset": "default", "end": "7", **form}
    return moderator.post(f"{about(reported).url}/decide", fields, headers=headers or {})


def test_it_is_there_from_the_start(moderator_with_a_case, bob):
    said = told(moderator_with_a_case.get(f"{about(bob).url}/decide?action=limit"))
    for words in (
        "Your account was limited",
        "Rule: No spam",
        "Until",
        "follow you or look for you",
    ):
        assert words in said


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_it_follows_what_is_chosen_and_nothing_is_done(moderator_with_a_case, bob, headers):
    answer = preview(moderator_with_a_case, bob, words="Write me.", end="ever", headers=headers)
    assert answer.status_code == 200
    assert "Write me." in told(answer)
    assert "Until a moderator" in told(answer)
    assert Html(answer).value("words") == "Write me."
    assert not actions_of(about(bob))


def test_one_that_comes_after_the_decision_moves_no_page(moderator_with_a_case, bob, carol):
    version = version_of(about(bob))
    fields = {"action": "warn", "version": version, "rule": "spam", "preset": "default"}
    moderator_with_a_case.post(f"{about(bob).url}/decide", fields, headers=HTMX)
    for comes_late in ("warn", "limit"):
        fields |= {"action": comes_late, "preview": "1", "end": "7"}
        answer = moderator_with_a_case.post(f"{about(bob).url}/decide", fields, headers=HTMX)
        assert answer.status_code == 200
        assert not {"HX-Redirect", "HX-Location", "HX-Retarget"} & set(answer.headers)
    assert len(actions_of(about(bob))) == 1


def test_one_of_posts_that_comes_after_the_decision_is_no_refusal(
    alice, bob, moderator_with_a_case
):
    post_id = post(bob)
    report(alice, bob, post_id)
    fields = {"action": "hide", "version": version_of(about(bob)), "rule": "spam"}
    fields |= {"preset": "default", "posts": post_id}
    moderator_with_a_case.post(f"{about(bob).url}/decide", fields, headers=HTMX)
    late = moderator_with_a_case.post(
        f"{about(bob).url}/decide", fields | {"preview": "1"}, headers=HTMX
    )
    assert late.status_code == 200
    assert len(actions_of(about(bob))) == 1


def test_what_cannot_be_sent_is_shown_as_far_as_it_goes(moderator_with_a_case, bob):
    answer = preview(moderator_with_a_case, bob, words="z" * 501)
    assert answer.status_code == 422
    assert "Your account was limited" in told(answer)


def test_who_is_dismissed_is_not_told(moderator_with_a_case, bob):
    said = told(moderator_with_a_case.get(f"{about(bob).url}/decide?action=dismiss"))
    assert said == "They will not be told."


def test_it_is_in_the_language_that_the_person_reads(moderator_with_a_case, bob):
    save_preferences(by=bob, preferences=Preferences(language="de"))
    answer = moderator_with_a_case.get(f"{about(bob).url}/decide?action=warn")
    assert Html(answer).one(id="told")["lang"] == "de"
    assert Html(answer).one("html")["lang"] == "en"


def test_a_text_of_the_site_takes_the_place_of_the_usual_one(moderator_with_a_case, admin, bob):
    save_preset(
        by=admin, language="en", action=ActionKind.WARN, title="Adverts", text="No adverts here."
    )
    form = Html(moderator_with_a_case.get(f"{about(bob).url}/decide?action=warn"))
    choices = {option.text: option["value"] for option in form.all("option")}
    assert list(choices)[-3:] == ["Standard message", "Adverts", "Only my own words"]
    said = told(preview(moderator_with_a_case, bob, action="warn", preset=choices["Adverts"]))
    assert "No adverts here." in said
    assert "read our rules" not in said


def test_what_is_decided_is_what_was_shown(moderator_with_a_case, bob, log_in):
    shown = told(preview(moderator_with_a_case, bob, action="warn", words="Write me."))
    form = {"action": "warn", "version": version_of(about(bob)), "preset": "default"}
    typed = {"rule": "spam", "words": "Write me."}
    moderator_with_a_case.post(f"{about(bob).url}/decide", form | typed)
    [strike] = strikes(bob)
    assert strike.text.endswith("\n\nWrite me.")
    assert " ".join(strike.text.split()) in shown
    own_page = log_in(bob).get("/standing").content.decode()
    assert "You received a warning" in own_page
    assert "Write me." in own_page


# A case names the words of the filters that a post met: the site's report, and the post itself.


def test_the_sites_report_names_the_words_of_all_its_posts(admin, mod, bob, log_in, drain_stream):
    for word in ("casino", "bonus"):
        word_rule(admin, word, Effect.FLAG)
    post(bob, "A casino")
    drain_stream()
    post(bob, "A bonus")
    drain_stream()
    page = Html(log_in(mod).get(about(bob).url))
    silent = page.one("p", class_="silent").text
    assert "A word filter: bonus, casino" in silent
    assert (
        len([chip for chip in page.all("span", class_="chip") if "Word filter" in chip.text]) == 2
    )


def test_a_held_post_names_its_word(admin, mod, bob, log_in, drain_stream):
    word_rule(admin, "casino*", Effect.HOLD)
    post_id = post(bob, "Only casino*")
    drain_stream()
    page = Html(log_in(mod).get(CaseId(CaseKind.POST, post_id).url))
    assert "Word filter: casino*" in [chip.text for chip in page.all("span", class_="chip")]


def test_a_filter_that_was_removed_is_still_one(admin, mod, bob, log_in, drain_stream):
    rule_id = word_rule(admin, "casino", Effect.FLAG)
    post(bob, "A casino")
    drain_stream()
    remove_word_rule(by=admin, rule_id=rule_id)
    page = Html(log_in(mod).get(about(bob).url))
    assert page.one("p", class_="silent").text.endswith("A word filter")
