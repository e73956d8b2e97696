"""What the clock does for alarms: it looks, and then tells and writes to whom it concerns."""

from datetime import timedelta

from accounts.mail.letters import Facts, Letter, Recipient, letter
from operations.alarms.letters import letter_of_alarms, letters_to_operators, send_each
from operations.alarms.looking import TELL, WRITE, look_if_it_is_time, tell_of_alarms
from operations.alarms.notices import ALARMS
from socialsite.due.models import Due
from socialsite.due.work import due_work, each_look

each_look(look_if_it_is_time)
due_work(TELL)(tell_of_alarms)


@letter(ALARMS, life=timedelta(hours=12), a_day=4 * 24)
def alarms(to: Recipient, facts: Facts) -> Letter | None:
    """Says which alarms began and ended. It names nobody."""
    return letter_of_alarms(facts)


@due_work(WRITE)
def write_to_operators(due: Due) -> None:
    """Sends the letter to the addresses of `ALARMS_TO`. Safe to run twice: then it comes twice, as one for a mail
    program. Raises if the mail server cannot be reached, or refuses all of them."""
    send_each(letters_to_operators(due.facts, event=due.subject + due.moment))
