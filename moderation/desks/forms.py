"""The forms of a desk: the note of a shift, handing over, and the name of a saved list."""

from collections.abc import Collection
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.people.cards import PersonCard
from socialsite.web.fields import PlainTextField


class ShiftNoteForm(forms.Form):
    text = PlainTextField(
        label=_("Note for the next shift"),
        help_text=_("Everyone on the staff reads it above the queue, for three days."),
        max_characters=280,
        multiline=True,
        required=False,
    )


class HandOverForm(forms.Form):
    """`colleagues` are those who may have cases. To `QUEUE` they go back to where they came from, and `to` is empty."""

    QUEUE = "queue"

    to = forms.ChoiceField(
        label=_("To"),
        error_messages={"invalid_choice": _("They no longer handle cases. Choose another.")},
    )
    note = PlainTextField(
        label=_("Note on each case"), max_characters=500, multiline=True, required=False
    )

    def __init__(self, *args: Any, colleagues: Collection[PersonCard], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["to"]
        assert isinstance(field, forms.ChoiceField)
        named = [(one.user_id, f"{one.name} (@{one.handle})") for one in colleagues]
        field.choices = [(self.QUEUE, _("Back to the queue")), *named]

    def clean_to(self) -> str:
        to: str = self.cleaned_data["to"]
        return "" if to == self.QUEUE else to


class FilterForm(forms.Form):
    name = PlainTextField(label=_("Name of this list"), max_characters=30)
