"""What the worker does for accounts: letters. Importing registers them."""

from accounts.mail import address_letters, folder, recovery_letters, security_letters, sending

__all__ = ["address_letters", "folder", "recovery_letters", "security_letters", "sending"]
