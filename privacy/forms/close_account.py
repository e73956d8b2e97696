"""The form for closing an account: when it is deleted."""

from django import forms
from django.utils.translation import gettext_lazy as _

AFTER_GRACE, AT_ONCE = "later", "now"


class CloseAccountForm(forms.Form):
    """No choice at all is a mistake, and not the grace."""

    when = forms.ChoiceField(
        label=_("When should we delete your account?"),
        choices=[
            (AFTER_GRACE, _("In 14 days, and until then I can keep it")),
            (AT_ONCE, _("Right now, for good")),
        ],
        initial=AFTER_GRACE,
        widget=forms.RadioSelect,
        error_messages=dict.fromkeys(("required", "invalid_choice"), _("Choose one.")),
    )
