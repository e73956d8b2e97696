"""How the site looks and behaves for somebody."""

from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from accounts.forms.switch import SWITCH
from socialsite.web.time_zones import zone_choices


def _time_zones() -> list[tuple[str, Any]]:
    return [("", _("As my device says")), *zone_choices()]


class PreferencesForm(forms.Form):
    """Drawn by hand (`accounts/appearance.html`); what it says of its choices is here."""

    theme = forms.ChoiceField(
        label=_("Theme"),
        choices=[
            ("auto", _("As on my device")),
            ("light", _("Light")),
            ("dark", _("Dark")),
        ],
        widget=forms.RadioSelect,
    )
    language = forms.ChoiceField(
        label=_("Language"),
        choices=[("", _("As in my browser")), *settings.LANGUAGES],
        required=False,
    )
    time_zone = forms.ChoiceField(label=_("Time zone"), choices=_time_zones, required=False)
    scroll = forms.BooleanField(
        label=_("Load older posts while scrolling"),
        help_text=_("Without it, a button at the end of the page brings them."),
        required=False,
        widget=SWITCH,
    )
    shortcuts = forms.BooleanField(
        label=_("Keyboard shortcuts"),
        help_text=_("Single keys, such as j for the next post and ? for the list of all."),
        required=False,
        widget=SWITCH,
    )
