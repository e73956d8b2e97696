"""Templates have fields, may be for one rule, and the one that a moderator used last is offered. People read them in
their language."""

from datetime import timedelta

import pytest

from accounts.models import UserInfo
from accounts.profile.writes import save_preferences
from moderation.bulk_decisions.reads import WaveDecision
from moderation.cases.reads import last_presets_of, read_case
from moderation.cases.templates import MOST_FIELDS, fill, presets_offered
from moderation.models import ActionKind
from moderation.rules.writes import remove_rule, save_preset
from socialsite.clock import utc_now
from socialsite.site_settings.site_rules import read_site_rules
from socialsite.table import change, keys
from socialsite.web.preferences import Preferences
from tests.conftest import post
from tests.moderation.cases import about, report, strikes
from tests.web.html import Html

NEW = "/moderation/presets"
FORM = {"language": "en", "action": "hide", "title": "Kind", "rule": ""}


def template(admin, text: str, **how: str) -> str:
    """A template for hiding posts; returns its id."""
    before = {one.preset_id for one in read_site_rules().presets}
    values = {"action": "hide", "title": text[:20], "language": "en", **how}
    save_preset(by=admin, text=text, **values)
    (added,) = {one.preset_id for one in read_site_rules().presets} - before
    return added


def offered_first(answer) -> str:
    options = [one for one in Html(answer).all("option") if "selected" in one.attributes]
    return next(one["value"] for one in options if one["value"] not in ("", "spam"))


def decided(client, whom, preset: str, *posts: str, action: str = "hide", **more: str):
    version = read_case(about(whom)).version
    sent = {"action": action, "version": version, "rule": "spam", "preset": preset, "posts": posts}
    return client.post(f"{about(whom).url}/decide", sent | more)


def test_fields_say_whom_what_and_which_rule_in_the_persons_language(
    alice, bob, mod, admin, log_in
):
    preset = template(admin, "Dear {name} ({handle}): “{post}” breaks “{rule}”.")
    save_preset(
        by=admin,
        preset_id=preset,
        action="hide",
        title="Lieb",
        text="Hallo {name}, „{post}“ verstößt gegen „{rule}“.",
        language="de",
    )
    save_preferences(by=bob, preferences=Preferences(language="de"))
    first, second = post(bob, "Buy this now"), post(bob, "And that")
    report(alice, bob, first)
    report(alice, bob, second)
    client = log_in(mod)
    assert decided(client, bob, preset, first, second).status_code == 302
    (strike,) = strikes(bob)
    assert strike.text == "Hallo Bob Brandt, „Buy this now“ verstößt gegen „Kein Spam“."


def test_the_preview_shows_the_message_with_its_fields(alice, bob, mod, admin, log_in):
    preset = template(admin, "Dear {name}: {rule}.")
    first = post(bob, "Buy this now")
    report(alice, bob, first)
    answer = decided(log_in(mod), bob, preset, first, preview="1")
    assert "Dear Bob Brandt: No spam." in Html(answer).one(id="told").text
    assert strikes(bob) == []


def test_an_end_is_a_day_or_further_notice(alice, bob, mod, admin, log_in):
    preset = template(admin, "You can’t post until {until}.", action="freeze")
    report(alice, bob)
    client = log_in(mod)
    day = (utc_now() + timedelta(days=7)).day
    decided(client, bob, preset, action="freeze", end="7", keep_open="on")
    assert f" {day}" in strikes(bob)[0].text
    decided(client, bob, preset, action="freeze", end="ever")
    assert strikes(bob)[1].text == "You can’t post until further notice."


@pytest.mark.parametrize(
    ("text", "action", "said"),
    [
        ("Dear {nme}", "hide", "There is no field {nme}. You can use: {name}, {handle}"),
        ("Until {until}", "hide", "This decision has nothing for {until}"),
        ("About {post}", "reset", "This decision has nothing for {post}"),
        ("{name} " * (MOST_FIELDS + 1), "hide", "Use at most 10 fields"),
    ],
)
def test_a_field_that_means_nothing_is_refused_beside_the_message(
    admin, log_in, text, action, said
):
    answer = log_in(admin).post(NEW, FORM | {"text": text, "action": action})
    assert answer.status_code == 422
    assert said in Html(answer).error("text")
    assert Html(answer).one("textarea", id="id_text").text == text.strip()


def test_braces_in_a_name_are_no_field(alice, bob, mod, admin, log_in):
    change(UserInfo, keys.user_info(bob.user_id), [UserInfo.name.set("{rule}")])
    preset = template(admin, "Dear {name}")
    first = post(bob, "Buy {name}")
    report(alice, bob, first)
    decided(log_in(mod), bob, preset, first)
    assert strikes(bob)[0].text == "Dear {rule}"
    assert fill("An older {thing} stays", {}) == "An older {thing} stays"


def test_a_template_is_for_one_rule_and_says_so(alice, bob, mod, admin, log_in):
    client = log_in(admin)
    sent = FORM | {"text": "Be kind.", "rule": "harassment"}
    assert client.post(NEW, sent).status_code == 302
    (preset,) = read_site_rules().presets
    assert preset.rule_id == "harassment"
    first = post(bob, "Buy this now")
    report(alice, bob, first)
    answer = decided(log_in(mod), bob, preset.preset_id, first)
    assert answer.status_code == 422
    assert "for another rule: No harassment or hate" in Html(answer).error("preset")
    again = decided(log_in(mod), bob, preset.preset_id, first, rule="harassment")
    assert again.status_code == 302


def test_a_template_whose_rule_is_gone_is_for_all(alice, bob, mod, admin, log_in):
    preset = template(admin, "Be kind.", rule="harassment")
    remove_rule(by=admin, rule_id="harassment")
    first = post(bob, "Buy this now")
    report(alice, bob, first)
    assert decided(log_in(mod), bob, preset, first).status_code == 302


def test_the_last_one_that_was_used_is_offered_to_its_moderator_alone(
    alice, bob, carol, mod, admin, log_in
):
    preset = template(admin, "Be kind.")
    first, second = post(bob, "Buy this now"), post(carol, "Buy that")
    report(alice, bob, first)
    report(alice, carol, second)
    decided(log_in(mod), bob, preset, first)
    assert last_presets_of(mod.user_id) == {"hide": preset}
    address = f"{about(carol).url}/decide?action=hide&posts={second}"
    answer = log_in(mod).get(address)
    assert offered_first(answer) == preset
    assert "Be kind." in Html(answer).one(id="told").text
    assert offered_first(log_in(admin).get(address)) == "default"
    assert offered_first(log_in(mod).get(address.replace("hide", "warn"))) == "default"


def test_a_wave_offers_no_template_that_names_one_person(alice, bob, mod, admin):
    template(admin, "Dear {name}", action="warn")
    for_all = template(admin, "Until {until}: {rule}", action="freeze", rule="spam")
    assert presets_offered(ActionKind.WARN, to_many=True) == []
    decision = WaveDecision(ActionKind.FREEZE, preset=for_all, rule_id="spam")
    assert decision.text_for("") == "Until further notice: No spam"
