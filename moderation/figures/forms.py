"""The form for what staff enter of a year."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from moderation.figures import names

LABELS = {
    names.ORDERS_TO_ACT: _("Orders of authorities to act against content"),
    names.ORDERS_FOR_INFORMATION: _("Orders of authorities to give information"),
    names.ORDER_HOURS: _("Median hours until an order was acted on"),
    names.SUSPENDED_REPORTERS: _("People whose reports or appeals you no longer read, for misuse"),
    names.SUSPENDED_OTHERS: _(
        "People suspended because they posted illegal content again and again"
    ),
    names.DISPUTES: _("Disputes brought before a settlement body"),
    names.STAFF: _("People who moderate"),
    names.USERS: _("People here in a month, on average"),
}
HELP = {
    names.SUSPENDED_OTHERS: _(
        "Suspensions are counted by themselves; this is how many of them were for that reason."
    ),
    names.USERS: _("Shown only if the site could not count them."),
}
MOST = 1_000_000_000


class FiguresForm(forms.Form):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in names.TYPED_NAMES:
            self.fields[name] = forms.IntegerField(
                label=LABELS[name],
                help_text=HELP.get(name, ""),
                min_value=0,
                max_value=MOST,
                required=False,
                widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off"}),
            )

    @property
    def numbers(self) -> dict[str, int | None]:
        """Returns what was entered, None where nothing was: that is not 0."""
        return {name: self.cleaned_data[name] for name in names.TYPED_NAMES}
