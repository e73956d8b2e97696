"""The form with which staff ask everyone: a question, its answers one on each line, and how long."""

from datetime import timedelta
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from site_votes.models import MOST_OPTIONS
from socialsite.web.fields import PlainTextField

QUESTION_CHARACTERS = 200
OPTION_CHARACTERS = 100
LENGTHS = {
    "1h": (timedelta(hours=1), _("1 hour")),
    "1d": (timedelta(days=1), _("1 day")),
    "3d": (timedelta(days=3), _("3 days")),
    "1w": (timedelta(days=7), _("1 week")),
    "4w": (timedelta(days=28), _("4 weeks")),
}


class AnswersField(PlainTextField):
    """The answers, one on each line. No two are the same."""

    def __init__(self, **kwargs: Any) -> None:
        most = MOST_OPTIONS * (OPTION_CHARACTERS + 1)
        super().__init__(max_characters=most, multiline=True, **kwargs)
        self.widget.attrs["rows"] = 4
        self.one = PlainTextField(max_characters=OPTION_CHARACTERS)

    def clean(self, value: Any) -> tuple[str, ...]:
        lines = [line.strip() for line in str(super().clean(value)).split("\n")]
        answers = tuple(self.one.clean(line) for line in lines if line)
        if not 2 <= len(answers) <= MOST_OPTIONS:
            text = ngettext(
                "Write 2 to %(limit)d answer, one on each line.",
                "Write 2 to %(limit)d answers, one on each line.",
                MOST_OPTIONS,
            )
            raise ValidationError(text % {"limit": MOST_OPTIONS}, code="answers")
        if len(set(answers)) < len(answers):
            raise ValidationError(_("Two answers are the same. Change one."), code="same")
        return answers


class SiteVoteForm(forms.Form):
    question = PlainTextField(
        label=_("Question"),
        help_text=_("Everyone who is signed in sees it, until the vote ends."),
        max_characters=QUESTION_CHARACTERS,
    )
    answers = AnswersField(
        label=_("Answers"), help_text=_("One on each line, in the order in which they appear.")
    )
    length = forms.ChoiceField(
        label=_("How long people can vote"),
        choices=[(name, words) for name, (_span, words) in LENGTHS.items()],
        initial="3d",
    )
