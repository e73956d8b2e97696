"""Decides which sign-in tries are counted together.

A browser in which the account's owner signed in before has a lane of its own, so nobody else's tries slow it down. All
other browsers share the lanes of the account, of their address, and of both together.
"""

from accounts.encryption.emails import email_hmac
from socialsite.web.bounds.slowdown import Lane, Slowdown

HOUR, DAY = 3600, 86_400  # seconds

PASSWORD_BY_BROWSER = Slowdown("password-browser", free=10, longest=300, seconds=DAY)
PASSWORD_BY_ACCOUNT = Slowdown("password-account", free=20, longest=600, seconds=DAY)
PASSWORD_BY_BOTH = Slowdown("password-both", free=5, longest=600, seconds=DAY)
PASSWORD_BY_ADDRESS = Slowdown("password-address", free=25, longest=60, seconds=HOUR)
CODE_BY_BROWSER = Slowdown("code-browser", free=5, longest=1800, seconds=DAY)
CODE_BY_ACCOUNT = Slowdown("code-account", free=5, longest=1800, seconds=DAY)
CODE_BY_ADDRESS = Slowdown("code-address", free=25, longest=60, seconds=HOUR)

PASSKEY_BY_ADDRESS = Slowdown("passkey-address", free=25, longest=60, seconds=HOUR)


def passkey_lanes(address: str) -> list[Lane]:
    """Returns the lane of a try with a passkey. Nobody guesses one: it bounds what a stranger makes us read."""
    return [(PASSKEY_BY_ADDRESS, address)]


def password_lanes(account_name: str, *, address: str, browser_id: str) -> list[Lane]:
    """Returns the lanes of a try for the account name as typed, even if it does not exist. `browser_id` is empty if the
    account does not know the browser."""
    if browser_id:
        return [(PASSWORD_BY_BROWSER, browser_id)]
    account = email_hmac(account_name)
    return [
        (PASSWORD_BY_ACCOUNT, account),
        (PASSWORD_BY_BOTH, f"{account} {address}"),
        (PASSWORD_BY_ADDRESS, address),
    ]


def code_lanes(user_id: str, *, address: str, browser_id: str) -> list[Lane]:
    """Returns the lanes of a try with a code, after the password was right."""
    if browser_id:
        return [(CODE_BY_BROWSER, browser_id)]
    return [(CODE_BY_ACCOUNT, user_id), (CODE_BY_ADDRESS, address)]
