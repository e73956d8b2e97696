"""How items leave the table: which types have a `ttl`, how long, and whether the archive keeps them
(`docs/archive.md`)."""

from enum import StrEnum
from typing import NamedTuple


class Archived(StrEnum):
    """Whether the archive keeps items of a type that TTL removed."""

    YES = "yes"
    NO = "no"
    AS_SET = "where `ARCHIVE_EXPIRED_POSTS` is 1"


class Leaving(NamedTuple):
    """`ttl` says when an item of the type expires, `why` why it leaves so, and why it is archived or not."""

    ttl: str
    archived: Archived
    why: str


YES, NO, AS_SET = Archived.YES, Archived.NO, Archived.AS_SET

OF_CASES = (  # what moderators keep for a term after an account was erased
    "Case",
    "CaseAction",
    "CaseEvidence",
    "CaseMessage",
    "CaseNote",
    "CaseOutcome",
    "CasePhoto",
    "CaseReport",
    "ClosedCase",
    "MessageEvidence",
    "PackEvidence",
    "ProfileEvidence",
    "ReportTrace",
    "Strike",
)
LEAVING = {
    **dict.fromkeys(
        OF_CASES,
        Leaving(
            "180 days after the account was erased", NO, "evidence has a term, and then is gone"
        ),
    ),
    "App": Leaving(
        "30 days after it was registered, 210 after someone last used it",
        NO,
        "the name of a program that nobody here uses",
    ),
    "AppCode": Leaving("10 minutes", NO, "a secret's hash"),
    "AppToken": Leaving("180 days after its last use", NO, "a secret's hash"),
    "ChatEntry": Leaving("with its last message", NO, "says who writes to whom"),
    "CostDay": Leaving("400 days", NO, "sums for a page that compares with the year before"),
    "CostSample": Leaving("2 days", NO, "the clock has added it to its day"),
    "DayCount": Leaving("91 days, that of a word filter", NO, "a chart of the last weeks"),
    "Dismissal": Leaving("90 days", NO, "a suggestion that someone does not want now"),
    "Draft": Leaving("90 days after it was last saved", NO, "private, and never published"),
    "EmailClaim": Leaving(
        "7 days for an undo, until its end for a suspension, at most 365 days",
        NO,
        "names an address by its hash",
    ),
    "Explored": Leaving("1 hour", NO, "a list of pointers, made anew each quarter of an hour"),
    "Export": Leaving("24 hours", NO, "the files are deleted"),
    "HelpOffer": Leaving(
        "90 days", NO, "kind words to one person, who has read them or never will"
    ),
    "HandleClaim": Leaving("90 days after the handle was given up", NO, "names a person"),
    "Hint": Leaving("2 days", NO, "a suspicion that led to nothing"),
    "Invite": Leaving(
        "the days that it was made for", YES, "who let whom in is asked long afterwards"
    ),
    "Lease": Leaving("7 days after its shard ended", NO, "the place of a process in the stream"),
    "LikeCount": Leaving("with its post", AS_SET, "goes with the post"),
    "MediaEntry": Leaving("with its post", NO, "a pointer"),
    "Message": Leaving(
        "7 days, or as long as its people chose", NO, "private, and meant to disappear"
    ),
    "Notification": Leaving("90 days", NO, "names who did what to whom"),
    "Origin": Leaving("90 days after the last sign-in", NO, "from where someone signed in"),
    "OriginTrace": Leaving("90 days after the last sign-in", NO, "from where someone signed in"),
    "PersonEntry": Leaving("the end of the restriction", NO, "a pointer for staff"),
    "Photo": Leaving(
        "1 day unless something shows it, with its message", NO, "private until it is shown"
    ),
    "Post": Leaving(
        "1 hour, 1 day or 1 week, if its author chose so", AS_SET, "its author let it disappear"
    ),
    "PublicEntry": Leaving("8 days", NO, "a pointer, whose post stays"),
    "PushSubscription": Leaving(
        "60 days after the last visit, an app's with its token",
        NO,
        "where to reach someone, for as long as they visit",
    ),
    "PushWork": Leaving("2 days", NO, "a push that no pusher sent"),
    "RateLimit": Leaving("the end of its window", NO, "counts tries of an address"),
    "Receipt": Leaving("365 days", NO, "its address was given to the person who left"),
    "RecentChange": Leaving("2 days", NO, "the stream's own books"),
    "Repost": Leaving("at once, when its post is gone", NO, "a pointer to nothing"),
    "SamePost": Leaving("2 days", NO, "what new accounts wrote alike"),
    "SeenRecord": Leaving("2 days", NO, "the stream's own books"),
    "SignIn": Leaving("90 days after its last use", NO, "a secret's hash"),
    "StoredCount": Leaving("400 days", NO, "sums for a page that compares with the year before"),
    "Submission": Leaving("1 day", NO, "keeps a form from publishing twice"),
    "Suggestions": Leaving("30 days", NO, "found anew"),
    "TagEntry": Leaving("90 days after its post", NO, "a pointer, whose post stays"),
    "TopicAuthor": Leaving("7 hours after its post", NO, "names who used a tag in an hour"),
    "TagUse": Leaving("90 days after its last post", YES, "names a tag and nobody"),
    "TimelineEntry": Leaving("30 days after its post", NO, "a pointer, whose post stays"),
    "Token": Leaving("30 minutes, 3 or 7 days by what it is for", NO, "a secret's hash"),
    "Transfer": Leaving("90 days", NO, "names people of other sites, for its person alone"),
    "TransferLines": Leaving("7 days", NO, "lines of a file that nobody came to"),
    "TransferReport": Leaving("90 days", NO, "names people of other sites, for its person alone"),
    "UsedChallenge": Leaving("10 minutes", NO, "keeps an answer from being used twice"),
    "SiteBallot": Leaving("30 days after the vote", NO, "the vote is counted, and nobody is named"),
    "SiteVoteNotice": Leaving("1 day after the vote", NO, "the vote itself stays"),
    "Wave": Leaving("90 days", NO, "each of its decisions is in the log"),
    "WaveTarget": Leaving("90 days", NO, "each of its decisions is in the log"),
    "WordEntry": Leaving("90 days after its post", NO, "a pointer, whose post stays"),
    "WordUse": Leaving("90 days after its last change", YES, "names a word and nobody"),
}
# They stay until something deletes them. Were one of them to get a ttl, it would not be archived either.
PRIVATE_WITHOUT_TTL = {
    "Chat",
    "DomainEntry",
    "Due",
    "Hold",
    "KeptMessage",
    "PersonKey",
    "PushHost",
    "PushKey",
    "Scheduled",
    "Vote",
}
NOT_ARCHIVED = {name for name, one in LEAVING.items() if one.archived == NO} | PRIVATE_WITHOUT_TTL
OF_POSTS = {name for name, one in LEAVING.items() if one.archived == AS_SET}
