"""Notices what new accounts post alike, what anyone writes alike to strangers, and when many of them come from one
network."""

from datetime import timedelta

from accounts.models import Origin
from accounts.sign_in.browsers import OriginKind
from chats.models import Message
from feed.posts.models import Post
from moderation.cases.reads import THE_SITE
from moderation.models import CaseKind, CaseReport
from moderation.suspicions.brigades import note_answers, note_report
from moderation.suspicions.writes import (
    NEWCOMER,
    note_newcomer,
    note_same_messages,
    note_same_posts,
)
from socialsite.site_settings.site_setup import ALWAYS_URGENT
from socialsite.streams import Change, Ledger, on
from socialsite.table import Item, ids, keys

NEW_AUTHOR = timedelta(days=30)


@on(Post, "INSERT", "MODIFY")
def note_posts_of_new_accounts(change: Change, ledger: Ledger) -> None:
    """Compares the posts of accounts younger than 30 days that everyone can read: new ones, edited ones, and those that
    were for fewer people or held before. Those of accounts younger than a day are noted for whom they answer or
    mention, too. Safe to run twice: it notes a post with the moment of the change, which is the same both times. As
    `note_same_posts`, for one text or host of most posts, or none, and `note_answers`."""
    post, old = change.item, change.old
    assert isinstance(post, Post)
    if change.moment - ids.time_of(post.author_id) > NEW_AUTHOR or not _is_for_everyone(post):
        return
    if _is_for_everyone(old) and isinstance(old, Post) and old.version == post.version:
        return
    ledger.note_effect()
    note_same_posts(post, moment=change.moment)
    if change.moment - ids.time_of(post.author_id) <= NEWCOMER:
        note_answers(post, moment=change.moment)


@on(Message, "INSERT")
def note_first_messages(change: Change, ledger: Ledger) -> None:
    """Compares first messages to strangers. Safe to run twice: it notes a message with the moment of the change, which
    is the same both times. As `note_same_messages` of those, nothing of all others."""
    message = change.item
    assert isinstance(message, Message)
    if message.likeness:
        ledger.note_effect()
        note_same_messages(message, moment=change.moment)


def _is_for_everyone(item: Item | None) -> bool:
    return isinstance(item, Post) and not item.audience and not item.withheld


@on(Origin, "INSERT")
def note_newcomers(change: Change, ledger: Ledger) -> None:
    """Notes accounts younger than a day by the networks that they sign in from; browsers are left alone. Signing in
    again from there changes the origin, and counts no more. Safe to run twice: it notes an account with the moment of
    the change, which is the same both times. As `note_newcomer`."""
    origin = change.item
    assert isinstance(origin, Origin)
    is_network = origin.key.pk.startswith(keys.origins(OriginKind.NETWORK, ""))
    if not is_network or change.moment - ids.time_of(origin.user_id) > NEWCOMER:
        return
    ledger.note_effect()
    note_newcomer(origin, moment=change.moment)


@on(CaseReport, "INSERT", "MODIFY")
def note_reporters(change: Change, ledger: Ledger) -> None:
    """Notes people who report someone in a new round of the case, to see whether they came together. Reports of danger,
    and of a sexual picture of a child, are left alone, as people are to report these without being asked why. Safe to
    run twice: it notes an account with the moment of the change, which is the same both times. As `note_report`."""
    report, old = change.item, change.old
    assert isinstance(report, CaseReport)
    of_people = keys.case_partition(CaseKind.PERSON, "")
    is_by_nobody = report.reporter_id == THE_SITE or report.erased
    is_told = isinstance(old, CaseReport) and old.round == report.round
    is_exempt = is_by_nobody or report.rule_id in ALWAYS_URGENT
    if is_exempt or is_told or not report.key.pk.startswith(of_people):
        return
    ledger.note_effect()
    target_id = report.key.pk.removeprefix(of_people)
    note_report(report.reporter_id, target_id=target_id, moment=change.moment)
