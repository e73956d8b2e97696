"""Letters that come regularly, where mail does not flow: what the site may send is used up, or its mail server is away,
or refuses someone."""

from django.core import mail

from accounts.mail.regular import forget_allowance
from relations.own_choices.writes import favourite
from socialsite.due.work import do_due
from tests.accounts.test_mail import tell
from tests.conftest import person, post
from tests.notifications.letters import let_come, letters, planned, wish


def readers(of, count: int) -> list:
    """People whose digest is due, with something in it."""
    people = [person(f"reader{number}") for number in range(count)]
    for one in people:
        favourite(by=one, user_id=of.user_id)
        wish(one)
    post(of, "News for all")
    for one in people:
        let_come(one)
    return people


def test_digests_leave_room_for_the_letters_that_someone_waits_for(alice, carol, settings):
    settings.MAIL_A_DAY = 5
    people = readers(carol, 5)
    do_due()
    told = {address for letter in mail.outbox for address in letter.to}
    assert len(told) == 4
    tell(alice)
    do_due()
    assert mail.outbox[-1].subject == "Your password has changed"
    [left_out] = [one for one in people if f"{one.handle}@example.org" not in told]
    [due] = planned(left_out)
    assert "unseen" not in due.facts
    settings.MAIL_A_DAY = 50
    forget_allowance()
    [letter] = letters(left_out)
    assert "News for all" in letter.body
