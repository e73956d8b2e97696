"""Whether a password is someone's, as the sign-in page finds out."""

from accounts.sign_in.writes import Account, check_password, find_account


def check_credentials(*, account: str, password: str) -> Account:
    """The account, if the password is its own. Raises `WrongPassword`."""
    found = find_account(account)
    check_password(found, password)
    return found
