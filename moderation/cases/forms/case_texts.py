"""What moderators write on a case: notes for each other, and answers to appeals."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from socialsite.web.fields import PlainTextField

GRANT, REFUSE, ASK = "grant", "refuse", "ask"


class CaseForm(forms.Form):
    """A form on the page of a case, which has several."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("auto_id", f"id_{type(self).__name__.lower()}_%s")
        super().__init__(*args, **kwargs)


class NoteForm(CaseForm):
    text = PlainTextField(label=_("Note for other moderators"), max_characters=500, multiline=True)


class AnswerForm(CaseForm):
    """Grants or rejects an appeal, or asks the person something. A rejection or a question needs a text."""

    version = forms.IntegerField(widget=forms.HiddenInput)
    answer = forms.ChoiceField(
        choices=[(one, one) for one in (GRANT, REFUSE, ASK)], widget=forms.HiddenInput
    )
    words = PlainTextField(
        label=_("Your answer"),
        help_text=_("They will not see your name."),
        max_characters=500,
        multiline=True,
        required=False,
    )

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        if data.get("answer") != GRANT and not data.get("words") and "words" not in self.errors:
            self.add_error("words", _("Explain why, or write your question."))
        return data

    @property
    def grant(self) -> bool | None:
        return {GRANT: True, REFUSE: False}.get(self.cleaned_data["answer"])
