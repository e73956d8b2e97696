"""What the clock does for desks: it ends notes of a shift, and hands over what one request could not."""

from contextlib import suppress

from moderation.desks.writes import END_NOTE, HAND_OVER, pass_all_on
from socialsite.due.models import Due
from socialsite.due.work import due_work
from socialsite.models import Staff
from socialsite.table import NotFound, access_pattern, change, keys


@due_work(END_NOTE)
@access_pattern
def end_shift_note(due: Due) -> None:
    """Takes a note of a shift away, unless its author wrote another since, or left the staff. Safe to run twice.
    UpdateItem, 1 write unit."""
    gone = [Staff.shift_note.remove(), Staff.noted_at.remove()]
    still = Staff.noted_at == due.facts["noted_at"]
    with suppress(NotFound):
        change(Staff, keys.staff_member(due.subject), gone, condition=still)


@due_work(HAND_OVER)
def hand_over_the_rest(due: Due) -> None:
    """Hands over what is left on a desk. As `pass_all_on`. Safe to run twice: what was handed over lies there no
    more."""
    pass_all_on(of=due.facts["of"], to=due.facts["to"], text=due.facts["text"])
