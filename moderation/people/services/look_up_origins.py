"""Looking for accounts that share a domain, a network or a browser. The audit log says who looked and how many they
found, without the domain or the network, which would stay in it for ever."""

from accounts.viewer import Viewer
from moderation.audit.record import record
from moderation.people.origins import (
    Accounts,
    list_of_domain,
    list_of_network,
    list_other_accounts,
)
from socialsite.table.meter import access_pattern


@access_pattern
def look_up_domain(*, by: Viewer, domain: str) -> Accounts:
    """Returns whose confirmed address is of a domain, once the log says that someone looked.

    As `list_of_domain`; a consistent GetItem of the log's head, 1 read unit, and one TransactWriteItems, 4 write units.
    """
    return _logged(list_of_domain(domain), by=by, action="look up domain")


@access_pattern
def look_up_network(*, by: Viewer, network: str) -> Accounts:
    """Returns who signed in from a network, once the log says that someone looked.

    As `list_of_network`; a consistent GetItem of the log's head, 1 read unit, and one TransactWriteItems, 4 write
    units.
    """
    return _logged(list_of_network(network), by=by, action="look up network")


@access_pattern
def view_accounts(*, by: Viewer, person_id: str) -> Accounts:
    """Returns the accounts that share a network or a browser with a person, once the log says that someone looked.

    As `list_other_accounts`; a consistent GetItem of the log's head, 1 read unit, and one TransactWriteItems, 4 write
    units.
    """
    accounts = list_other_accounts(person_id)
    return _logged(accounts, by=by, action="view accounts", person_id=person_id)


def _logged(accounts: Accounts, *, by: Viewer, action: str, person_id: str = "") -> Accounts:
    detail = {"found": len(accounts.rows)}
    record(by=by.user_id, action=action, person_id=person_id, detail=detail)
    return accounts
