"""The form for a word filter, which says of a star when it cannot match."""

from typing import Any
from urllib.parse import urlsplit

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from socialsite.hosts import is_host, normal_host
from socialsite.site.site_setup import SiteRules
from socialsite.site.stand_ins import Option
from socialsite.site.word_filters import (
    DAYS_LIMITED,
    STAR,
    WILD,
    Effect,
    Word,
    WordKind,
    is_star_idle,
)
from socialsite.web.fields import PlainTextField

EFFECTS = [
    (Effect.FLAG, gettext_lazy("Publish it and report it to moderators")),
    (Effect.HOLD, gettext_lazy("Hold it for review")),
    (Effect.REFUSE, gettext_lazy("Reject it and name the rule")),
    (Effect.LIMIT, gettext_lazy("Publish it, report it and limit the account")),
]
OPTIONS = [
    (Option.ALIKE, gettext_lazy("Letters that look alike, such as a Cyrillic о in “cаsinо”")),
    (Option.LEET, gettext_lazy("Digits and signs for letters: “c4$1n0”")),
    (Option.SPACED, gettext_lazy("Spaces and signs between letters: “c a s i n o”, “cas-ino”")),
]


class WordForm(forms.Form):
    kind = forms.ChoiceField(
        label=gettext_lazy("Match posts that contain"),
        choices=[
            (WordKind.WORD, gettext_lazy("A word or phrase")),
            (WordKind.LINK, gettext_lazy("A link to a site or its subdomains")),
        ],
    )
    pattern = PlainTextField(
        label=gettext_lazy("Word, phrase or site"),
        help_text=gettext_lazy(
            "Matches whole words, in upper or lower case. A star stands for the rest of a word: casino* finds "
            "“casinos” too, and *casino “mycasino”. For a link, only the host name counts."
        ),
        max_characters=100,
    )
    options = forms.MultipleChoiceField(
        label=gettext_lazy("Also find it written with"),
        help_text=gettext_lazy("For words only. The trial shows what they catch by mistake."),
        choices=OPTIONS,
        widget=forms.CheckboxSelectMultiple,
        required=False,
    )
    effect = forms.ChoiceField(label=gettext_lazy("What happens"), choices=EFFECTS)
    days = forms.IntegerField(
        label=gettext_lazy("If it limits the account: for how many days"),
        help_text=gettext_lazy(
            "The author is told why, and can appeal. Dismissing the reports lifts the limit."
        ),
        min_value=1,
        max_value=365,
        initial=DAYS_LIMITED,
        required=False,
    )
    site_rule = forms.ChoiceField(
        label=gettext_lazy("Rule it breaks"),
        help_text=gettext_lazy(
            "If a post is rejected or an account limited, its author is told this rule."
        ),
        required=False,
        error_messages={
            "invalid_choice": gettext_lazy("This rule no longer exists. Choose another.")
        },
    )

    def __init__(self, *args: Any, site: SiteRules, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        rules = [(rule.rule_id, rule.title) for rule in site.rules]
        offered = self.fields["site_rule"]
        assert isinstance(offered, forms.ChoiceField)
        offered.choices = [("", gettext_lazy("No rule")), *rules]

    def clean(self) -> dict[str, Any]:
        values = dict(super().clean() or {})
        if values.get("pattern") and "kind" in values:
            is_link = values["kind"] == WordKind.LINK
            try:
                values["pattern"] = (_checked_host if is_link else _checked_words)(
                    values["pattern"]
                )
            except ValidationError as error:
                self.add_error("pattern", error)
            if is_link and values.get("options"):
                text = _("These are for words. A link is found by the exact name of its site.")
                self.add_error("options", text)
        return values

    @property
    def word(self) -> Word:
        values = self.cleaned_data
        return Word(
            rule_id="",
            kind=values["kind"],
            pattern=values["pattern"],
            effect=values["effect"],
            site_rule=values["site_rule"],
            days=values["days"] or DAYS_LIMITED,
            options=frozenset(values["options"]) | _wild(values["kind"], values["pattern"]),
        )


def values_of(word: Word) -> dict[str, Any]:
    """Returns the values of a form that shows a filter."""
    return {
        "kind": word.kind,
        "pattern": word.pattern,
        "options": sorted(word.options - {WILD}),
        "effect": word.effect,
        "days": word.days,
        "site_rule": word.site_rule,
    }


def host_of(text: str) -> str:
    """Returns the host of an address, which may lack its `https://`, empty if there is none."""
    try:
        host = urlsplit(text if "://" in text else f"//{text.lstrip('/')}").hostname or ""
    except ValueError:
        return ""
    return normal_host(host).removeprefix("www.")


def _checked_words(pattern: str) -> str:
    """Returns the words of a filter. Raises `ValidationError` if they, or their star, cannot match anything."""
    word = Word("", WordKind.WORD, pattern, "", options=_wild(WordKind.WORD, pattern))
    words = word.sought.words
    if not words.strip(f" {STAR}"):
        raise ValidationError(_("There is nothing here to match. Enter a word or phrase."))
    if STAR in words or words != words.strip():
        raise ValidationError(
            _(
                "A star can only stand right before or right after the words, such as casino* or *casino. "
                "Anywhere else it matches nothing."
            )
        )
    if is_star_idle(word):
        raise ValidationError(
            _(
                "Leave the star out here: signs, emoji and scripts without spaces are found within other text anyway."
            )
        )
    return pattern


def _checked_host(pattern: str) -> str:
    """Returns the host of a link. Raises `ValidationError` if there is none, or it has a star."""
    if pattern.startswith(f"{STAR}."):
        raise ValidationError(_("Leave the star out: subdomains are found anyway."))
    if STAR in pattern:
        raise ValidationError(
            _(
                "A star in the name of a site matches nothing. Enter a host name, such as example.com."
            )
        )
    host = host_of(pattern)
    if not is_host(host):
        raise ValidationError(_("Enter a host name, such as example.com."))
    return host


def _wild(kind: str, pattern: str) -> frozenset[str]:
    return frozenset({WILD} if kind == WordKind.WORD and STAR in pattern else ())
