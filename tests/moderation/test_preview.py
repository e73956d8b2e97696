"""What the person will be told is shown before it is decided: in their language, as their own page shows it."""

import pytest
from django.test import Client

from accounts.profile.writes import save_preferences
from moderation.models import ActionKind
from moderation.rules.writes import save_preset
from socialsite.web.preferences import Preferences
from tests.conftest import HTMX
from tests.moderation.cases import about, actions, strikes
from tests.moderation.queues import report, version_of
from tests.web.html import Html


@pytest.fixture
def moderator(mod, log_in, bob, carol) -> Client:
    report(bob, by=[carol], text="Buy this")
    return log_in(mod)


def told(answer) -> str:
    return Html(answer).one(id="told").text


def preview(moderator: Client, reported, *, action: str = "limit", headers=None, **form):
    fields = {"action": action, "version": version_of(about(reported)), "preview": "1"}
    fields |= {"rule": "spam", "preset": "default", "end": "7", **form}
    return moderator.post(f"{about(reported).url}/decide", fields, headers=headers or {})


def test_it_is_there_from_the_start(moderator, bob):
    said = told(moderator.get(f"{about(bob).url}/decide?action=limit"))
    for words in (
        "Your account was limited",
        "Rule: No spam",
        "Until",
        "follow you or look for you",
    ):
        assert words in said


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_it_follows_what_is_chosen_and_nothing_is_done(moderator, bob, headers):
    answer = preview(moderator, bob, words="Write me.", end="ever", headers=headers)
    assert answer.status_code == 200
    assert "Write me." in told(answer)
    assert "Until a moderator" in told(answer)
    assert Html(answer).value("words") == "Write me."
    assert not actions(about(bob))


def test_one_that_comes_after_the_decision_moves_no_page(moderator, bob, carol):
    version = version_of(about(bob))
    fields = {"action": "warn", "version": version, "rule": "spam", "preset": "default"}
    moderator.post(f"{about(bob).url}/decide", fields, headers=HTMX)
    for comes_late in ("warn", "limit"):
        fields |= {"action": comes_late, "preview": "1", "end": "7"}
        answer = moderator.post(f"{about(bob).url}/decide", fields, headers=HTMX)
        assert answer.status_code == 200
        assert not {"HX-Redirect", "HX-Location", "HX-Retarget"} & set(answer.headers)
    assert len(actions(about(bob))) == 1


def test_what_cannot_be_sent_is_shown_as_far_as_it_goes(moderator, bob):
    answer = preview(moderator, bob, words="z" * 501)
    assert answer.status_code == 422
    assert "Your account was limited" in told(answer)


def test_who_is_dismissed_is_not_told(moderator, bob):
    said = told(moderator.get(f"{about(bob).url}/decide?action=dismiss"))
    assert said == "They will not be told."


def test_it_is_in_the_language_that_the_person_reads(moderator, bob):
    save_preferences(by=bob, preferences=Preferences(language="de"))
    answer = moderator.get(f"{about(bob).url}/decide?action=warn")
    assert Html(answer).one(id="told")["lang"] == "de"
    assert Html(answer).one("html")["lang"] == "en"


def test_a_text_of_the_site_takes_the_place_of_the_usual_one(moderator, admin, bob):
    save_preset(
        by=admin, language="en", action=ActionKind.WARN, title="Adverts", text="No adverts here."
    )
    form = Html(moderator.get(f"{about(bob).url}/decide?action=warn"))
    choices = {option.text: option["value"] for option in form.all("option")}
    assert list(choices)[-3:] == ["Standard message", "Adverts", "Only my own words"]
    said = told(preview(moderator, bob, action="warn", preset=choices["Adverts"]))
    assert "No adverts here." in said
    assert "read our rules" not in said


def test_what_is_decided_is_what_was_shown(moderator, bob, log_in):
    shown = told(preview(moderator, bob, action="warn", words="Write me."))
    form = {"action": "warn", "version": version_of(about(bob)), "preset": "default"}
    typed = {"rule": "spam", "words": "Write me."}
    moderator.post(f"{about(bob).url}/decide", form | typed)
    [strike] = strikes(bob)
    assert strike.text.endswith("\n\nWrite me.")
    assert " ".join(strike.text.split()) in shown
    own_page = log_in(bob).get("/standing").content.decode()
    assert "You received a warning" in own_page
    assert "Write me." in own_page
