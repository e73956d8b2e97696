"""The form that mutes someone's reports for a time."""

from django import forms
from django.utils.translation import gettext_lazy as _

DAYS = [("7", _("7 days")), ("30", _("30 days")), ("90", _("90 days")), ("365", _("1 year"))]


class MuteForm(forms.Form):
    days = forms.TypedChoiceField(label=_("For how long?"), choices=DAYS, coerce=int, initial="30")
