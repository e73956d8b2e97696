"""The words of actions: what moderators see on a button, what it does, what was done; and what the person is told
unless a moderator chooses other words. How the site tells the person of it is in `told.py`, texts of the site's own
in `site_rules()`."""

from django.conf import settings
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import override, pgettext_lazy

from moderation.models import ActionKind

Words = dict[str, Promise]

NAMES: Words = {
    ActionKind.DISMISS: pgettext_lazy("moderation", "Dismiss"),
    ActionKind.WARN: pgettext_lazy("moderation", "Warn"),
    ActionKind.SENSITIVE: pgettext_lazy("moderation", "Cover posts"),
    ActionKind.HIDE: pgettext_lazy("moderation", "Hide posts"),
    ActionKind.LIMIT: pgettext_lazy("moderation", "Limit"),
    ActionKind.FREEZE: pgettext_lazy("moderation", "Freeze"),
    ActionKind.SUSPEND: pgettext_lazy("moderation", "Suspend"),
    ActionKind.RELEASE: pgettext_lazy("moderation", "Publish"),
    ActionKind.REFUSE: pgettext_lazy("moderation", "Refuse"),
    ActionKind.APPROVE: pgettext_lazy("moderation", "Approve"),
    ActionKind.DECLINE: pgettext_lazy("moderation", "Decline"),
}
# One line each: it stands under the button.
LINES: Words = {
    ActionKind.DISMISS: _("No rule was broken. They are not told."),
    ActionKind.WARN: _("They are told, and nothing else changes."),
    ActionKind.SENSITIVE: _("The posts open with a click on their cover."),
    ActionKind.HIDE: _("Nobody but their author sees the posts."),
    ActionKind.LIMIT: _("Only followers and who looks for them see them."),
    ActionKind.FREEZE: _("They can read, and say nothing."),
    ActionKind.SUSPEND: _("To everybody else they are not here."),
    ActionKind.RELEASE: _("The post is shown as if nothing had been."),
    ActionKind.REFUSE: _("Nobody but its author ever sees the post."),
    ActionKind.APPROVE: _("They can begin at once."),
    ActionKind.DECLINE: _("They cannot join with this account."),
}
DONE: Words = {
    ActionKind.DISMISS: pgettext_lazy("done by a moderator", "Dismissed"),
    ActionKind.WARN: pgettext_lazy("done by a moderator", "Warned"),
    ActionKind.SENSITIVE: pgettext_lazy("done by a moderator", "Posts covered"),
    ActionKind.HIDE: pgettext_lazy("done by a moderator", "Posts hidden"),
    ActionKind.LIMIT: pgettext_lazy("done by a moderator", "Limited"),
    ActionKind.FREEZE: pgettext_lazy("done by a moderator", "Frozen"),
    ActionKind.SUSPEND: pgettext_lazy("done by a moderator", "Suspended"),
    ActionKind.RELEASE: pgettext_lazy("done by a moderator", "Published"),
    ActionKind.REFUSE: pgettext_lazy("done by a moderator", "Refused"),
    ActionKind.APPROVE: pgettext_lazy("done by a moderator", "Approved"),
    ActionKind.DECLINE: pgettext_lazy("done by a moderator", "Declined"),
}
# How a case ended that no action closed.
OTHER_ENDS: Words = {
    "granted": pgettext_lazy("done by a moderator", "Appeal granted"),
    "refused": pgettext_lazy("done by a moderator", "Appeal refused"),
    "gone": pgettext_lazy("of a case", "The post was deleted"),
}
DEFAULTS: Words = {
    ActionKind.WARN: _(
        "Please read the rules of this site again. If it goes on, your account may be restricted."
    ),
    ActionKind.SENSITIVE: _(
        "Some people would rather choose whether to see this, so it opens with a click now."
    ),
    ActionKind.HIDE: _("It is against the rules of this site, so nobody else sees it any more."),
    ActionKind.LIMIT: _(
        "What you posted is not for everybody, so it is shown only to those who follow you or look for you."
    ),
    ActionKind.FREEZE: _("You can read everything here, and say nothing for now."),
    ActionKind.SUSPEND: _("You broke the rules of this site, so you cannot take part for now."),
    ActionKind.REFUSE: _("It is against the rules of this site, so it was not published."),
    ActionKind.DECLINE: _("We cannot let you join with this account."),
}


def done_word(kind: str) -> str:
    """What was done, in a word or two, for moderators."""
    return str({**DONE, **OTHER_ENDS}.get(kind, kind))


def default_text(kind: ActionKind, language: str) -> str:
    """What the person is told unless somebody chooses other words, in the language that they read; empty for what is
    not told."""
    with override(language_of(language)):
        return str(DEFAULTS.get(kind, ""))


def language_of(chosen: str) -> str:
    """What somebody reads: what they chose, else the site's own language."""
    return chosen or settings.LANGUAGE_CODE
