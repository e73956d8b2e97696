"""What the worker does for accounts: letters. Importing registers them."""

from accounts.mail import security_letters, sending

__all__ = ["security_letters", "sending"]
