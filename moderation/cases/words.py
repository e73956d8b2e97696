"""The words of moderation. Moderators read those of cases and of the people in them; people read decisions about them
and the outcomes of their reports. Each action has its button, what it does, what was done, and the standard message to
the person; the site's own templates are in `site_rules()`."""

from datetime import datetime

from django.conf import settings
from django.utils.functional import Promise
from django.utils.timezone import now
from django.utils.translation import gettext, ngettext, override, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from accounts.people.restrictions import Restriction
from moderation.models import ActionKind, Queue

Words = dict[str, Promise]

NAMES: Words = {
    ActionKind.DISMISS: pgettext_lazy("moderation", "Dismiss"),
    ActionKind.CLOSE: pgettext_lazy("moderation", "Close"),
    ActionKind.WARN: pgettext_lazy("moderation", "Warn"),
    ActionKind.SENSITIVE: pgettext_lazy("moderation", "Mark as sensitive"),
    ActionKind.HIDE: pgettext_lazy("moderation", "Hide posts"),
    ActionKind.RESET: pgettext_lazy("moderation", "Reset profile"),
    ActionKind.WITHDRAW: pgettext_lazy("moderation", "Withdraw starter packs"),
    ActionKind.NO_MESSAGES: pgettext_lazy("moderation", "No messages"),
    ActionKind.LIMIT: pgettext_lazy("moderation", "Limit"),
    ActionKind.FREEZE: pgettext_lazy("moderation", "Freeze"),
    ActionKind.REMOVE: pgettext_lazy("moderation", "Remove illegal pictures"),
    ActionKind.SUSPEND: pgettext_lazy("moderation", "Suspend"),
    ActionKind.RELEASE: pgettext_lazy("moderation", "Publish"),
    ActionKind.REFUSE: pgettext_lazy("moderation", "Reject"),
    ActionKind.APPROVE: pgettext_lazy("moderation", "Approve"),
    ActionKind.DECLINE: pgettext_lazy("moderation", "Decline"),
}
# One line each, below the button.
LINES: Words = {
    ActionKind.DISMISS: _("No rule was broken. They will not be told."),
    ActionKind.CLOSE: _("There is no more to do. They will not be told."),
    ActionKind.WARN: _("They get a message. Nothing else changes."),
    ActionKind.SENSITIVE: _("People have to click to see the posts."),
    ActionKind.HIDE: _("Only the author can see the posts."),
    ActionKind.RESET: _("It removes name, bio or pictures. They can add new ones."),
    ActionKind.WITHDRAW: _("Only their owner sees the lists, and can’t offer them again."),
    ActionKind.NO_MESSAGES: _("They can read private messages, but not write any."),
    ActionKind.LIMIT: _("Only followers and people who look for them can see them."),
    ActionKind.FREEZE: _("They can read, but not post, like or follow."),
    ActionKind.REMOVE: _("Nobody sees the pictures any more, and nobody can upload them again."),
    ActionKind.SUSPEND: _("Nobody else can see them, and they cannot take part."),
    ActionKind.RELEASE: _("The post is published as usual."),
    ActionKind.REFUSE: _("Only its author can ever see the post."),
    ActionKind.APPROVE: _("They can start right away."),
    ActionKind.DECLINE: _("They cannot join with this account."),
}
DONE: Words = {
    ActionKind.DISMISS: pgettext_lazy("done by a moderator", "Dismissed"),
    ActionKind.CLOSE: pgettext_lazy("done by a moderator", "Closed"),
    ActionKind.WARN: pgettext_lazy("done by a moderator", "Warned"),
    ActionKind.SENSITIVE: pgettext_lazy("done by a moderator", "Posts marked sensitive"),
    ActionKind.HIDE: pgettext_lazy("done by a moderator", "Posts hidden"),
    ActionKind.RESET: pgettext_lazy("done by a moderator", "Profile reset"),
    ActionKind.WITHDRAW: pgettext_lazy("done by a moderator", "Starter packs withdrawn"),
    ActionKind.NO_MESSAGES: pgettext_lazy("done by a moderator", "Messages stopped"),
    ActionKind.LIMIT: pgettext_lazy("done by a moderator", "Limited"),
    ActionKind.FREEZE: pgettext_lazy("done by a moderator", "Frozen"),
    ActionKind.REMOVE: pgettext_lazy("done by a moderator", "Pictures removed"),
    ActionKind.SUSPEND: pgettext_lazy("done by a moderator", "Suspended"),
    ActionKind.RELEASE: pgettext_lazy("done by a moderator", "Published"),
    ActionKind.REFUSE: pgettext_lazy("done by a moderator", "Rejected"),
    ActionKind.APPROVE: pgettext_lazy("done by a moderator", "Approved"),
    ActionKind.DECLINE: pgettext_lazy("done by a moderator", "Declined"),
}
# The outcomes of cases that no action closed.
OTHER_ENDS: Words = {
    "granted": pgettext_lazy("done by a moderator", "Appeal granted"),
    "refused": pgettext_lazy("done by a moderator", "Appeal rejected"),
    "gone": pgettext_lazy("of a case", "The post was deleted"),
}
DEFAULTS: Words = {
    ActionKind.WARN: _(
        "Please read our rules again. If this happens again, we may restrict your account."
    ),
    ActionKind.SENSITIVE: _(
        "Some people would rather choose whether to see this, so they now have to click to see it."
    ),
    ActionKind.HIDE: _("It breaks our rules, so nobody else can see it any more."),
    ActionKind.RESET: _(
        "These parts break our rules, so we removed them. You can choose something else."
    ),
    ActionKind.WITHDRAW: _(
        "It breaks our rules, so nobody else can see it any more. You still have it as a private list."
    ),
    ActionKind.NO_MESSAGES: _(
        "What you wrote to people in private breaks our rules, so you can’t write messages for now."
    ),
    ActionKind.LIMIT: _(
        "What you posted isn’t for everyone, so only people who follow you or look for you can see it."
    ),
    ActionKind.FREEZE: _(
        "You can read everything here, but you can’t post, like or follow for now."
    ),
    ActionKind.REMOVE: _(
        "It breaks our rules in a way that nobody may anywhere, so we removed it, and nobody can upload it here again."
    ),
    ActionKind.SUSPEND: _("You broke our rules, so you can’t take part for now."),
    ActionKind.REFUSE: _("It breaks our rules, so we didn’t publish it."),
    ActionKind.DECLINE: _("We can’t let you join with this account."),
}


def done_word(kind: str) -> str:
    """Returns what was done, in a word or two, for moderators."""
    return str({**DONE, **OTHER_ENDS}.get(kind, kind))


def default_text(kind: ActionKind, language: str) -> str:
    """Returns the standard message to the person in their language, empty for actions without a message."""
    with override(language_of(language)):
        return str(DEFAULTS.get(kind, ""))


def language_of(chosen: str) -> str:
    """Returns the language that the person chose, otherwise the site's own."""
    return chosen or settings.LANGUAGE_CODE


SUBJECTS = {
    Queue.REPORTS: _("Reports"),
    Queue.APPEALS: _("Appeal"),
    Queue.HELD: _("Held post"),
    Queue.SIGN_UPS: _("Sign-up"),
}
RESTRICTED = {
    Restriction.NO_MESSAGES: _("No messages"),
    Restriction.LIMITED: _("Limited"),
    Restriction.FROZEN: _("Frozen"),
    Restriction.SUSPENDED: _("Suspended"),
}


def age_text(since: datetime) -> str:
    """Returns the age of an account in its largest useful unit."""
    days = (now() - since).days
    if days < 1:
        return gettext("Joined today")
    if days < 60:
        return ngettext("Joined %(n)d day ago", "Joined %(n)d days ago", days) % {"n": days}
    months = days // 30
    if months < 24:
        return ngettext("Joined %(n)d month ago", "Joined %(n)d months ago", months) % {"n": months}
    return ngettext("Joined %(n)d year ago", "Joined %(n)d years ago", days // 365) % {
        "n": days // 365
    }


def strikes_text(strikes: int) -> str:
    """Returns the number of strikes against someone, in words."""
    if not strikes:
        return gettext("No strikes")
    text = ngettext("%(n)d strike", "%(n)d strikes", strikes)
    return text % {"n": strikes}


ON_THE_ACCOUNT = {
    ActionKind.NO_MESSAGES,
    ActionKind.LIMIT,
    ActionKind.FREEZE,
    ActionKind.SUSPEND,
    ActionKind.DECLINE,
}
WITHOUT_A_BREACH = {ActionKind.DISMISS}


def done_text(kind: str, *, posts: int, packs: int) -> str:
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
        case ActionKind.RESET if packs:
            return gettext("Parts of your profile or of starter packs were removed")
        case ActionKind.WITHDRAW:
            return ngettext(
                "One of your starter packs was withdrawn",
                "%(n)d of your starter packs were withdrawn",
                packs,
            ) % {"n": packs}
        case ActionKind.RESET:
            return gettext("Parts of your profile were removed")
        case ActionKind.NO_MESSAGES:
            return gettext("You can’t write messages for now")
        case ActionKind.LIMIT:
            return gettext("Your account was limited")
        case ActionKind.FREEZE:
            return gettext("Your account was frozen")
        case ActionKind.SUSPEND:
            return gettext("Your account was suspended")
        case ActionKind.REMOVE:
            return gettext("Pictures of yours were removed")
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
