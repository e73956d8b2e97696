"""What was spent, by page, handler, job and feature."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from costs.models import CostDay
from costs.prices import Window, price
from socialsite.table import access_pattern, keys, query, row


@dataclass(frozen=True, slots=True)
class Spent:
    """What one spender spent on a day, or on several. `samples` is how often it was measured, the rest is estimated
    for all of it."""

    day: str
    kind: str
    name: str
    samples: int
    times: int
    reads: float
    writes: float

    @property
    def dollars(self) -> float:
        return price(reads=self.reads, writes=self.writes)


@access_pattern
def list_spent(window: Window) -> list[Spent]:
    """Returns what each spender spent on each of these days (UTC). One Query for each month, 0.5 read units per 4 KB:
    about 2.5 for a day on which 130 kinds of pages and handlers ran."""
    found = (
        row(CostDay, raw)
        for month in window.months
        for raw in query(keys.cost_days(month), between=window.bounds)
    )
    return [
        Spent(
            day=one.day,
            kind=one.kind,
            name=one.name,
            samples=int(one.samples),
            times=int(one.times),
            reads=int(one.half_reads) / 2,
            writes=int(one.writes),
        )
        for one in found
    ]


# Which feature each page, handler and job belongs to: by its room, and where a room has several, by its name.
#
# Names are those of `socialsite/table/meter.py`: `feed:home` is a page, `feed:fan_out_post` a stream handler,
# `feed:fan-out` a job, `feed:LikeCount` an item that the worker counts in. A test fails for a page without a
# feature, and for a name here that the code no longer has.


class Feature(StrEnum):
    TIMELINES = "timelines"
    FAN_OUT = "fan-out"
    POSTS = "posts"
    RESPONSES = "responses"
    SHELF = "shelf"
    PROFILES = "profiles"
    FINDING = "finding"
    RELATIONS = "relations"
    TAGS = "tags"
    PHOTOS = "photos"
    NOTIFICATIONS = "notifications"
    MESSAGES = "messages"
    APPS = "apps"
    ACCOUNTS = "accounts"
    MODERATION = "moderation"
    PRIVACY = "privacy"
    SITE = "site"
    STANDING = "standing"
    OTHER = "other"


LABELS: Mapping[Feature, str | Promise] = {
    Feature.TIMELINES: _("Timelines"),
    Feature.FAN_OUT: _("Fan-out to followers"),
    Feature.POSTS: _("Posts and replies"),
    Feature.RESPONSES: _("Likes, reposts and votes"),
    Feature.SHELF: _("Drafts, scheduled and saved posts"),
    Feature.PROFILES: _("Profiles"),
    Feature.FINDING: _("Search and discovery"),
    Feature.RELATIONS: _("Relationships"),
    Feature.TAGS: _("Tags"),
    Feature.PHOTOS: _("Photos"),
    Feature.NOTIFICATIONS: _("Notifications"),
    Feature.MESSAGES: _("Messages"),
    Feature.APPS: _("Apps"),
    Feature.ACCOUNTS: _("Accounts and sign-ins"),
    Feature.MODERATION: _("Moderation"),
    Feature.PRIVACY: _("Exports and deletion"),
    Feature.SITE: _("Fixed pages and errors"),
    Feature.STANDING: _("Running the site"),
    Feature.OTHER: _("Other"),
}

OF_ROOM: Mapping[str, Feature] = {
    "accounts": Feature.ACCOUNTS,
    "relations": Feature.RELATIONS,
    "photos": Feature.PHOTOS,
    "feed": Feature.POSTS,
    "tags": Feature.TAGS,
    "finding": Feature.FINDING,
    "notifications": Feature.NOTIFICATIONS,
    "chats": Feature.MESSAGES,
    "api": Feature.APPS,
    "moderation": Feature.MODERATION,
    "privacy": Feature.PRIVACY,
    "costs": Feature.STANDING,
    "lens": Feature.STANDING,
    "operations": Feature.STANDING,
    "socialsite": Feature.STANDING,
    "site": Feature.SITE,
    "site_votes": Feature.RESPONSES,
}

OF_NAMES: Mapping[Feature, frozenset[str]] = {
    Feature.TIMELINES: frozenset(
        {
            "feed:home", "feed:new_posts", "feed:favourites", "feed:local", "feed:backfill_timeline",
            "feed:empty_timeline", "feed:begin_rebuild", "feed:rebuild", "feed:list_in_public",
            "feed:list_timeline", "feed:keep_posts", "feed:forget_posts",
        }
    ),
    Feature.FAN_OUT: frozenset(
        {
            "feed:fan_out_post", "feed:fan_out_repost", "feed:fan_out_reply", "feed:fan_out_to_friends", "feed:fan-out",
            "feed:fan-out-reply", "tags:fan_out_tagged", "tags:fan-out-tag", "notifications:notify_of_post",
            "notifications:notify-of-post",
        }
    ),
    Feature.RESPONSES: frozenset(
        {
            "feed:like", "feed:likers", "feed:count_like", "feed:spread_likes", "feed:repost", "feed:reposters",
            "feed:count_repost", "feed:vote", "feed:count_vote", "feed:LikeCount",
        }
    ),
    Feature.SHELF: frozenset(
        {
            "feed:drafts", "feed:delete_draft", "feed:scheduled", "feed:publish_scheduled", "feed:delete_scheduled",
            "feed:saved", "feed:save_post", "feed:remove_saved", "feed:rename_folder",
            "feed:delete_folder",
        }
    ),
    Feature.PROFILES: frozenset(
        {"feed:profile", "feed:profile_media", "feed:liked", "feed:replies", "feed:card", "feed:atom"}
    ),
    Feature.FINDING: frozenset(
        {
            "feed:explore", "feed:explore_people", "feed:rank-liked-today", "feed:people_to_follow",
            "feed:dismiss_suggestion", "tags:complete", "tags:note_topics", "tags:count-topics",
            "relations:list_in_directory",
        }
    ),
}  # fmt: skip

_OF_NAME = {name: feature for feature, names in OF_NAMES.items() for name in names}

# What a site spends with or without people, as far as it can be told.
FIXED = frozenset({Feature.STANDING})


def feature_of(name: str) -> Feature:
    """Returns the feature of a page, handler or job, `OTHER` for one that the code no longer knows."""
    return _OF_NAME.get(name) or OF_ROOM.get(name.partition(":")[0], Feature.OTHER)
