"""The forms for a site rule and a word filter."""

from typing import Any
from urllib.parse import urlsplit

from django import forms
from django.utils.translation import gettext_lazy as _

from moderation.rules.forms.language import language_field
from socialsite.hosts import is_host, normal_host
from socialsite.site.default_rules import MINOR, SERIOUS, URGENT
from socialsite.site.site_setup import SiteRules
from socialsite.site.word_filters import Effect, Word, WordKind, fold_text
from socialsite.web.fields import PlainTextField

SEVERITIES = [
    (URGENT, _("Urgent: people are in danger")),
    (SERIOUS, _("Serious")),
    (MINOR, _("Minor")),
]
EFFECTS = [
    (Effect.FLAG, _("Publish it and report it to moderators")),
    (Effect.HOLD, _("Hold it for review")),
    (Effect.REFUSE, _("Reject it and name the rule")),
    (Effect.LIMIT, _("Publish it, report it and limit the account")),
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
        help_text=_("One or two sentences, as you would say them to someone."),
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


class NewRuleForm(RuleForm):
    field_order = ["language"]
    language = language_field()


class WordForm(forms.Form):
    kind = forms.ChoiceField(
        label=_("Match posts that contain"),
        choices=[
            (WordKind.WORD, _("A word or phrase")),
            (WordKind.LINK, _("A link to a site or its subdomains")),
        ],
    )
    pattern = PlainTextField(
        label=_("Word, phrase or site"),
        help_text=_(
            "Matches whole words only, in upper or lower case. For a link, only the host name counts."
        ),
        max_characters=100,
    )
    effect = forms.ChoiceField(label=_("What happens"), choices=EFFECTS)
    site_rule = forms.ChoiceField(
        label=_("Rule it breaks"),
        help_text=_("If a post is rejected, its author is told this rule."),
        required=False,
    )

    def __init__(self, *args: Any, site: SiteRules, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        rules = [(rule.rule_id, rule.title) for rule in site.rules]
        offered = self.fields["site_rule"]
        assert isinstance(offered, forms.ChoiceField)
        offered.choices = [("", _("No rule")), *rules]

    def clean(self) -> dict[str, Any]:
        values = dict(super().clean() or {})
        pattern = values.get("pattern", "")
        if pattern and values.get("kind") == WordKind.LINK:
            values["pattern"] = host_of(pattern)
            if not is_host(values["pattern"]):
                self.add_error("pattern", _("Enter a host name, such as example.com."))
        elif pattern and not fold_text(pattern):
            self.add_error("pattern", _("There is nothing here to match. Enter a word or phrase."))
        return values

    @property
    def word(self) -> Word:
        values = self.cleaned_data
        return Word("", values["kind"], values["pattern"], values["effect"], values["site_rule"])


def host_of(text: str) -> str:
    """Returns the host of an address, which may lack its `https://`, empty if there is none."""
    try:
        host = urlsplit(text if "://" in text else f"//{text.lstrip('/')}").hostname or ""
    except ValueError:
        return ""
    return normal_host(host).removeprefix("www.")
