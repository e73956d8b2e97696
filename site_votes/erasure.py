"""The ballots of a person go with their account. Their votes stay counted, as nobody knows which they were."""

from accounts.erasing import Handled, Leaver, erases, first_of
from site_votes.models import SiteBallot
from site_votes.writes import HasEnded, add_one
from socialsite.table import Delete, as_model, keys, transact

AT_ONCE = 25


@erases("ballots")
def erase_ballots(leaver: Leaver) -> Handled:
    """Deletes the next ballots. One Query, and 4 write units each."""
    found = first_of(keys.ballots(leaver.user_id), AT_ONCE)
    for raw in found:
        forget_voter(as_model(SiteBallot, raw))
    return Handled(ballots=len(found))


def forget_voter(ballot: SiteBallot) -> None:
    """Deletes the ballot of someone whose account is erased. Their vote stays counted, as nobody knows which it was. 4
    write units. A vote that was closed keeps no account of those who are gone."""
    try:
        transact(Delete(ballot.key), add_one(ballot.vote_id, "voters_gone"))
    except HasEnded:
        transact(Delete(ballot.key))
