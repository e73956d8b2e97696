"""The item types by what they are about. A new type is in no family, and on no page, until it stands here."""

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


@dataclass(frozen=True, slots=True)
class Family:
    """`name` is for addresses."""

    name: str
    title: Promise
    about: Promise
    items: tuple[str, ...]


FAMILIES = (
    Family(
        "people",
        _("People"),
        _("A person with their counts and settings, and the ways to find them."),
        (
            *("UserInfo", "UserCount", "UserSettings", "Bell", "HandleClaim", "DirectoryEntry"),
            "Suggestions",
        ),
    ),
    Family(
        "relations",
        _("Relations"),
        _("How people stand to each other: each edge is an item at both of its ends."),
        ("Follower", "Following", "Relation", "PostSubscriber", "Dismissal"),
    ),
    Family(
        "posts",
        _("Posts"),
        _("What people say, in the partition of the person who says it."),
        (
            *("Post", "Repost", "PostVersion", "Photo", "MediaEntry", "Submission"),
            *("Draft", "Scheduled", "SavedPost", "OldPostsWish"),
        ),
    ),
    Family(
        "reactions",
        _("Likes, quotes and votes"),
        _("What others do with a post, in partitions of that post."),
        ("Like", "LikeCount", "LikeTrace", "Reposter", "Quote", "QuoteRefusal", "Vote"),
    ),
    Family(
        "threads",
        _("Threads"),
        _("A whole conversation in one partition, in the order in which it is read."),
        ("Reply", "ThreadGate", "LeftThread"),
    ),
    Family(
        "timelines",
        _("Timelines and tags"),
        _("Lists of pointers, filled by the stream’s worker. Most of them end by TTL."),
        (
            *("TimelineEntry", "RecentPosts", "PublicEntry"),
            *("TagEntry", "TagFollower", "FollowedTag", "TagUse"),
        ),
    ),
    Family(
        "notifications",
        _("Notifications"),
        _("What people are told, grouped when it is written."),
        ("Notification",),
    ),
    Family(
        "signing-in",
        _("Signing in"),
        _("How people come in. Secrets are hashed or sealed with a key for each person."),
        (
            *("Credentials", "PersonKey", "Passkey", "PasskeyClaim", "UsedChallenge", "SignIn"),
            *("Token", "EmailClaim", "DomainEntry", "Origin", "OriginTrace", "RateLimit"),
        ),
    ),
    Family(
        "moderation",
        _("Moderation"),
        _("Reports, decisions and the log of what staff did."),
        (
            *("Case", "CaseReport", "CaseEvidence", "CasePhoto", "CaseNote", "CaseMessage"),
            *("CaseAction", "CaseOutcome", "ClosedCase", "Strike", "ReportTrace", "DayCount"),
            *("PersonEntry", "PersonNote", "ProfileEvidence"),
            *("AuditHead", "AuditEntry", "Wave", "WaveTarget", "WaitingCount"),
            *("Hint", "SamePost"),
        ),
    ),
    Family(
        "site",
        _("The site"),
        _("How staff set the site up: one partition that each process keeps a copy of."),
        (
            *("SiteSettings", "SiteRule", "WordRule", "TextPreset", "EmailDomainBlock"),
            *("AddressBlock", "Invite", "Role", "SiteText", "Staff"),
        ),
    ),
    Family(
        "leaving",
        _("Taking data along, and leaving"),
        _("Copies that people ask for, and accounts that are erased."),
        ("Export", "Erasure", "Receipt"),
    ),
    Family(
        "machinery",
        _("Machinery"),
        _("What the worker and the clock remember, so that nothing is done twice or lost."),
        (
            *("DataState", "RetiredKey", "Lease", "StreamHost", "SeenRecord", "RecentChange"),
            *("DeadLetter", "Job", "Due", "CostSample", "CostDay"),
            "StoredCount",
        ),
    ),
)


def family_of(item: str) -> Family | None:
    """Returns the family of an item type, None for a type that this code does not know."""
    return next((family for family in FAMILIES if item in family.items), None)
