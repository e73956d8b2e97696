"""Receipts, as their page shows them: what they say of each kind of thing that was deleted, or that stays."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from accounts.people.cards import count_text, is_held, moment_text
from privacy.erasure.phases import NAMES, Progress
from privacy.models import Receipt, State
from socialsite.clock import utc_now_iso
from socialsite.streams import Job, JobKind
from socialsite.table import NotFound, access_pattern, as_model, fetch, keys, row


def count_words() -> list[tuple[str, str]]:
    """Returns the kinds that are counted, with their words, in the order of the page."""
    return [
        ("posts", _("Posts and replies")),
        ("reposts", _("Reposts")),
        ("likes", _("Likes")),
        ("followers", _("Followers")),
        ("follows", _("People you followed")),
        ("relations", _("Friends, favourites, requests, blocks and mutes, of both sides")),
        ("tags", _("Tags you followed")),
        ("messages", _("Private messages, also what others wrote to you alone")),
        ("sign_ins", _("Sign-ins")),
        ("pictures", _("Pictures")),
        ("jobs", _("Unfinished work of the site")),
        ("others", _("Notifications, saved posts and what else was yours")),
        ("left", _("Traces in other places, found by the search")),
    ]


def kept_words(kind: str) -> list[str]:
    """Returns why something stays, nothing for a kind that this version does not know."""
    words = {
        "handle": _(
            "Your handle, which nobody can take until then, so that nobody can pose as you."
        ),
        "address": _(
            "A code made from your email address, because your account was suspended. It can’t be read, "
            "and bars a new account with this address."
        ),
        "evidence": _(
            "What moderators decided about you, and reports of you that they still have to look at, with the "
            "posts and photos it was about, so that decisions can be checked (Art. 17(3)(e) GDPR)."
        ),
        "log": _(
            "Entries about you in the moderators’ log. It is a chain that can’t be changed afterwards. "
            "It names you by a number only."
        ),
        "decisions": _("What you decided as a member of staff. It names you by a number only."),
        "reports": _(
            "What you reported, with the cases it belongs to. Nothing there leads to you."
        ),
        "places": _(
            "What others wrote: their replies, with “deleted” in place of your posts, and your handle "
            "where they mentioned you. It leads nowhere."
        ),
        "copies": _(
            "Scattered copies of your account’s number, such as in lists of others. Nobody sees them, and a "
            "search through everything removes them that night."
        ),
        "backups": _(
            "Backups of the whole site, which nobody looks into, until they are destroyed."
        ),
    }
    return [words[kind]] if kind in words else []


@dataclass(frozen=True, slots=True)
class ReceiptPage:
    """What the page says. `percent` is how far the erasure is, while it is under way."""

    can_be_kept: bool  # until the moment of the erasure, not until the clock gets to it
    is_busy: bool
    kept_by_law: str  # until when, while the erasure waits for that
    has_begun: bool
    asked_at: str
    closing: str
    erased_at: str
    searched_at: str
    percent: int
    counts: list[tuple[str, str]]  # what was deleted, and how many
    kept: list[tuple[str, str]]  # what stays, and until when
    reads: str
    writes: str


@access_pattern
def get_receipt(receipt_id: str) -> ReceiptPage:
    """Returns a receipt, with the progress of the job. Raises `NotFound`. One consistent BatchGetItem, 2 read units."""
    key, job_key = keys.receipt(receipt_id), keys.job(JobKind.ERASE, receipt_id)
    found = fetch([key, job_key], consistent=True)
    if key not in found:
        raise NotFound("no such receipt")
    receipt = as_model(Receipt, found[key])
    progress = Progress.from_cursor(row(Job, found.get(job_key, {})).cursor)
    is_under_way = receipt.state == State.BEGUN
    held = receipt.held_until or ""
    is_later = receipt.state == State.BEGUN or (
        receipt.state == State.PLANNED and held > receipt.closing
    )
    waits = is_held(held) and is_later
    can_be_kept = receipt.state == State.PLANNED and receipt.closing > utc_now_iso()
    counts = progress.counts if is_under_way and not waits else (receipt.counts or {})
    return ReceiptPage(
        can_be_kept=can_be_kept,
        is_busy=receipt.state in (State.PLANNED, State.BEGUN) and not can_be_kept and not waits,
        kept_by_law=moment_text(held) if waits else "",
        has_begun=is_under_way,
        asked_at=moment_text(receipt.asked_at),
        closing=moment_text(receipt.closing),
        erased_at=moment_text(receipt.erased_at or ""),
        searched_at=moment_text(receipt.searched_at or ""),
        percent=100 * progress.phase // len(NAMES),
        counts=[
            (word, count_text(counts[kind])) for kind, word in count_words() if counts.get(kind)
        ],
        kept=[
            (text, moment_text(until))
            for kind, until in receipt.kept or ()
            for text in kept_words(kind)
        ],
        reads=count_text(int(receipt.reads)),
        writes=count_text(int(receipt.writes)),
    )
