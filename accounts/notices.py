"""What an account's owner is told by letter, also when someone else did it. None of it can be switched off."""

from socialsite.telling import kind

CONFIRM_EMAIL = kind("confirm-email", by_letter=True)
EMAIL_CHANGED = kind("email-changed", by_letter=True)  # to the mailbox of before
EMAIL_IS_NEW = kind("email-is-new", by_letter=True)
RESET_PASSWORD = kind("reset-password", by_letter=True)
PASSWORD_CHANGED = kind("password-changed", by_letter=True)
SECOND_FACTOR_ON = kind("second-factor-on", by_letter=True)
SECOND_FACTOR_OFF = kind("second-factor-off", by_letter=True)
SECOND_FACTOR_REPLACED = kind("second-factor-replaced", by_letter=True)
CODES_RENEWED = kind("codes-renewed", by_letter=True)
PASSKEY_ADDED = kind("passkey-added", by_letter=True)
PASSKEY_REMOVED = kind("passkey-removed", by_letter=True)
TOKEN_MADE = kind("own-token-made", by_letter=True)
HANDLE_CHANGED = kind("handle-changed", by_letter=True)
ACCOUNT_SECURED = kind("account-secured", by_letter=True)  # by staff
NEW_SIGN_IN = kind("new-sign-in", by_letter=True)
APP_ALLOWED = kind("app-allowed", by_letter=True)
DOMAIN_CHANGES = kind("domain-changes", by_letter=True)  # to people with passkeys
