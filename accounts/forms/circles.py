"""The circles a friend is in, and the private note about them."""

from collections.abc import Collection
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from accounts.services.file_friend import LONGEST_CIRCLE, MOST_CIRCLES
from accounts.services.relate import LONGEST_NOTE
from socialsite.web.fields import PlainTextField


class CirclesForm(forms.Form):
    """Offers the circles that there are, and room for a new one."""

    circles = forms.MultipleChoiceField(
        label=_("Circles"), required=False, widget=forms.CheckboxSelectMultiple
    )
    new_circle = PlainTextField(
        label=_("New circle"),
        help_text=_("A name such as Family. Posts can be for one circle alone."),
        max_characters=LONGEST_CIRCLE,
        required=False,
    )
    note = PlainTextField(
        label=_("Private note"),
        help_text=_("Only you see it."),
        max_characters=LONGEST_NOTE,
        multiline=True,
        required=False,
    )

    def __init__(self, *args: Any, existing: Collection[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.existing = existing
        offered = self.fields["circles"]
        assert isinstance(offered, forms.MultipleChoiceField)
        offered.choices = [(name, name) for name in existing]

    def clean_new_circle(self) -> str:
        name: str = self.cleaned_data["new_circle"]
        for known in self.existing:
            if known.casefold() == name.casefold():
                return known
        if name and len(self.existing) >= MOST_CIRCLES:
            raise ValidationError(_("You have 100 circles. That is the limit."), code="many")
        return name

    @property
    def chosen(self) -> set[str]:
        """Every circle that the friend is to be in."""
        return {*self.cleaned_data["circles"], self.cleaned_data["new_circle"]} - {""}
