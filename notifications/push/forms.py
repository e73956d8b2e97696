"""The forms of push: how someone wants it, and what a browser brings when it is turned on."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from accounts.profile.forms import SWITCH
from notifications.push.choices import HOURS, MESSAGES, OTHER, SWITCHES, PushChoices
from notifications.push.services import LONGEST
from notifications.push.writes import APP, DEVICE
from socialsite.telling import OptOut
from socialsite.web.preferences import zone_at_hand

LABELS: dict[str, Any] = {
    MESSAGES: pgettext_lazy("notifications", "Messages"),
    OTHER: _("Decisions of moderators, and posts that weren’t published"),
}
FIRST_QUIET = (22, 7)
EVERY_HOUR = [(hour, f"{hour:02}:00") for hour in range(HOURS)]


class PushForm(forms.Form):
    """Switches that are on for what is pushed, quiet hours, and whether names are said. Only staff have one for cases;
    what others chose before they lost their role stays."""

    quiet = forms.BooleanField(
        label=_("Quiet hours"),
        help_text=_("What comes then is told when they end."),
        required=False,
        widget=SWITCH,
    )
    quiet_from = forms.TypedChoiceField(label=_("From"), choices=EVERY_HOUR, coerce=int)
    quiet_to = forms.TypedChoiceField(
        label=pgettext_lazy("hours", "To"), choices=EVERY_HOUR, coerce=int
    )
    hide_names = forms.BooleanField(
        label=_("Hide names"),
        help_text=_("A push then says “Something new”, as others may see your screen."),
        required=False,
        widget=SWITCH,
    )

    def __init__(self, *args: Any, chosen: PushChoices, is_staff: bool, **kwargs: Any) -> None:
        first = (chosen.quiet_from, chosen.quiet_to) if chosen.has_quiet else FIRST_QUIET
        kwargs["prefix"] = "push"
        kwargs["initial"] = {
            "quiet": chosen.has_quiet,
            "quiet_from": first[0],
            "quiet_to": first[1],
            "hide_names": not chosen.names,
        }
        super().__init__(*args, **kwargs)
        self.chosen = chosen
        self.kinds = [one for one in SWITCHES if one != OptOut.CASES or is_staff]
        rest = dict(self.fields)
        self.fields.clear()
        for kind in self.kinds:
            self.fields[kind] = forms.BooleanField(
                label=LABELS.get(kind) or OptOut(kind).label,
                required=False,
                widget=SWITCH,
                initial=chosen.wants(kind),
            )
        self.fields |= rest

    @property
    def switches(self) -> list[forms.BoundField]:
        return [self[kind] for kind in self.kinds]

    def choices(self) -> PushChoices:
        """Returns what was chosen. Hours are those of the zone in which this page shows times."""
        sent = self.cleaned_data
        unseen = {one for one in self.chosen.off if one not in self.kinds}
        return PushChoices(
            off=frozenset({one for one in self.kinds if not sent[one]} | unseen),
            names=not sent["hide_names"],
            quiet_from=sent["quiet_from"] if sent["quiet"] else 0,
            quiet_to=sent["quiet_to"] if sent["quiet"] else 0,
            zone=zone_at_hand(),
        )


class DeviceForm(forms.Form):
    """What a browser gives for its push service, as `PushSubscription.toJSON()` writes it. `key` is that of the site
    for which it was made, `renews` says that nobody pressed a button."""

    endpoint = forms.CharField(max_length=LONGEST, strip=False)
    p256dh = forms.CharField(max_length=120, strip=False)
    auth = forms.CharField(max_length=40, strip=False)
    key = forms.CharField(max_length=120, strip=False)
    renews = forms.BooleanField(required=False)


class OwnDeviceForm(forms.Form):
    """Which of one's devices."""

    device = forms.RegexField(rf"^({APP})?[0-9a-f]{{{DEVICE}}}$")
