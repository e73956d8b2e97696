"""Finding the account of an email address. The table knows addresses by their keyed hash alone, so only the whole
address finds anyone."""

from contextlib import suppress

from accounts.access_patterns import find_user_by_email
from accounts.encryption.emails import email_hmacs
from accounts.viewer import Viewer
from moderation.audit.record import record
from socialsite.table.errors import NotFound
from socialsite.table.meter import access_pattern


@access_pattern
def look_up_email(*, by: Viewer, address: str) -> str:
    """Returns the account that confirmed this address, empty if there is none. The log says who looked and whom they
    found, without the address.

    BatchGetItem `email#<hmac>`, 0.5 read units for each key of the settings. A consistent GetItem of the log's head, 1
    read unit, and one TransactWriteItems, 4 write units.
    """
    user_id = ""
    with suppress(NotFound):
        user_id = find_user_by_email(email_hmacs(address))
    record(by=by.user_id, action="look up email", person_id=user_id)
    return user_id
