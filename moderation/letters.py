"""The letter about cases that wait long, for members of staff."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.mail.letters import Facts, Letter, letter
from accounts.mail.recipients import Recipient


@letter("cases-waiting")
def cases_waiting(to: Recipient, facts: Facts) -> Letter:
    """Says how many cases wait long, and how many of them are urgent. It names nobody."""
    waiting, urgent = int(facts["waiting"]), int(facts["urgent"])
    said = [
        ngettext(
            "%(n)d case has been open for more than a day, or for more than an hour although it’s urgent.",
            "%(n)d cases have been open for more than a day, or for more than an hour although they’re urgent.",
            waiting,
        )
        % {"n": waiting}
    ]
    if urgent:
        text = ngettext("%(n)d of them is urgent.", "%(n)d of them are urgent.", urgent)
        said.append(text % {"n": urgent})
    subject = ngettext(
        "%(n)d case is waiting for a decision", "%(n)d cases are waiting for a decision", waiting
    )
    return Letter(
        subject % {"n": waiting},
        tuple(said),
        button=_("Open the queue"),
        path="/moderation/queue",
        after=(
            _(
                "This letter comes at most once a day, while cases wait. You can turn it off in the settings of your "
                "notifications."
            ),
        ),
    )
