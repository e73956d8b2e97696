"""What the worker does for accounts: letters. Importing registers them."""

from accounts.mail import recovery_letters, security_letters, sending

__all__ = ["recovery_letters", "security_letters", "sending"]
