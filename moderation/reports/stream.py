"""Turns held posts, flagged posts and waiting sign-ups into cases of the queue, and limits authors if a word filter
that their post met says so."""

from contextlib import suppress

from accounts.models import UserInfo
from feed.posts.models import Audience, Post, Withheld
from moderation.cases.changes import begin_case
from moderation.cases.decisions import act_automatically
from moderation.cases.reads import CaseId, CaseMoved
from moderation.models import CaseKind, Queue
from moderation.reports.writes import close_gone, flag_post, reopen_held
from socialsite.site_settings.site_rules import read_site_rules, rule_of, site_rules
from socialsite.site_settings.site_setup import MINOR, SOMETHING_ELSE
from socialsite.site_settings.word_filters import Effect, Word
from socialsite.streams import Change, Ledger, on
from socialsite.table import Check, NotFound, keys, transact


@on(Post, "INSERT")
def open_case_of_post(change: Change, ledger: Ledger) -> None:
    """Opens a case for a new post that is held or met a word filter. Safe to run twice: an existing case stays as it
    is, and the site reports each post once. Safe after the post is deleted, because the post is read first."""
    post = change.item
    assert isinstance(post, Post)
    if post.withheld == Withheld.HELD:
        ledger.note_effect()
        case_id = CaseId(CaseKind.POST, post.post_id)
        still = Check(keys.post(post.author_id, post.post_id), Post.withheld.exists())
        _begin(case_id, post.author_id, Queue.HELD, still)
    elif post.flagged:
        _flag(post, ledger)


@on(Post, "MODIFY")
def open_case_of_edited_post(change: Change, ledger: Ledger) -> None:
    """Opens a case for a post whose edit is held or met a word filter, again if there was one about the post; and for a
    post that only its author could see before. Safe to run twice: only a post that still waits gets a case, an open
    case stays as it is, and the site reports each text once."""
    old, post = change.old, change.new
    assert isinstance(old, Post)
    assert isinstance(post, Post)
    is_shown = old.audience == Audience.ONLY_ME and post.audience != Audience.ONLY_ME
    if old.version == post.version and not is_shown:
        return
    if post.withheld == Withheld.HELD:
        ledger.note_effect()
        reopen_held(post_id=post.post_id, author_id=post.author_id)
    elif post.flagged:
        _flag(post, ledger)


@on(Post, "REMOVE")
def close_case_of_post(change: Change, ledger: Ledger) -> None:
    """Closes the case of a held post that its author deleted, even if it was hidden meanwhile: nobody has to decide
    about it any more. Safe to run twice."""
    post = change.item
    assert isinstance(post, Post)
    if post.withheld:
        ledger.note_effect()
        close_gone(case_id=CaseId(CaseKind.POST, post.post_id))


@on(UserInfo, "INSERT")
def open_case_of_sign_up(change: Change, ledger: Ledger) -> None:
    """Opens a case for a sign-up that waits for approval. Safe to run twice: an existing case stays as it is."""
    info = change.item
    assert isinstance(info, UserInfo)
    if info.waiting:
        ledger.note_effect()
        _begin(CaseId(CaseKind.SIGN_UP, info.user_id), info.user_id, Queue.SIGN_UPS)


def _flag(post: Post, ledger: Ledger) -> None:
    ledger.note_effect()
    words = _words_met(str(post.flagged))
    rules = [rule_of(word.site_rule) for word in words]
    rule = min(rules, key=lambda rule: rule.severity, default=SOMETHING_ELSE)
    with suppress(NotFound):  # deleted meanwhile
        flag_post(
            post_id=post.post_id,
            author_id=post.author_id,
            rule_id=rule.rule_id,
            severity=rule.severity,
            word_ids=str(post.flagged).split(),
        )
        limiting = [word for word in words if word.effect == Effect.LIMIT]
        if limiting:
            act_automatically(post=post, word=max(limiting, key=lambda word: word.days))


def _words_met(flagged: str) -> list[Word]:
    """Returns the word filters that the post met. Reads the rules anew if this process's copy does not know all of them
    yet, one consistent Query: a limit must not be missed."""
    words = site_rules().words_met(flagged)
    return words if len(words) == len(flagged.split()) else read_site_rules().words_met(flagged)


def _begin(case_id: CaseId, person_id: str, queue: Queue, *checks: Check) -> None:
    with suppress(CaseMoved, NotFound):
        transact(begin_case(case_id, person_id=person_id, queue=queue, severity=MINOR), *checks)
