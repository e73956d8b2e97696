"""The forms for asking a senior, for the answer, and for what juniors may do."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from moderation.cases.forms import ENDS, UNTIL_LIFTED
from socialsite.site_settings.levels import NAMES, Level
from socialsite.web.fields import PlainTextField


class _NoteForm(forms.Form):
    """One text, in a dialog that begins with it."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["text"].widget.attrs["autofocus"] = True


class AskForm(_NoteForm):
    text = PlainTextField(
        label=_("What do you want to know?"),
        help_text=_("It stays with the case as a note."),
        max_characters=500,
        multiline=True,
        error_messages={"required": _("Write a few words first.")},
    )


class AnswerJuniorForm(_NoteForm):
    text = PlainTextField(
        label=_("Your answer"),
        help_text=_("It stays with the case as a note."),
        max_characters=500,
        multiline=True,
        error_messages={"required": _("Write a few words first.")},
    )


class LimitsForm(forms.Form):
    wave = forms.IntegerField(
        label=_("Most cases in one wave"),
        help_text=_("Enter 0 for no waves."),
        min_value=0,
        max_value=500,
    )
    days = forms.TypedChoiceField(
        label=_("Longest restriction or suspension"),
        choices=[
            ("0", _("None")),
            *((days, label) for days, label in ENDS if days != UNTIL_LIFTED),
        ],
        coerce=int,
    )
    level = forms.ChoiceField(
        label=_("They act only against people up to the level"),
        choices=[(str(level), NAMES[level]) for level in Level],
    )
