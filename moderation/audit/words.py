"""The sentences of the audit log: with names for staff, without names for everyone."""

from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.utils.functional import Promise
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

Sentence = str | Promise

# Each names the person who acted, and the person concerned if there is one.
SENTENCES: Mapping[str, Sentence] = {
    "dismiss": _("%(by)s dismissed the reports about %(person)s"),
    "close": _("%(by)s closed the case about %(person)s"),
    "warn": _("%(by)s warned %(person)s"),
    "sensitive": ngettext_lazy(
        "%(by)s marked %(posts)d post by %(person)s as sensitive",
        "%(by)s marked %(posts)d posts by %(person)s as sensitive",
        "posts",
    ),
    "hide": ngettext_lazy(
        "%(by)s hid %(posts)d post by %(person)s",
        "%(by)s hid %(posts)d posts by %(person)s",
        "posts",
    ),
    "reset": _("%(by)s reset parts of the profile of %(person)s"),
    "limit": _("%(by)s limited %(person)s"),
    "freeze": _("%(by)s froze %(person)s"),
    "suspend": _("%(by)s suspended %(person)s"),
    "release": _("%(by)s published a held post by %(person)s"),
    "refuse": _("%(by)s rejected a held post by %(person)s"),
    "approve": _("%(by)s approved the sign-up of %(person)s"),
    "decline": _("%(by)s declined the sign-up of %(person)s"),
    "undo dismiss": _("%(by)s reopened the case about %(person)s"),
    "undo close": _("%(by)s reopened the case about %(person)s"),
    "undo warn": _("%(by)s withdrew the warning to %(person)s"),
    "undo sensitive": _("%(by)s removed the sensitive mark from posts by %(person)s"),
    "undo hide": _("%(by)s restored hidden posts by %(person)s"),
    "undo reset": _("%(by)s restored the profile of %(person)s"),
    "undo limit": _("%(by)s lifted the limit on %(person)s"),
    "undo freeze": _("%(by)s lifted the freeze on %(person)s"),
    "undo suspend": _("%(by)s lifted the suspension of %(person)s"),
    "undo release": _("%(by)s reopened the case about a held post by %(person)s"),
    "undo refuse": _("%(by)s published a rejected post by %(person)s"),
    "undo approve": _("%(by)s reopened the sign-up of %(person)s"),
    "undo decline": _("%(by)s approved the declined sign-up of %(person)s"),
    "grant appeal": _("%(by)s granted an appeal by %(person)s"),
    "refuse appeal": _("%(by)s rejected an appeal by %(person)s"),
    "answer appeal": _("%(by)s asked %(person)s a question about an appeal"),
    "assign": _("%(by)s assigned the case about %(person)s to %(to)s"),
    "put back": _("%(by)s returned the case about %(person)s to the queue"),
    "note": _("%(by)s added a note to the case about %(person)s"),
    "note on person": _("%(by)s added a note about %(person)s"),
    "open case": _("%(by)s opened a case about %(person)s"),
    "look up email": _("%(by)s looked for the account of an email address"),
    "look up domain": _("%(by)s looked for the accounts of an email domain"),
    "look up network": _("%(by)s looked for the accounts of a network"),
    "view accounts": _("%(by)s viewed which accounts share a network or browser with %(person)s"),
    "view private post": _("%(by)s viewed private posts by %(person)s"),
    "view photo": _("%(by)s viewed a photo by %(person)s"),
    "export case": _("%(by)s exported the case about %(person)s"),
    "give role": _("%(by)s gave %(person)s a role"),
    "take role": _("%(by)s removed the role of %(person)s"),
    "save role": _("%(by)s saved what a role can do"),
    "remove role": _("%(by)s deleted a role"),
    "change settings": _("%(by)s changed the site settings"),
    "add rule": _("%(by)s added a site rule"),
    "edit rule": _("%(by)s edited a site rule"),
    "remove rule": _("%(by)s removed a site rule"),
    "remove words of rule": _("%(by)s removed the words of a site rule in one language"),
    "move rule": _("%(by)s reordered the site rules"),
    "add word rule": _("%(by)s added a word filter"),
    "edit word rule": _("%(by)s edited a word filter"),
    "remove word rule": _("%(by)s removed a word filter"),
    "block e-mail domains": _("%(by)s blocked email domains"),
    "unblock e-mail domain": _("%(by)s unblocked an email domain"),
    "block networks": _("%(by)s blocked networks"),
    "unblock network": _("%(by)s unblocked a network"),
    "save preset": _("%(by)s saved a template"),
    "remove preset": _("%(by)s removed a template"),
    "remove words of preset": _("%(by)s removed the words of a template in one language"),
    "make invite": _("%(by)s created an invitation"),
    "end invite": _("%(by)s ended an invitation"),
    "slow down": _("%(by)s slowed the site down"),
    "speed up": _("%(by)s ended slowing the site down"),
    "start wave": _("%(by)s started a wave"),
    "undo wave": _("%(by)s undid a wave"),
    "put hint away": _("%(by)s put a hint away"),
    "count stored": _("%(by)s had everything in the table counted"),
}
# The public log: no names, and no looks, notes, reviews or changes of the settings.
PUBLIC: Mapping[str, Sentence] = {
    "dismiss": _("Reports were dismissed: no rule was broken"),
    "warn": _("Someone was warned"),
    "sensitive": ngettext_lazy(
        "%(posts)d post was marked as sensitive",
        "%(posts)d posts were marked as sensitive",
        "posts",
    ),
    "hide": ngettext_lazy("%(posts)d post was hidden", "%(posts)d posts were hidden", "posts"),
    "reset": _("Parts of a profile were reset"),
    "limit": _("An account was limited"),
    "freeze": _("An account was frozen"),
    "suspend": _("An account was suspended"),
    "release": _("A held post was published"),
    "refuse": _("A held post was rejected"),
    "undo dismiss": _("Dismissed reports were taken up again"),
    "undo warn": _("A warning was withdrawn"),
    "undo sensitive": _("A sensitive mark was removed"),
    "undo hide": _("Hidden posts were restored"),
    "undo reset": _("A profile was restored"),
    "undo limit": _("A limit on an account was lifted"),
    "undo freeze": _("A freeze on an account was lifted"),
    "undo suspend": _("A suspension was lifted"),
    "undo release": _("A published post was held for review again"),
    "undo refuse": _("A rejected post was published"),
    "grant appeal": _("An appeal was granted"),
    "refuse appeal": _("An appeal was rejected"),
    # Of waves whose action stands here too.
    "start wave": ngettext_lazy(
        "One decision was made about %(cases)d case",
        "One decision was made about %(cases)d cases at once",
        "cases",
    ),
    "undo wave": ngettext_lazy(
        "A decision about %(cases)d case was undone",
        "A decision about %(cases)d cases at once was undone",
        "cases",
    ),
}
UNKNOWN = _("%(by)s: %(action)s")
DETAILS: Mapping[str, Sentence] = {
    "role": _("Role"),
    "title": _("Title"),
    "permissions": _("Permissions"),
    "rule": _("Rule"),
    "kind": _("Type"),
    "pattern": _("Word, phrase or site"),
    "was": _("Before"),
    "options": _("Options"),
    "effect": _("Effect"),
    "sign_up": _("Who can sign up"),
    "sign_ups_a_day": _("Sign-ups per day"),
    "hold_first_posts": _("First posts held for review"),
    "banner": _("Banner"),
    **{
        f"banner {code}": format_lazy("{} ({})", _("Banner"), name)
        for code, name in settings.LANGUAGES
    },
    "banner_until": _("Banner until"),
    "public_log": _("Public moderation log"),
    "log_shows_names": _("Show moderators’ names"),
    "uses": _("Number of people"),
    "days": _("Days"),
    "domains": _("Email domains"),
    "domain": _("Email domain"),
    "networks": _("Networks"),
    "network": _("Network"),
    "comment": _("Comment"),
    "photo": _("Photo"),
    "parts": _("Parts of the profile"),
    "language": _("Language"),
    "wave": _("Wave"),
    "cases": _("Cases"),
    "found": _("Accounts found"),
    "hint": _("Hint"),
    "sha256": _("SHA-256"),
    "posts": _("Posts"),
    "opened": _("Private posts opened"),
    "photos": _("Photos opened"),
    "notes": _("With notes"),
}


def sentence_of(action: str, values: Mapping[str, Any]) -> str:
    """Returns what a member of staff did, in words. An unknown action gets its name in the code."""
    return str(SENTENCES.get(action, UNKNOWN) % values)


def public_sentence_of(action: str, values: Mapping[str, Any]) -> str:
    return str(PUBLIC[action] % values)
