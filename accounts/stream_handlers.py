"""What the worker does for accounts: letters. Importing registers them."""

from accounts.addresses import letters as address_letters
from accounts.mail import events_queue, folder, stream
from accounts.security import letters as security_letters

__all__ = ["address_letters", "events_queue", "folder", "security_letters", "stream"]
