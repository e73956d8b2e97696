"""Which type leaves the table how is said in one place, and that place is held against the models and the document."""

import ast
import re
from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.conf import settings

import accounts.access.writes
import accounts.people.reads
import accounts.sign_in.browsers
import chats.models
import costs.keeping
import costs.stream_handlers
import feed.composing.reads
import feed.explore.writes
import feed.posts.writes
import feed.publishing.writes
import feed.timelines.local
import moderation.bulk_decisions.reads
import moderation.danger.writes
import moderation.staff.overview
import moderation.suspicions.reads
import notifications.delivery
import notifications.models
import notifications.push.writes
import photos.writes
import privacy.erasure.writes
import privacy.export.stream
import privacy.importing.writes
import relations.own_choices.writes
import relations.suggested
import site_votes.writes
import tags.trending
from accounts.credentials.passkeys import CHALLENGE_SECONDS
from accounts.mail.tokens import LASTS, Purpose
from feed.posts.models import Post
from operations.seed.demo_data import DemoData, Sizes
from socialsite.streams import late_writes, leases
from socialsite.streams.archive import _is_kept
from socialsite.streams.lambda_handler import MARKER_HOURS
from socialsite.streams.leaving import LEAVING, OF_CASES, PRIVATE_WITHOUT_TTL, Archived
from socialsite.streams.models import RETIRED_ITEMS
from socialsite.table import item_models
from tests.test_architecture import PACKAGES, ROOT, python_files

DOCUMENT = ROOT / "docs" / "archive.md"
ROW = re.compile(r"^\| `(\w+)` \| (.+?) \| (.+?) \| (.+?) \|$", re.MULTILINE)
# Where an item is changed under another name than that of its type.
KNOWN_AS = {
    "entry": "PersonEntry",
    "outcome": "CaseOutcome",
    "receipt": "Receipt",
    "photo": "Photo",
    "item": None,  # `archive restore` takes the ttl away
    "Item": None,  # parts of a case, by `let_case_end`
}


def trees() -> Iterator[ast.AST]:
    for file in python_files(*PACKAGES):
        yield from ast.walk(ast.parse(file.read_text()))


def types_that_get_a_ttl() -> set[str]:
    """The types whose code sets `ttl`: as a keyword in the model or where it is made, by an update, or on the item."""
    found: set[str | None] = set()
    for node in trees():
        match node:
            case ast.ClassDef(name=name):
                inner = [one for one in ast.walk(node) if isinstance(one, ast.keyword)]
                if any(one.arg == "ttl" for one in inner):
                    found.add(name)
            case ast.Call(func=ast.Name(id=name), keywords=words) if name in item_models():
                if any(one.arg == "ttl" for one in words):
                    found.add(name)
            case ast.Call(
                func=ast.Attribute(
                    attr="set", value=ast.Attribute(attr="ttl", value=ast.Name(id=name))
                )
            ):
                found.add(KNOWN_AS.get(name, name))
            case ast.Assign(targets=targets):
                for one in ast.walk(ast.Tuple(elts=targets)):
                    if isinstance(one, ast.Attribute) and one.attr == "ttl":
                        found.add(KNOWN_AS[one.value.id])
    return {name for name in found if name in item_models()}


def test_every_type_that_gets_a_ttl_is_in_the_table_and_no_other():
    assert types_that_get_a_ttl() | set(OF_CASES) == set(LEAVING)


def test_no_item_of_the_demo_site_expires_that_is_not_in_the_table():
    found = {
        raw["type"]["S"]
        for item in DemoData(Sizes(8, 40, 3, 5, 0)).items()
        for raw in [item.serialize()]
        if "ttl" in raw
    }
    assert found
    assert found <= set(LEAVING)


def test_the_document_has_the_table_row_by_row():
    rows = ROW.findall(DOCUMENT.read_text())
    assert [row[0] for row in rows] == sorted(LEAVING)
    for name, ttl, archived, why in rows:
        assert (ttl, archived, why) == tuple(map(str, LEAVING[name])), name


def test_the_document_names_the_types_that_never_expire():
    _, _, after = DOCUMENT.read_text().partition("These types have no `ttl`.")
    said = re.findall(r"`(\w+)`", after.partition("\n\n")[0])
    assert said == sorted(set(item_models()) - set(LEAVING) - RETIRED_ITEMS)
    assert set(said) >= PRIVATE_WITHOUT_TTL


@pytest.mark.parametrize("is_set", [False, True])
def test_the_worker_archives_what_the_table_says(settings, is_set):
    settings.ARCHIVE_EXPIRED_POSTS = is_set
    kept = {name for name in LEAVING if _is_kept(name)}
    as_set = {name for name, one in LEAVING.items() if one.archived == Archived.AS_SET}
    always = {name for name, one in LEAVING.items() if one.archived == Archived.YES}
    assert kept == (always | as_set if is_set else always)
    assert not [name for name in PRIVATE_WITHOUT_TTL | RETIRED_ITEMS if _is_kept(name)]


DAY = timedelta(days=1)
LONG = {
    **dict.fromkeys(OF_CASES, privacy.erasure.writes.EVIDENCE_KEPT),
    "App": accounts.access.writes.UNUSED_APP,
    "AppCode": accounts.access.writes.CODE_LASTS,
    "AppToken": accounts.access.writes.KEPT_WITHOUT_USE,
    "CostDay": costs.stream_handlers.DAYS_KEPT,
    "CostSample": costs.keeping.SAMPLE_KEPT,
    "DayCount": moderation.staff.overview.KEPT_DAYS * DAY,
    "Dismissal": relations.own_choices.writes.HOLDS_FOR,
    "Draft": feed.composing.reads.DRAFT_DAYS * DAY,
    "EmailClaim": LASTS[Purpose.UNDO],
    "Explored": feed.explore.writes.LASTS,
    "Export": privacy.export.stream.OFFERED_FOR,
    "HelpOffer": moderation.danger.writes.KEPT,
    "HandleClaim": accounts.people.reads.KEPT,
    "Hint": moderation.suspicions.reads.KEPT,
    "Lease": leases.DONE_KEPT_FOR,
    "Message": chats.models.KEEP_DAYS * DAY,
    "Notification": notifications.delivery.KEPT_DAYS * DAY,
    "Origin": accounts.sign_in.browsers.DAYS * DAY,
    "OriginTrace": accounts.sign_in.browsers.DAYS * DAY,
    "Photo": photos.writes.KEPT_UNUSED,
    "Post": min(feed.posts.writes.LASTS.values()),
    "Transfer": privacy.importing.writes.REPORT_KEPT,
    "TransferLines": privacy.importing.writes.LINES_KEPT,
    "TransferReport": privacy.importing.writes.REPORT_KEPT,
    "PublicEntry": (feed.timelines.local.DAYS + 1) * DAY,
    "Receipt": privacy.erasure.writes.RECEIPT_KEPT,
    "PushSubscription": notifications.push.writes.KEPT_DAYS * DAY,
    "PushWork": notifications.models.KEPT_WITHOUT_PUSHER,
    "RecentChange": late_writes.REMEMBERED_FOR,
    "SamePost": moderation.suspicions.reads.KEPT,
    "SeenRecord": timedelta(hours=MARKER_HOURS),
    "SignIn": settings.SIGN_IN_DAYS * DAY,
    "StoredCount": costs.stream_handlers.KEPT,
    "SiteBallot": site_votes.writes.BALLOTS_KEPT,
    "SiteVoteNotice": DAY,
    "Submission": feed.publishing.writes.SUBMISSION_DAYS * DAY,
    "Suggestions": relations.suggested.KEPT_FOR,
    "TagEntry": settings.TAG_DAYS * DAY,
    "TagUse": settings.TAG_DAYS * DAY,
    "TimelineEntry": settings.TIMELINE_DAYS * DAY,
    "Token": min(LASTS.values()),
    "TopicAuthor": (tags.trending.HOURS + 1) * tags.trending.HOUR,
    "UsedChallenge": timedelta(seconds=2 * CHALLENGE_SECONDS),
    "WordEntry": settings.TAG_DAYS * DAY,
    "WordUse": settings.TAG_DAYS * DAY,
    "Wave": moderation.bulk_decisions.reads.KEPT,
    "WaveTarget": moderation.bulk_decisions.reads.KEPT,
}
UNITS = {"day": DAY, "hour": timedelta(hours=1), "minute": timedelta(minutes=1)}


def test_a_ttl_in_days_hours_or_minutes_is_that_of_the_code():
    for name, long in LONG.items():
        number, unit = re.match(r"(\d+) (day|hour|minute)s?\b", LEAVING[name].ttl).groups()
        assert int(number) * UNITS[unit] == long, name


def test_a_ttl_without_a_number_has_no_term_of_its_own():
    assert {name for name in LEAVING if name not in LONG} == {
        *("ChatEntry", "Invite", "LikeCount", "MediaEntry", "PersonEntry", "RateLimit", "Repost")
    }
    assert not [name for name in set(LEAVING) - set(LONG) if re.search(r"\d", LEAVING[name].ttl)]
    assert Post.__name__ in LONG
