"""Which posts go: what people choose when they delete many."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from privacy.old_posts.choice import Choice, Kept, Kind

AGES = [
    (7, _("1 week")),
    (30, _("1 month")),
    (90, _("3 months")),
    (365, _("1 year")),
    (730, _("2 years")),
]


class ChoiceForm(forms.Form):
    """What goes and what stays. `choice` in the cleaned data says both."""

    kinds = forms.MultipleChoiceField(
        label=_("What goes"),
        choices=[
            (Kind.POSTS, _("Posts")),
            (Kind.REPLIES, _("Replies")),
            (Kind.REPOSTS, _("Reposts")),
        ],
        widget=forms.CheckboxSelectMultiple,
        error_messages={
            "required": _("Choose what to delete."),
            "invalid_choice": _("Choose what to delete."),
            "invalid_list": _("Choose what to delete."),
        },
    )
    kept = forms.MultipleChoiceField(
        label=_("What stays"),
        choices=[
            (Kept.PINNED, _("Posts you’ve pinned")),
            (Kept.SAVED, _("Posts of yours that you’ve saved")),
        ],
        widget=forms.CheckboxSelectMultiple,
        required=False,
        error_messages={"invalid_choice": _("Choose from the list.")},
    )

    def clean(self) -> dict[str, Any]:
        chosen = [*self.cleaned_data.pop("kinds", ()), *self.cleaned_data.pop("kept", ())]
        self.cleaned_data["choice"] = Choice.of(chosen)
        return self.cleaned_data


class WishForm(ChoiceForm):
    """The age at which posts go."""

    days = forms.TypedChoiceField(
        label=_("Delete my posts after"),
        choices=AGES,
        coerce=int,
        error_messages=dict.fromkeys(
            ("required", "invalid_choice"), _("Choose when your posts are deleted.")
        ),
    )
    field_order = ("days", "kinds", "kept")


class DeleteNowForm(ChoiceForm):
    """All posts at once, with a tick that nobody sets by accident."""

    sure = forms.BooleanField(
        label=_("I know that this can’t be undone."),
        error_messages={"required": _("Tick this box if you’re sure.")},
    )
