"""The form of a muted word: the word, for how long, where, and whether what meets it is folded or left out."""

from datetime import timedelta
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from relations.muted_words.words import LONGEST, MutedWord, Where, needle_of
from socialsite.clock import utc_now
from socialsite.web.fields import PlainTextField

LENGTHS = {"1d": timedelta(days=1), "7d": timedelta(days=7), "30d": timedelta(days=30)}
EVER, AS_NOW = "ever", "as-now"
OFFERED = [
    ("1d", _("1 day")),
    ("7d", _("7 days")),
    ("30d", _("30 days")),
    (EVER, _("Until I unmute it")),
]
PLACES = {
    Where.EVERYWHERE: _("Everywhere"),
    Where.HOME: _("Home and lists"),
    Where.NOTIFICATIONS: _("Notifications"),
}
FOLD, HIDE = "fold", "hide"
CHOOSE_ONE = {"required": _("Choose one of these."), "invalid_choice": _("Choose one of these.")}


class MutedWordForm(forms.Form):
    """`muted` is the word that the form changes, None for a new one. If it ends by itself, its end can be kept."""

    word = PlainTextField(
        label=_("Word, phrase or #tag"),
        help_text=_(
            "Accents and capital letters don’t matter. A word is not found inside a longer one."
        ),
        max_characters=LONGEST,
        error_messages={"required": _("Enter a word.")},
    )
    length = forms.ChoiceField(
        label=_("For how long?"),
        choices=OFFERED,
        initial=EVER,
        widget=forms.RadioSelect,
        error_messages={"required": _("Choose how long."), "invalid_choice": _("Choose how long.")},
    )
    where = forms.ChoiceField(
        label=_("Where?"),
        choices=list(PLACES.items()),
        initial=Where.EVERYWHERE,
        widget=forms.RadioSelect,
        error_messages=CHOOSE_ONE,
    )
    how = forms.ChoiceField(
        label=_("What happens to these posts?"),
        choices=[
            (FOLD, _("Fold them: a line says which word it is, and opens the post")),
            (HIDE, _("Leave them out")),
        ],
        initial=FOLD,
        widget=forms.RadioSelect,
        error_messages=CHOOSE_ONE,
    )
    was = forms.CharField(required=False, max_length=8 * LONGEST, widget=forms.HiddenInput)

    def __init__(self, *args: Any, muted: MutedWord | None = None, **kwargs: Any) -> None:
        kwargs["auto_id"] = "muted_%s"  # the dialog stands on pages that have forms of their own
        kwargs["initial"] = (_initial(muted) if muted else {}) | (kwargs.get("initial") or {})
        super().__init__(*args, **kwargs)
        self.muted = muted
        if muted and muted.until:
            offered = self.fields["length"]
            assert isinstance(offered, forms.ChoiceField)
            offered.choices = [(AS_NOW, _("As it is now")), *OFFERED]

    def clean_word(self) -> str:
        word: str = self.cleaned_data["word"]
        if not needle_of(word).text:
            raise ValidationError(_("Enter a word."), code="required")
        return word

    @property
    def muted_word(self) -> MutedWord:
        """What the form says, once it is valid."""
        said = self.cleaned_data
        until = 0
        if said["length"] == AS_NOW and self.muted:
            until = self.muted.until
        elif length := LENGTHS.get(said["length"]):
            until = int((utc_now() + length).timestamp())
        return MutedWord(said["word"], Where(said["where"]), said["how"] == FOLD, until)


def _initial(muted: MutedWord) -> dict[str, str]:
    return {
        "word": muted.word,
        "was": muted.word,
        "length": AS_NOW if muted.until else EVER,
        "where": muted.where,
        "how": FOLD if muted.folds else HIDE,
    }
