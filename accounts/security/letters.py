"""Letters about what changed in an account, so that its owner learns of it even when someone else did it, and the
one whose link sets a new password."""

from contextlib import suppress
from datetime import datetime, timedelta

from django.utils.translation import gettext as _

from accounts.mail.letters import Facts, Letter, Recipient, find_recipient, letter
from accounts.mail.tokens import LASTS, Purpose, issue_token, new_token, secret_of
from accounts.notices import (
    ACCOUNT_SECURED,
    APP_ALLOWED,
    CODES_RENEWED,
    DOMAIN_CHANGES,
    HANDLE_CHANGED,
    NEW_SIGN_IN,
    PASSKEY_ADDED,
    PASSKEY_REMOVED,
    PASSWORD_CHANGED,
    RESET_PASSWORD,
    SECOND_FACTOR_OFF,
    SECOND_FACTOR_ON,
    SECOND_FACTOR_REPLACED,
    TOKEN_MADE,
)
from accounts.people.reads import find_user_by_email
from accounts.sessions import browser_name
from socialsite.table import NotFound
from socialsite.web.preferences import full_date

FORGOT = "/password/forgot"
SECURITY = "/settings/security"


@letter(PASSWORD_CHANGED)
def password_changed(to: Recipient, facts: Facts) -> Letter:
    """Tells that the password was changed, and that all other browsers are signed out."""
    return Letter(
        _("Your password has changed"),
        (
            _("The password of @%(handle)s was changed on %(time)s.") % _about(to, facts),
            _("Every other browser is signed out."),
            _("If it wasn’t you, set a new password right away:"),
        ),
        button=_("Set a new password"),
        path=FORGOT,
        after=(_("If it was you, there’s nothing to do."),),
    )


@letter(SECOND_FACTOR_ON)
def second_factor_on(to: Recipient, facts: Facts) -> Letter:
    """Tells that signing in needs a code from now on."""
    text = _("Two-step verification of @%(handle)s was turned on on %(time)s.")
    return _notice(_("Two-step verification is on"), text % _about(to, facts))


@letter(SECOND_FACTOR_OFF)
def second_factor_off(to: Recipient, facts: Facts) -> Letter:
    """Tells that a password is enough again."""
    text = _("Two-step verification of @%(handle)s was turned off on %(time)s.")
    return _notice(_("Two-step verification is off"), text % _about(to, facts))


@letter(SECOND_FACTOR_REPLACED)
def second_factor_replaced(to: Recipient, facts: Facts) -> Letter:
    """Tells that another app gives the codes from now on."""
    text = _(
        "Two-step verification of @%(handle)s was moved to another app on %(time)s. Codes of the old app, and the old "
        "recovery codes, no longer work."
    )
    return _notice(_("Two-step verification has moved to another app"), text % _about(to, facts))


@letter(CODES_RENEWED)
def codes_renewed(to: Recipient, facts: Facts) -> Letter:
    """Tells that the earlier recovery codes no longer work."""
    text = _(
        "New recovery codes of @%(handle)s were made on %(time)s. The old ones no longer work."
    )
    return _notice(_("You have new recovery codes"), text % _about(to, facts))


@letter(PASSKEY_ADDED)
def passkey_added(to: Recipient, facts: Facts) -> Letter:
    """Tells that a passkey can sign in from now on."""
    text = _("The passkey “%(name)s” was added to @%(handle)s on %(time)s.")
    named = {"name": facts["name"]}
    return _notice(_("A passkey was added"), text % {**_about(to, facts), **named})


@letter(TOKEN_MADE)
def token_made(to: Recipient, facts: Facts) -> Letter:
    """Tells that a program can use the account from now on."""
    text = _("The access token “%(name)s” was made for @%(handle)s on %(time)s.")
    named = {"name": facts["name"]}
    return _notice(_("An access token was made"), text % {**_about(to, facts), **named})


@letter(PASSKEY_REMOVED)
def passkey_removed(to: Recipient, facts: Facts) -> Letter:
    """Tells that a passkey no longer signs anyone in."""
    text = _("A passkey of @%(handle)s was removed on %(time)s.")
    return _notice(_("A passkey was removed"), text % _about(to, facts))


@letter(HANDLE_CHANGED)
def handle_changed(to: Recipient, facts: Facts) -> Letter:
    """Tells what the account is called now, and how it signs in."""
    text = _(
        "You changed your handle from @%(old)s to @%(handle)s on %(time)s. Sign in with the new one."
    )
    named = {"old": facts["old"]}
    return _notice(_("Your handle has changed"), text % {**_about(to, facts), **named})


@letter(NEW_SIGN_IN)
def new_sign_in(to: Recipient, facts: Facts) -> Letter:
    """Tells of a sign-in with a browser that the account did not know: which, when, and from what network."""
    text = _(
        "Someone signed in to @%(handle)s with %(browser)s on %(time)s, from the network %(network)s."
    )
    known = {"browser": browser_name(facts["browser"]), "network": facts["network"]}
    return _notice(_("New sign-in to your account"), text % {**_about(to, facts), **known})


@letter(APP_ALLOWED)
def app_allowed(to: Recipient, facts: Facts) -> Letter:
    """Tells that an app may use the account. What it calls itself stands on the page alone: those are a stranger's
    words, and have no place in a letter of the site."""
    text = _(
        "An app was let in to @%(handle)s on %(time)s. Your security settings say which one, and end it."
    )
    return _notice(_("An app can use your account"), text % _about(to, facts))


@letter(DOMAIN_CHANGES)
def domain_changes(to: Recipient, facts: Facts) -> Letter:
    """Tells people with passkeys that the site moves to another domain, and how they get in there."""
    named = {"old": facts["old"], "new": facts["new"], "handle": to.handle}
    return Letter(
        _("We move to %(new)s") % named,
        (
            _("This site moves from %(old)s to %(new)s. Your account @%(handle)s moves with it.")
            % named,
            _(
                "Your passkeys were made for %(old)s. Some browsers let you go on using them at %(new)s, and others "
                "do not. There, sign in with your password, then add a passkey again."
            )
            % named,
            _("Not sure of your password? Set a new one now:"),
        ),
        button=_("Set a new password"),
        path=FORGOT,
        after=(
            _("We never ask for your password in a letter. Look for %(new)s in the address bar.")
            % named,
        ),
    )


def _notice(subject: str, text: str) -> Letter:
    return Letter(
        subject,
        (text, _("If it wasn’t you, change your password and sign out of other browsers:")),
        button=_("Security settings"),
        path=SECURITY,
        after=(_("If it was you, there’s nothing to do."),),
    )


def _about(to: Recipient, facts: Facts) -> dict[str, str]:
    moment = datetime.fromisoformat(facts["posted"])
    return {"handle": to.handle, "time": full_date(moment)}


def owner_of_address(facts: Facts) -> Recipient | None:
    """Finds the person who confirmed the address that was typed. For most addresses there is nobody."""
    with suppress(NotFound):
        return find_recipient(find_user_by_email(facts["email"].split(), consistent=True))
    return None


@letter(RESET_PASSWORD, find=owner_of_address, life=LASTS[Purpose.RESET])
def reset_password(to: Recipient, facts: Facts) -> Letter | None:
    """Brings the link to set a new password."""
    posted = datetime.fromisoformat(facts["posted"])
    token = new_token(
        Purpose.RESET,
        facts["token"],
        user_id=to.user_id,
        epoch=to.epoch,
        until=posted + LASTS[Purpose.RESET],
    )
    if not issue_token(token):
        return None
    return Letter(
        _("Set a new password"),
        (
            _("Someone, probably you, asked for a new password for @%(handle)s.")
            % {"handle": to.handle},
            _("This link works once, for 30 minutes:"),
        ),
        button=_("Set a new password"),
        path=f"/password/reset/{secret_of(Purpose.RESET, facts['token'])}",
        after=(_("If it wasn’t you, ignore this letter. Your password stays as it is."),),
    )


BACK_WITHIN = timedelta(days=3)


@letter(ACCOUNT_SECURED, life=BACK_WITHIN)
def account_secured(to: Recipient, facts: Facts) -> Letter | None:
    """Tells the owner of an account that staff secured, and brings the way back. It blames nobody."""
    token = new_token(
        Purpose.RESET,
        facts["token"],
        user_id=to.user_id,
        epoch=to.epoch,
        until=datetime.fromisoformat(facts["posted"]) + BACK_WITHIN,
    )
    if not issue_token(token):
        return None
    return Letter(
        _("We secured your account"),
        (
            _(
                "Someone else may have used @%(handle)s. You haven’t done anything wrong. We signed your account out "
                "everywhere, and the password no longer works."
            )
            % {"handle": to.handle},
            _("Set a new password to come back. This link works once, for 3 days:"),
        ),
        button=_("Set a new password"),
        path=f"/password/reset/{secret_of(Purpose.RESET, facts['token'])}",
        after=(
            _(
                "If the link no longer works, choose “Forgot password” when you sign in. Posts that may not be yours "
                "are hidden, and you decide about them once you are back. If you use the same password elsewhere, "
                "change it there too."
            ),
        ),
    )
