"""What is counted in a year, by name: the sort keys of `figures#<year>`. A name has parts with dots between them, so
that one count of an action says its kind, its reason, where it came from, and whether a filter took it.

Articles 15 and 24 of Regulation (EU) 2022/2065 say what platforms have to tell; the categories are those of annex I of
Implementing Regulation (EU) 2024/2835.
"""

from collections import Counter
from collections.abc import Mapping

from socialsite.site_settings.site_setup import CHILD, DANGER, OTHER

NOTICES = "notices"  # and the rule that they name
FLAGGED = "flagged"  # by a word filter, and the rule
ACTIONS = "actions"  # kind, rule, NOTICE or OWN, BY_FILTER or BY_HAND
TAKEN_BACK = "taken-back"  # kind, BY_FILTER or BY_HAND, AFTER_APPEAL or BY_THEMSELVES
APPEALS = "appeals"  # kind, BY_FILTER or BY_HAND
GRANTED = "granted"  # as APPEALS
REFUSED = "refused"
HELD = "held"  # posts that a filter let wait
TO_ACT = "to-act"  # from notice to action: the step
TO_ANSWER = "to-answer"  # from appeal to answer: the step
ACTIVE = "active"  # people who were here, signed in: the month

NOTICE, OWN = "notice", "own"
BY_FILTER, BY_HAND = "filter", "hand"
AFTER_APPEAL, BY_THEMSELVES = "appeal", "themselves"

# What staff enter, because the site cannot know it.
TYPED = "typed"
ORDERS_TO_ACT, ORDERS_FOR_INFORMATION, ORDER_HOURS = (
    "orders-to-act",
    "orders-for-information",
    "order-hours",
)
SUSPENDED_REPORTERS, SUSPENDED_OTHERS = "suspended-reporters", "suspended-for-illegal"
DISPUTES, STAFF, USERS = "disputes", "staff", "users"
TYPED_NAMES = (
    ORDERS_TO_ACT, ORDERS_FOR_INFORMATION, ORDER_HOURS, SUSPENDED_REPORTERS, SUSPENDED_OTHERS, DISPUTES, STAFF, USERS,
)  # fmt: skip

PAST = "past"  # before a name: counted from what was there when counting began (`checks.py`)
SINCE_YEAR, SINCE = "since", "since"  # the year and the name of the moment when it began

OF_TERMS = "Scope of platform service"
CATEGORIES = {
    "violence": "Violence",
    "illegal": "Type of alleged illegal content not specified",
    "harassment": "Illegal or harmful speech",
    "sexual": OF_TERMS,
    "impersonation": "Scams and/or fraud",
    "spam": "Scams and/or fraud",
    DANGER: "Self-harm",
    CHILD: "Protection of minors",
    OTHER: OF_TERMS,
}


def name_of(*parts: str) -> str:
    return ".".join(parts)


def category_of(rule_id: str) -> str:
    """Returns the category of the implementing regulation in which a rule falls: those that the site made itself are
    its own terms."""
    return CATEGORIES.get(rule_id, OF_TERMS)


def summed(
    counts: Mapping[str, int], what: str, part: int, *, where: Mapping[int, str] | None = None
) -> Counter[str]:
    """Returns the counts of `what` by one of their parts (the first is 0), of those alone whose parts are as `where`
    says. A negative sum is 0: what was taken back can be counted before what it takes back."""
    sums: Counter[str] = Counter()
    for name, times in counts.items():
        head, *parts = name.split(".")
        if head == what and all(parts[at] == value for at, value in (where or {}).items()):
            sums[parts[part]] += times
    return Counter({name: times for name, times in sums.items() if times > 0})


def total(counts: Mapping[str, int], what: str, *, where: Mapping[int, str] | None = None) -> int:
    """Returns the sum of all counts of `what`."""
    return summed(counts, what, 0, where=where).total()
