"""The words of actions: the button, what the action does, what was done, and the standard message to the person. The
sentences around that message are in `cases/pages/notices.py`, the site's own templates in `site_rules()`."""

from django.conf import settings
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import override, pgettext_lazy

from moderation.models import ActionKind

Words = dict[str, Promise]

NAMES: Words = {
    ActionKind.DISMISS: pgettext_lazy("moderation", "Dismiss"),
    ActionKind.CLOSE: pgettext_lazy("moderation", "Close"),
    ActionKind.WARN: pgettext_lazy("moderation", "Warn"),
    ActionKind.SENSITIVE: pgettext_lazy("moderation", "Mark as sensitive"),
    ActionKind.HIDE: pgettext_lazy("moderation", "Hide posts"),
    ActionKind.RESET: pgettext_lazy("moderation", "Reset profile"),
    ActionKind.LIMIT: pgettext_lazy("moderation", "Limit"),
    ActionKind.FREEZE: pgettext_lazy("moderation", "Freeze"),
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
    ActionKind.LIMIT: _("Only followers and people who look for them can see them."),
    ActionKind.FREEZE: _("They can read, but not post, like or follow."),
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
    ActionKind.LIMIT: pgettext_lazy("done by a moderator", "Limited"),
    ActionKind.FREEZE: pgettext_lazy("done by a moderator", "Frozen"),
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
    ActionKind.LIMIT: _(
        "What you posted isn’t for everyone, so only people who follow you or look for you can see it."
    ),
    ActionKind.FREEZE: _(
        "You can read everything here, but you can’t post, like or follow for now."
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
