"""When a post is published: at once, or at a time that its author chooses in their time zone."""

from datetime import datetime, timedelta
from typing import Any

from babel import Locale
from babel.dates import get_timezone_location
from django import forms
from django.conf import settings
from django.utils.translation import get_language, to_locale
from django.utils.translation import gettext_lazy as _

from feed.composing.moments import NoSuchTime, in_words, is_zone, moment_of
from feed.composing.scheduled import Slot
from socialsite.clock import utc_now
from socialsite.web.time_zones import zone_at_hand

EARLIEST = timedelta(minutes=5)  # from now
LATEST = timedelta(days=366)
TYPED = ("%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M")


class ScheduleForm(forms.Form):
    """The time at which a post is published, empty for now. A page that changes a scheduled post names it in
    `scheduled`; `version` is then that of the scheduled post, and `draft` an id for a text that comes too late."""

    publish_at = forms.CharField(
        label=_("Publish at"),
        required=False,
        max_length=30,
        error_messages={"max_length": _("Choose a day and a time.")},
    )
    zone = forms.CharField(widget=forms.HiddenInput, required=False, initial=zone_at_hand)
    scheduled = forms.CharField(widget=forms.HiddenInput, required=False)

    @property
    def zone_in_words(self) -> str:
        """Returns the place whose time it is, such as "Berlin"."""
        zone = str(self["zone"].value() or "")
        if not is_zone(zone) or zone == "UTC":
            return "UTC"
        locale = Locale.parse(to_locale(get_language() or settings.LANGUAGE_CODE))
        return get_timezone_location(zone, locale=locale, return_city=True).split("/")[-1]

    def clean_zone(self) -> str:
        zone: str = self.cleaned_data["zone"]
        return zone if is_zone(zone) else zone_at_hand()

    def clean(self) -> dict[str, Any]:
        """Returns the time as a moment in `publish_at`, None for now, and the scheduled post in `slot`, None for a new
        one."""
        values = dict(super().clean() or {})
        typed, zone = values.get("publish_at", ""), values.get("zone", "UTC")
        slot = Slot.of(values.pop("scheduled", ""))
        return values | {"slot": slot, "publish_at": self._moment(typed, zone) if typed else None}

    def _moment(self, typed: str, zone: str) -> datetime | None:
        local = _read(typed)
        if local is None:
            self.add_error("publish_at", _("Choose a day and a time."))
            return None
        try:
            moment = moment_of(local, zone)
        except NoSuchTime as error:
            following = in_words(error.following, zone)
            self.add_error("publish_at", SKIPPED % {"time": following})
            return None
        except OverflowError:
            self.add_error("publish_at", TOO_LATE)
            return None
        if moment < utc_now().replace(second=0, microsecond=0) + EARLIEST:
            self.add_error("publish_at", TOO_EARLY)
        elif moment > utc_now() + LATEST:
            self.add_error("publish_at", TOO_LATE)
        return moment


SKIPPED = _("The clocks skip this time. The next one is %(time)s.")
TOO_EARLY = _("Choose a time that is at least 5 minutes away.")
TOO_LATE = _("Choose a time within the next year.")


def as_planned(typed: str, zone: str) -> dict[str, str]:
    """Returns a time as a draft keeps it, with its zone, however late it is. Nothing if it is no time."""
    local = _read(typed)
    if local is None or not is_zone(zone):
        return {}
    return {"planned_time": local.isoformat(timespec="minutes"), "planned_zone": zone}


def _read(typed: str) -> datetime | None:
    for pattern in TYPED:
        try:
            return datetime.strptime(typed.strip(), pattern).replace(second=0)  # noqa: DTZ007 - clocks in a zone
        except ValueError:
            continue
    return None
