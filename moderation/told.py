"""What moderation is called towards those whom it concerns: what was done to somebody, what became of a report."""

from django.utils.translation import gettext, ngettext

from moderation.models import ActionKind

ON_THE_ACCOUNT = {ActionKind.LIMIT, ActionKind.FREEZE, ActionKind.SUSPEND, ActionKind.DECLINE}
WITHOUT_A_BREACH = {ActionKind.DISMISS}


def done_text(kind: str, posts: int) -> str:
    """What was done, as a sentence to the person."""
    match kind:
        case ActionKind.WARN:
            return gettext("A moderator has warned you")
        case ActionKind.SENSITIVE:
            return ngettext(
                "A post of yours was put behind a cover",
                "%(n)d posts of yours were put behind a cover",
                posts,
            ) % {"n": posts}
        case ActionKind.HIDE:
            return ngettext(
                "A post of yours was hidden", "%(n)d posts of yours were hidden", posts
            ) % {"n": posts}
        case ActionKind.LIMIT:
            return gettext("Your account was limited")
        case ActionKind.FREEZE:
            return gettext("Your account was frozen")
        case ActionKind.SUSPEND:
            return gettext("Your account was suspended")
        case ActionKind.REFUSE:
            return gettext("A post of yours was not let through")
        case ActionKind.DECLINE:
            return gettext("Your sign-up was declined")
    return gettext("A moderator has decided something")


def outcome_text(decision: str) -> str:
    """What became of a report, as a sentence to who reported; which action it was is not told."""
    if not decision:
        return gettext("We are looking at it")
    if decision in WITHOUT_A_BREACH:
        return gettext("No rule was broken")
    return gettext("We acted on it")
