"""How an account stands: what moderators restricted, and whether it is closing."""

from accounts.cards import PersonCard, end_text, moment_text
from accounts.restrictions import Restriction
from socialsite.clock import utc_now_iso


def restrictions_of(person: PersonCard) -> list[tuple[Restriction, str]]:
    """Returns the restrictions in force, gravest first, each with its end in words (empty if it does not end by
    itself)."""
    ends = {
        Restriction.SUSPENDED: person.suspended_until,
        Restriction.FROZEN: person.frozen_until,
        Restriction.LIMITED: person.limited_until,
    }
    return [(restriction, end_text(end)) for restriction, end in ends.items() if end]


def kept_until(person: PersonCard) -> str:
    """Returns until when the owner of a closing account can keep it, in words, empty once it is erased."""
    return moment_text(person.closing) if person.closing > utc_now_iso() else ""
