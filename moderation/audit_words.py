"""What stands in the audit log, in words: for the staff with names, for everybody without."""

from collections.abc import Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

Sentence = str | Promise

# Each names who did it, and whom it was about where it was about somebody.
SENTENCES: Mapping[str, Sentence] = {
    "dismiss": _("%(by)s dismissed the reports about %(person)s"),
    "warn": _("%(by)s warned %(person)s"),
    "sensitive": ngettext_lazy(
        "%(by)s put %(posts)d post of %(person)s behind a cover",
        "%(by)s put %(posts)d posts of %(person)s behind a cover",
        "posts",
    ),
    "hide": ngettext_lazy(
        "%(by)s hid %(posts)d post of %(person)s",
        "%(by)s hid %(posts)d posts of %(person)s",
        "posts",
    ),
    "limit": _("%(by)s limited %(person)s"),
    "freeze": _("%(by)s froze %(person)s"),
    "suspend": _("%(by)s suspended %(person)s"),
    "release": _("%(by)s let a held post of %(person)s through"),
    "refuse": _("%(by)s refused a held post of %(person)s"),
    "approve": _("%(by)s approved the sign-up of %(person)s"),
    "decline": _("%(by)s declined the sign-up of %(person)s"),
    "undo dismiss": _("%(by)s opened the case of %(person)s again"),
    "undo warn": _("%(by)s took back the warning of %(person)s"),
    "undo sensitive": _("%(by)s took the cover off what %(person)s wrote"),
    "undo hide": _("%(by)s showed hidden posts of %(person)s again"),
    "undo limit": _("%(by)s ended the limit of %(person)s"),
    "undo freeze": _("%(by)s ended the freeze of %(person)s"),
    "undo suspend": _("%(by)s ended the suspension of %(person)s"),
    "undo release": _("%(by)s opened the case of a held post of %(person)s again"),
    "undo refuse": _("%(by)s let a refused post of %(person)s through"),
    "undo approve": _("%(by)s opened the sign-up of %(person)s again"),
    "undo decline": _("%(by)s let %(person)s in, whose sign-up was declined"),
    "grant appeal": _("%(by)s granted an appeal of %(person)s"),
    "refuse appeal": _("%(by)s refused an appeal of %(person)s"),
    "answer appeal": _("%(by)s asked %(person)s back about an appeal"),
    "assign": _("%(by)s put the case of %(person)s on the desk of %(to)s"),
    "put back": _("%(by)s put the case of %(person)s back into its queue"),
    "note": _("%(by)s left a note on the case of %(person)s"),
    "view private post": _("%(by)s looked at private posts of %(person)s"),
    "give role": _("%(by)s gave %(person)s a role"),
    "take role": _("%(by)s took the role of %(person)s away"),
    "save role": _("%(by)s saved what a role may do"),
    "remove role": _("%(by)s removed a role"),
    "change settings": _("%(by)s changed the settings of the site"),
    "add rule": _("%(by)s added a rule of the site"),
    "edit rule": _("%(by)s changed a rule of the site"),
    "remove rule": _("%(by)s removed a rule of the site"),
    "move rule": _("%(by)s changed the order of the rules"),
    "add word rule": _("%(by)s added a word rule"),
    "remove word rule": _("%(by)s removed a word rule"),
    "block e-mail domains": _("%(by)s blocked e-mail domains"),
    "unblock e-mail domain": _("%(by)s let an e-mail domain in again"),
    "block networks": _("%(by)s blocked networks"),
    "unblock network": _("%(by)s let a network in again"),
    "save preset": _("%(by)s saved a text for moderators"),
    "remove preset": _("%(by)s removed a text for moderators"),
    "make invite": _("%(by)s made an invitation"),
    "end invite": _("%(by)s ended an invitation"),
}
# What everybody may read: neither who nor whom, and nothing that only looks, notes, claims or sets up.
PUBLIC: Mapping[str, Sentence] = {
    "dismiss": _("Reports were dismissed: no rule was broken"),
    "warn": _("Somebody was warned"),
    "sensitive": ngettext_lazy(
        "%(posts)d post was put behind a cover", "%(posts)d posts were put behind a cover", "posts"
    ),
    "hide": ngettext_lazy("%(posts)d post was hidden", "%(posts)d posts were hidden", "posts"),
    "limit": _("An account was limited"),
    "freeze": _("An account was frozen"),
    "suspend": _("An account was suspended"),
    "release": _("A held post was let through"),
    "refuse": _("A held post was refused"),
    "undo warn": _("A warning was taken back"),
    "undo sensitive": _("A cover was taken off again"),
    "undo hide": _("Hidden posts were shown again"),
    "undo limit": _("The limit of an account was ended"),
    "undo freeze": _("The freeze of an account was ended"),
    "undo suspend": _("The suspension of an account was ended"),
    "undo refuse": _("A refused post was let through"),
    "grant appeal": _("An appeal was granted"),
    "refuse appeal": _("An appeal was refused"),
}
UNKNOWN = _("%(by)s: %(action)s")
DETAILS: Mapping[str, Sentence] = {
    "role": _("Role"),
    "title": _("Title"),
    "permissions": _("May"),
    "rule": _("Rule"),
    "kind": _("Kind"),
    "pattern": _("Which"),
    "effect": _("Effect"),
    "sign_up": _("Who can sign up"),
    "sign_ups_a_day": _("Sign-ups a day"),
    "hold_first_posts": _("First posts that wait"),
    "banner": _("Banner"),
    "banner_until": _("Banner until"),
    "public_log": _("Public log"),
    "log_shows_names": _("Names in the public log"),
    "uses": _("For how many"),
    "days": _("Days"),
    "domains": _("E-mail domains"),
    "domain": _("E-mail domain"),
    "networks": _("Networks"),
    "network": _("Network"),
    "comment": _("Comment"),
}


def sentence_of(action: str, values: Mapping[str, Any]) -> str:
    """What a member of staff did; one that is not known here is called as the code calls it."""
    return str(SENTENCES.get(action, UNKNOWN) % values)


def public_sentence_of(action: str, values: Mapping[str, Any]) -> str:
    return str(PUBLIC[action] % values)
