"""The preview of a wave: its form as it is offered, typed so far, or sent, and what the people will read."""

from typing import Any

from django.core.exceptions import BadRequest
from django.http import QueryDict

from accounts.viewer import Viewer
from moderation.cases.pages.action_cards import ActionCard
from moderation.models import WITHOUT_EFFECT, ActionKind
from moderation.rules.preset_texts import LINES, NAMES, language_of
from moderation.waves.cards import WaveFile
from moderation.waves.forms import WaveForm
from moderation.waves.waves import actions_for
from socialsite.site.site_rules import site_rules

TYPED = ("rule", "end", "preset", "words")


def new_form(file: WaveFile, viewer: Viewer) -> WaveForm:
    """Returns the form with every case but the urgent ones of a dismissal, which deserve a look of their own."""
    dismisses = file.wave.decision.kind in WITHOUT_EFFECT
    include = [row.value for row in file.to_do if not (dismisses and row.is_urgent)]
    return _form(file, viewer, str(file.wave.decision.kind), initial={"include": include})


def typed_form(file: WaveFile, viewer: Viewer, typed: QueryDict) -> WaveForm:
    """Returns the form with what was typed so far, without errors. Raises `BadRequest` for an unknown action."""
    initial: dict[str, Any] = {name: typed[name] for name in TYPED if name in typed}
    initial["include"] = typed.getlist("include")
    return _form(file, viewer, typed.get("kind", ""), initial=initial)


def sent_form(file: WaveFile, viewer: Viewer, sent: QueryDict) -> WaveForm:
    """Returns the form as it was sent. Raises `BadRequest` for an unknown action."""
    return _form(file, viewer, sent.get("kind", ""), data=sent)


def preview_of(file: WaveFile, form: WaveForm) -> dict[str, Any]:
    """Returns what the page says of the decision: the action, and the message in the site's own language, with as many
    posts as the first person has in the wave."""
    decision, language = form.decision(), language_of("")
    posts = next((row.posts for row in file.to_do if row.posts), 1)
    shown = ("",) * posts if decision.acts_on_posts else ()
    notice = ActionCard.foreseen(decision.about(shown, language=language))
    return {
        "decision": decision,
        "name": NAMES[decision.kind],
        "line": LINES[decision.kind],
        "notice": notice if form.tells else None,
        "notice_language": language,
    }


def _form(file: WaveFile, viewer: Viewer, kind: str, **values: Any) -> WaveForm:
    kinds = actions_for(file.wave.case_kind, viewer)
    if kind not in kinds:
        raise BadRequest("no such action")
    cases = [row.value for row in file.to_do]
    if any(rule.rule_id == file.rule_of_all for rule in site_rules().rules):
        values["initial"] = {"rule": file.rule_of_all, **values.get("initial", {})}
    values.setdefault("initial", {})
    return WaveForm(kind=ActionKind(kind), kinds=kinds, cases=cases, **values)
