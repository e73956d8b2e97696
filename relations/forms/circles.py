"""The forms for a circle's name, and for a friend's circles and the private note about them."""

from collections.abc import Collection
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from accounts.circles import LONGEST_CIRCLE, MOST_CIRCLES, Circle, find_circle
from relations.services.relate import LONGEST_NOTE
from socialsite.web.fields import PlainTextField

TOO_MANY = _("You have 50 circles. That is the limit.")


class CircleForm(forms.Form):
    """Names a new circle, or renames an existing one."""

    name = PlainTextField(
        label=_("Name"),
        help_text=_("A name such as Family. Only you see it."),
        max_characters=LONGEST_CIRCLE,
        error_messages={"required": _("Enter a name.")},
    )


class CirclesForm(forms.Form):
    """Offers the person's circles, and a field for a new one."""

    circles = forms.MultipleChoiceField(
        label=_("Circles"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        error_messages={
            "invalid_choice": _("One of these circles no longer exists. Choose again.")
        },
    )
    new_circle = PlainTextField(
        label=_("New circle"),
        help_text=_("For example, Family. You can post to just one circle."),
        max_characters=LONGEST_CIRCLE,
        required=False,
    )
    note = PlainTextField(
        label=_("Private note"),
        help_text=_("Only you can see this."),
        max_characters=LONGEST_NOTE,
        multiline=True,
        required=False,
    )

    def __init__(self, *args: Any, existing: Collection[Circle], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.existing = existing
        offered = self.fields["circles"]
        assert isinstance(offered, forms.MultipleChoiceField)
        offered.choices = [(circle.circle_id, circle.name) for circle in existing]

    def clean_new_circle(self) -> str:
        name: str = self.cleaned_data["new_circle"]
        if name and not self.known and len(self.existing) >= MOST_CIRCLES:
            raise ValidationError(TOO_MANY, code="many")
        return name

    @property
    def known(self) -> str:
        """Returns the id of the circle that already has the new name, empty if none has."""
        return find_circle(self.existing, self.cleaned_data["new_circle"])
