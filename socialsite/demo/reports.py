"""What people of the demo reported, so that moderators find a queue with something in it."""

from dataclasses import dataclass


@dataclass(frozen=True)
class DemoReport:
    """A post that broke a rule, how many people reported it, and what some of them wrote."""

    text: str
    rule: str
    reporters: int
    comments: tuple[str, ...] = ()


DEMO_REPORTS = (
    DemoReport(
        "EARN 500 A DAY FROM YOUR SOFA 💸💸💸 Only three places left! Write to me for the secret list"
        " before the big shops find out!!!",
        "spam",
        20,
        ("The same under every photo of bread.", "My aunt nearly sent money.", "Again!"),
    ),
    DemoReport(
        "Nobody asked you, nobody reads you, and nobody would notice if you stopped. So stop.",
        "harassment",
        7,
        ("Third answer of this kind to the same person this week.", "This is not a debate."),
    ),
    DemoReport(
        "Hello, here is the official support of this site. Tell me your password and your account"
        " will get its green tick by tonight. ✅",
        "impersonation",
        5,
        ("The real moderators never ask for that.",),
    ),
    DemoReport(
        "If the neighbours' dog barks once more I know what to do, and the dog will not like it.",
        "violence",
        3,
        ("I think he means it.", "Please somebody look at this."),
    ),
    DemoReport(
        "Tickets for the sold-out concert, printed by myself, you cannot tell the difference."
        " Twenty each. 🎫",
        "illegal",
        2,
    ),
    DemoReport(
        "My kettle collection, part 41 of 300. Part 42 in ten minutes. Part 43 in twenty.",
        "spam",
        1,
        ("It is only kettles, but it is so many kettles.",),
    ),
)
