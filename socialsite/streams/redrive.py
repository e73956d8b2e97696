"""Applies parked records again, or gives them up."""

from collections.abc import Sequence
from dataclasses import dataclass

from socialsite.models import DeadLetter
from socialsite.streams.change import change_of
from socialsite.streams.dispatch import PoisonRecord, dispatch, load_handlers
from socialsite.streams.ledger import Ledger
from socialsite.table.actions import Delete, WriteAction
from socialsite.table.errors import NotFound
from socialsite.table.meter import access_pattern
from socialsite.table.writing import write_batch


class AlreadyRedriven(NotFound):
    """The dead letter is gone."""


@dataclass(frozen=True, slots=True)
class LetterProof:
    """Deletes the dead letter with the commit, so that it is applied once, however often it is tried."""

    letter: DeadLetter

    def actions(self) -> Sequence[WriteAction]:
        return [Delete(self.letter.key, otherwise=AlreadyRedriven)]

    def is_given(self) -> bool:
        return False  # the next try finds the letter, or that it is gone


@access_pattern
def redrive(letter: DeadLetter) -> bool:
    """Runs a parked record's handlers again, and deletes its dead letter if they succeed. Returns whether they did."""
    load_handlers()
    ledger = Ledger()
    try:
        dispatch(change_of(letter), ledger)
        ledger.commit(LetterProof(letter))
    except PoisonRecord:
        return False
    except AlreadyRedriven:
        pass
    return True


@access_pattern
def discard(letter: DeadLetter) -> None:
    """Deletes a dead letter without applying it. Safe to repeat. 1 write unit."""
    write_batch(deletes=[letter.key])
