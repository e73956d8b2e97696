"""A rule of the site, and a word rule."""

from typing import Any
from urllib.parse import urlsplit

from django import forms
from django.utils.translation import gettext_lazy as _

from socialsite.default_rules import MINOR, SERIOUS, URGENT
from socialsite.hosts import is_host, normal_host
from socialsite.site_setup import SiteRules
from socialsite.web.fields import PlainTextField
from socialsite.word_rules import Effect, Word, WordKind, fold_text

SEVERITIES = [
    (URGENT, _("Urgent: people are in danger")),
    (SERIOUS, _("Serious")),
    (MINOR, _("Minor")),
]
EFFECTS = [
    (Effect.FLAG, _("Publish it and tell the moderators")),
    (Effect.HOLD, _("Hold it until a moderator has looked")),
    (Effect.REFUSE, _("Refuse it, with the rule as the reason")),
    (Effect.LIMIT, _("Publish it, tell the moderators and limit the account")),
]


class RuleForm(forms.Form):
    title = PlainTextField(label=_("Rule"), max_characters=100)
    reason = PlainTextField(
        label=_("As a reason for a report"),
        help_text=_(
            "What people choose when they report a breach: “Spam” for the rule “No spam”. "
            "Leave it empty to name the rule itself."
        ),
        max_characters=100,
        required=False,
    )
    text = PlainTextField(
        label=_("What it means"),
        help_text=_("One or two sentences, as you would say them to somebody."),
        max_characters=500,
        multiline=True,
    )
    severity = forms.TypedChoiceField(
        label=_("How serious a breach is"),
        help_text=_("Reports take their severity from it. Cases that are open keep theirs."),
        choices=SEVERITIES,
        coerce=int,
        initial=SERIOUS,
    )


class WordForm(forms.Form):
    kind = forms.ChoiceField(
        label=_("Posts that contain"),
        choices=[
            (WordKind.WORD, _("a word or phrase")),
            (WordKind.LINK, _("a link to a site, or to one below it")),
        ],
    )
    pattern = PlainTextField(
        label=_("Which"),
        help_text=_(
            "Whole words alone are found, whatever their case. Of a link, its host name counts."
        ),
        max_characters=100,
    )
    effect = forms.ChoiceField(label=_("What happens"), choices=EFFECTS)
    site_rule = forms.ChoiceField(
        label=_("Rule that such a post breaks"),
        help_text=_("Who wrote a refused post is told this rule."),
        required=False,
    )

    def __init__(self, *args: Any, site: SiteRules, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        rules = [(rule.rule_id, rule.title) for rule in site.rules]
        offered = self.fields["site_rule"]
        assert isinstance(offered, forms.ChoiceField)
        offered.choices = [("", _("None of them")), *rules]

    def clean(self) -> dict[str, Any]:
        values = dict(super().clean() or {})
        pattern = values.get("pattern", "")
        if pattern and values.get("kind") == WordKind.LINK:
            values["pattern"] = host_of(pattern)
            if not is_host(values["pattern"]):
                self.add_error("pattern", _("Write a host name, such as example.com."))
        elif pattern and not fold_text(pattern):
            self.add_error("pattern", _("There is nothing in this that could be found."))
        return values

    @property
    def word(self) -> Word:
        values = self.cleaned_data
        return Word("", values["kind"], values["pattern"], values["effect"], values["site_rule"])


def host_of(text: str) -> str:
    """The host of an address, or of what is one without its beginning; empty if it has none."""
    try:
        host = urlsplit(text if "://" in text else f"//{text.lstrip('/')}").hostname or ""
    except ValueError:
        return ""
    return normal_host(host).removeprefix("www.")
