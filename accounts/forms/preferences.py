"""How the site looks and behaves for someone."""

from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from accounts.forms.switch import SWITCH
from socialsite.web.time_zones import zone_choices


def _time_zones() -> list[tuple[str, Any]]:
    return [("", _("As my device says")), *zone_choices()]


class PreferencesForm(forms.Form):
    """The template (`accounts/appearance.html`) draws the fields itself. The help texts are here."""

    theme = forms.ChoiceField(
        label=_("Theme"),
        choices=[
            ("auto", _("Same as my device")),
            ("light", _("Light")),
            ("dark", _("Dark")),
        ],
        widget=forms.RadioSelect,
    )
    language = forms.ChoiceField(
        label=_("Language"),
        choices=[("", _("Same as my browser")), *settings.LANGUAGES],
        required=False,
    )
    time_zone = forms.ChoiceField(label=_("Time zone"), choices=_time_zones, required=False)
    scroll = forms.BooleanField(
        label=_("Load older posts as I scroll"),
        help_text=_("When this is off, use the button at the end of the page."),
        required=False,
        widget=SWITCH,
    )
    opens_warnings = forms.BooleanField(
        label=_("Always open posts with a content warning"),
        help_text=_(
            "When this is off, you see the warning first. Posts that moderators covered stay covered."
        ),
        required=False,
        widget=SWITCH,
    )
    reminds_to_describe = forms.BooleanField(
        label=_("Remind me to describe photos"),
        help_text=_("Asks once before you post a photo without a description."),
        required=False,
        widget=SWITCH,
    )
    shortcuts = forms.BooleanField(
        label=_("Keyboard shortcuts"),
        help_text=_("Press a single key, such as j for the next post or ? for the full list."),
        required=False,
        widget=SWITCH,
    )
