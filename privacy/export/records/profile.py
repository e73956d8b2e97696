"""A person's profile and settings."""

from collections.abc import Iterator
from datetime import datetime

from django.utils.translation import gettext_lazy as _

from accounts.models import UserCount, UserInfo, UserSettings
from accounts.models.ends import posts_now
from accounts.restrictions import FOR_EVER
from privacy.export.fields import (
    DAY,
    FLAG,
    MOMENT,
    NUMBER,
    PERSON,
    TEXT,
    TEXT_BY_KEY,
    TEXTS,
    Field,
    Record,
    many,
)
from privacy.export.kinds import Kind
from privacy.export.owner import Owner, name_people
from privacy.export.records.posts import moment_of
from socialsite.table.row import row
from socialsite.web.preferences import Preferences, parse

AVATAR, HEADER = "media/avatar.webp", "media/header.webp"
UNTIL_LIFTED = "until a moderator lifts it"

PROFILE = Kind(
    "profile",
    _("Profile"),
    {
        "id": Field(TEXT, "The id of your account."),
        "handle": Field(TEXT, "Your handle."),
        "url": Field(TEXT, "The address of your profile."),
        "name": Field(TEXT, "Your name."),
        "bio": Field(TEXT, "What your profile says about you."),
        "location": Field(TEXT, "Where you are, as you wrote it."),
        "gender": Field(TEXT, "How you want to be spoken of."),
        "picture": Field(TEXT, "The path of your picture in this export, empty without one."),
        "header": Field(TEXT, "The path of your header picture in this export, empty without one."),
        "joined_at": Field(MOMENT, "When you signed up, in UTC."),
        "role": Field(TEXT, "Your role among the staff, empty if you have none."),
        "approves_followers": Field(FLAG, "Whether you decide who follows you."),
        "older_posts_for_followers": Field(
            MOMENT, "Posts from before this moment are for followers only. Empty for none."
        ),
        "not_suggested": Field(FLAG, "Whether you are kept out of suggestions."),
        "not_in_search_engines": Field(FLAG, "Whether search engines are asked to stay away."),
        "waits_for_approval": Field(FLAG, "Whether moderators have not approved you yet."),
        "paused": Field(FLAG, "Whether you paused your account."),
        "limited_until": Field(TEXT, "Until when moderators limit your account, empty if never."),
        "frozen_until": Field(TEXT, "Until when they freeze it."),
        "suspended_until": Field(TEXT, "Until when they suspend it."),
        "followers": Field(NUMBER, "How many people follow you."),
        "following": Field(NUMBER, "How many people you follow."),
        "friends": Field(NUMBER, "How many friends you have."),
        "posts": Field(NUMBER, "How many posts you have, with replies and quotes."),
        "pinned_posts": Field(TEXTS, "The ids of the posts at the top of your page."),
    },
)

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
        (_("Hides reposts of"), "hides_reposts_of"),
        (_("Circles"), "circles"),
        (_("Folders"), "folders"),
        (_("Last here on"), "last_here_on"),
    ),
)


def profile_lines(owner: Owner) -> Iterator[tuple[str, Record]]:
    """Yields the profile and the settings, from what `find_owner` has read."""
    yield PROFILE.name, _profile(owner)
    yield SETTINGS.name, _settings(owner)


def _profile(owner: Owner) -> Record:
    info, count = row(UserInfo, owner.info), row(UserCount, owner.count)
    return {
        "id": owner.user_id,
        "handle": info.handle,
        "url": owner.person(owner.user_id, {owner.user_id: info.handle})["url"],
        "name": info.name,
        "bio": info.bio,
        "location": info.location,
        "gender": info.gender,
        "picture": AVATAR if info.avatar else "",
        "header": HEADER if info.header else "",
        "joined_at": moment_of(owner.user_id),
        "role": info.role,
        "approves_followers": bool(info.locked),
        "older_posts_for_followers": moment_of(info.archived_before)
        if info.archived_before
        else "",
        "not_suggested": bool(info.not_suggested),
        "not_in_search_engines": bool(info.not_indexed),
        "waits_for_approval": bool(info.waiting),
        "paused": bool(info.paused),
        "limited_until": _end(str(info.limited_until)),
        "frozen_until": _end(str(info.frozen_until)),
        "suspended_until": _end(str(info.suspended_until)),
        "followers": int(count.followers),
        "following": int(count.following),
        "friends": int(count.friends),
        "posts": posts_now(count),
        "pinned_posts": list(count.pins or ()),
    }


def _end(until: str) -> str:
    return UNTIL_LIFTED if until >= FOR_EVER else until


def _settings(owner: Owner) -> Record:
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
