"""Letters about email addresses: to confirm one, and to both mailboxes when it changes."""

from datetime import datetime

from django.utils.translation import gettext as _

from accounts.addresses.writes import find_wished_address
from accounts.encryption.emails import decrypt_email, email_hmac, email_hmacs
from accounts.mail.letters import Facts, Letter, Recipient, find_recipient, letter
from accounts.mail.tokens import (
    LASTS,
    LinkGone,
    Purpose,
    issue_token,
    new_token,
    read_token,
    secret_of,
)
from accounts.notices import CONFIRM_EMAIL, EMAIL_CHANGED, EMAIL_IS_NEW
from accounts.people.reads import find_user_by_email
from socialsite.table import NotFound


def mailbox_of_wish(facts: Facts) -> Recipient | None:
    """Finds the mailbox of the address that someone would like to confirm. If another account has it, finds that
    account's owner."""
    user_id = facts["user"]
    wished = find_wished_address(user_id)
    if not wished:
        return None
    try:
        return find_recipient(find_user_by_email(email_hmacs(wished), consistent=True))
    except NotFound:
        return find_recipient(user_id, at=wished)


def mailbox_of_before(facts: Facts) -> Recipient | None:
    """Finds the mailbox of the address before a change, while the change can be undone."""
    try:
        token = read_token(Purpose.UNDO, secret_of(Purpose.UNDO, facts["token"]))
    except LinkGone:
        return None
    former = decrypt_email(token.former_email, user_id=token.user_id)
    return find_recipient(token.user_id, at=former)


@letter(CONFIRM_EMAIL, find=mailbox_of_wish, life=LASTS[Purpose.CONFIRM])
def confirm_email(to: Recipient, facts: Facts) -> Letter | None:
    """Brings the link that confirms an address. An owner of the address hears that someone else typed it."""
    if to.user_id != facts["user"]:
        return _account_exists(to)
    token = new_token(
        Purpose.CONFIRM,
        facts["token"],
        user_id=to.user_id,
        until=datetime.fromisoformat(facts["posted"]) + LASTS[Purpose.CONFIRM],
    )
    token.email_hmac = email_hmac(to.address)
    if not issue_token(token):
        return None
    return Letter(
        _("Confirm your email address"),
        (_("Is this the address of @%(handle)s? Then confirm it:") % {"handle": to.handle},),
        button=_("Confirm this address"),
        path=f"/email/confirm/{secret_of(Purpose.CONFIRM, facts['token'])}",
        after=(
            _(
                "The link works for 3 days. If you don’t know what this is about, ignore this letter."
            ),
        ),
    )


@letter(EMAIL_CHANGED, find=mailbox_of_before, life=LASTS[Purpose.UNDO])
def email_changed(to: Recipient, facts: Facts) -> Letter:
    """Tells the mailbox of before, with the link that takes the change back."""
    return Letter(
        _("Your email address has changed"),
        (
            _("@%(handle)s has another email address now, and we won’t write to this one any more.")
            % {"handle": to.handle},
            _("If it wasn’t you, take it back within 7 days. That signs everyone out:"),
        ),
        button=_("Undo the change"),
        path=f"/email/undo/{secret_of(Purpose.UNDO, facts['token'])}",
        after=(_("If it was you, there’s nothing to do."),),
    )


@letter(EMAIL_IS_NEW)
def email_is_new(to: Recipient, facts: Facts) -> Letter:
    """Tells the new mailbox."""
    return Letter(
        _("This is your new email address"),
        (
            _(
                "From now on we write to this address about @%(handle)s, and you can sign in with it."
            )
            % {"handle": to.handle},
        ),
        button=_("Email settings"),
        path="/settings/email",
    )


def _account_exists(to: Recipient) -> Letter:
    return Letter(
        _("You already have an account"),
        (
            _(
                "Someone, perhaps you, entered this address for an account. It belongs to @%(handle)s already."
            )
            % {"handle": to.handle},
            _("Did you forget your password? You can set a new one:"),
        ),
        button=_("Set a new password"),
        path="/password/forgot",
        after=(
            _("If it wasn’t you, there’s nothing to do. Nobody was told that you have an account."),
        ),
    )
