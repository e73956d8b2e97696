"""The form for a new invitation."""

from django import forms
from django.utils.translation import gettext_lazy as _

from socialsite.web.fields import PlainTextField


class InviteForm(forms.Form):
    uses = forms.IntegerField(label=_("How many people"), min_value=1, max_value=1000, initial=1)
    days = forms.TypedChoiceField(
        label=_("Valid for"),
        choices=[(1, _("1 day")), (7, _("1 week")), (30, _("30 days")), (90, _("90 days"))],
        coerce=int,
        initial=7,
    )
    comment = PlainTextField(
        label=_("Note"),
        help_text=_("Only moderators see this."),
        max_characters=200,
        required=False,
    )
