"""What is exported of a person's settings."""

from datetime import datetime

from django.utils.translation import gettext_lazy as _

from accounts.mail.choices import LetterChoice
from accounts.models import Bell, UserSettings
from notifications.push.choices import read_choices
from privacy.export.kinds import (
    DAY,
    FLAG,
    PERSON,
    TEXT,
    TEXT_BY_KEY,
    TEXTS,
    Field,
    Kind,
    Owner,
    Record,
    many,
    name_people,
)
from socialsite.table import row
from socialsite.web.preferences import Preferences, parse

SETTINGS = Kind(
    "settings",
    _("Settings"),
    {
        "theme": Field(TEXT, "`auto`, `light` or `dark`."),
        "language": Field(TEXT, "The language of pages, empty for the browser's."),
        "time_zone": Field(TEXT, "The time zone of pages, empty for the device's."),
        "loads_older_posts": Field(FLAG, "Whether lists go on by themselves."),
        "shortcuts": Field(FLAG, "Whether single keys are shortcuts."),
        "opens_warnings": Field(FLAG, "Whether posts with a warning are open at once."),
        "reminds_to_describe": Field(
            FLAG, "Whether photos without a description bring a reminder."
        ),
        "not_notified_of": Field(TEXTS, "What you do not want to be notified of."),
        "letters": Field(TEXT_BY_KEY, "The letters that you asked for, and when they come."),
        "pushes": Field(TEXT_BY_KEY, "What is not pushed to your devices, when not, and how."),
        "hides_reposts_of": Field(many(PERSON), "People whose reposts you hide."),
        "circles": Field(TEXT_BY_KEY, "Your circles: names by id."),
        "folders": Field(TEXT_BY_KEY, "Your folders of saved posts: names by id."),
        "former_handles": Field(TEXT_BY_KEY, "Handles you had before, and when you gave each up."),
        "reason_for_joining": Field(TEXT, "What you wrote when you asked to join."),
        "last_here_on": Field(DAY, "The last day on which you used the site."),
    },
    (
        (_("Language"), "language"),
        (_("Time zone"), "time_zone"),
        (_("Not notified of"), "not_notified_of"),
        (_("Letters"), "letters"),
        (_("Hides reposts of"), "hides_reposts_of"),
        (_("Circles"), "circles"),
        (_("Folders"), "folders"),
        (_("Last here on"), "last_here_on"),
    ),
)


def settings_record(owner: Owner) -> Record:
    """Returns the settings, from what `find_owner` has read."""
    settings = row(UserSettings, owner.settings)
    chosen = parse(str(settings.preferences)) or Preferences()
    handles = name_people(settings.without_reposts or ())
    return {
        "theme": chosen.theme,
        "language": chosen.language,
        "time_zone": chosen.time_zone,
        "loads_older_posts": chosen.scroll,
        "shortcuts": chosen.shortcuts,
        "opens_warnings": chosen.opens_warnings,
        "reminds_to_describe": chosen.reminds_to_describe,
        "not_notified_of": list(settings.opted_out or ()),
        "letters": LetterChoice.from_kept(settings.letters).in_words(),
        "pushes": read_choices(row(Bell, owner.bell).push_as).in_words(),
        "hides_reposts_of": [
            owner.person(user_id, handles) for user_id in settings.without_reposts or ()
        ],
        "circles": owner.circles,
        "folders": owner.folders,
        "former_handles": dict(settings.former_handles or {}),
        "reason_for_joining": settings.asked,
        "last_here_on": datetime.fromisoformat(settings.seen).date().isoformat()
        if settings.seen
        else "",
    }
