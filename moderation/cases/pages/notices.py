"""The words that people read about moderation: decisions about them, and outcomes of their reports."""

from django.utils.translation import gettext, ngettext

from moderation.models import ActionKind

ON_THE_ACCOUNT = {ActionKind.LIMIT, ActionKind.FREEZE, ActionKind.SUSPEND, ActionKind.DECLINE}
WITHOUT_A_BREACH = {ActionKind.DISMISS}


def done_text(kind: str, posts: int) -> str:
    """Returns what was done, as a sentence to the person."""
    match kind:
        case ActionKind.WARN:
            return gettext("You received a warning")
        case ActionKind.SENSITIVE:
            return ngettext(
                "One of your posts was marked as sensitive",
                "%(n)d of your posts were marked as sensitive",
                posts,
            ) % {"n": posts}
        case ActionKind.HIDE:
            return ngettext(
                "One of your posts was hidden", "%(n)d of your posts were hidden", posts
            ) % {"n": posts}
        case ActionKind.RESET:
            return gettext("Parts of your profile were removed")
        case ActionKind.LIMIT:
            return gettext("Your account was limited")
        case ActionKind.FREEZE:
            return gettext("Your account was frozen")
        case ActionKind.SUSPEND:
            return gettext("Your account was suspended")
        case ActionKind.REFUSE:
            return gettext("One of your posts wasn’t published")
        case ActionKind.DECLINE:
            return gettext("Your sign-up was declined")
    return gettext("A moderator made a decision")


def outcome_text(decision: str, *, is_undone: bool = False) -> str:
    """Returns the outcome of a report, as a sentence to the reporter. It does not say which action was taken."""
    if not decision:
        return gettext("We’re looking into it")
    if decision in WITHOUT_A_BREACH:
        return gettext("We found that no rule was broken")
    if decision == ActionKind.CLOSE:
        return gettext("We looked into it, and there is no more to do")
    if is_undone:
        return gettext("We took action, and took it back later")
    return gettext("We took action")
