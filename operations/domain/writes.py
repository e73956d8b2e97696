"""People with passkeys are told of the new domain before the site moves."""

from collections.abc import Sequence

from accounts.notices import DOMAIN_CHANGES
from socialsite.table import transact
from socialsite.telling import Cause, tell


def tell_of_domain(user_ids: Sequence[str], *, old: str, new: str) -> int:
    """Plans a letter to each, which the clock writes and sends. Returns how many. Each time that it is called they are
    told again. 2 write units each."""
    facts = {"old": old, "new": new}
    for user_id in user_ids:
        transact(*tell(user_id, DOMAIN_CHANGES, Cause(facts=facts)).actions())
    return len(user_ids)
