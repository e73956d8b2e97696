"""What may become of a case: its states, what is done to it, and where each step leads. Services read this table, and
`tests/moderation/test_case_states.py` plays every row of it."""

from enum import StrEnum

from moderation.models import Case


class State(StrEnum):
    ABSENT = "absent"  # nobody ever reported the person, held the post or signed up
    OPEN = "open"  # waits in its queue or on a desk
    APPEALED = "appealed"  # waits for the answer to an appeal, whatever reports there are
    CLOSED = "closed"


class Step(StrEnum):
    REPORT = "report"  # by a person, or by the site
    DECIDE = "decide"
    DECIDE_AND_KEEP = "decide and keep open"
    APPEAL = "appeal"
    ANSWER_ONE_OF_SEVERAL = "answer one of several appeals"
    ANSWER_BEFORE_REPORTS = "answer the last appeal while reports wait"
    ANSWER = "answer the last appeal"
    UNDO_CLOSING = "undo the action that closed it"
    UNDO_EARLIER = "undo another action"
    LOSE_SUBJECT = "its post is deleted"


OPEN, APPEALED, CLOSED = State.OPEN, State.APPEALED, State.CLOSED
NEXT: dict[tuple[State, Step], State] = {
    (State.ABSENT, Step.REPORT): OPEN,
    (OPEN, Step.REPORT): OPEN,
    (OPEN, Step.DECIDE): CLOSED,
    (OPEN, Step.DECIDE_AND_KEEP): OPEN,
    (OPEN, Step.APPEAL): APPEALED,
    (OPEN, Step.UNDO_EARLIER): OPEN,
    (OPEN, Step.LOSE_SUBJECT): CLOSED,
    (APPEALED, Step.REPORT): APPEALED,
    (APPEALED, Step.DECIDE): APPEALED,  # the reports alone
    (APPEALED, Step.DECIDE_AND_KEEP): APPEALED,
    (APPEALED, Step.APPEAL): APPEALED,
    (APPEALED, Step.ANSWER_ONE_OF_SEVERAL): APPEALED,
    (APPEALED, Step.ANSWER_BEFORE_REPORTS): OPEN,
    (APPEALED, Step.ANSWER): CLOSED,
    (APPEALED, Step.UNDO_EARLIER): APPEALED,
    (APPEALED, Step.LOSE_SUBJECT): APPEALED,
    (CLOSED, Step.REPORT): OPEN,  # another round
    (CLOSED, Step.DECIDE): CLOSED,
    (CLOSED, Step.DECIDE_AND_KEEP): CLOSED,
    (CLOSED, Step.APPEAL): APPEALED,
    (CLOSED, Step.UNDO_CLOSING): OPEN,
    (CLOSED, Step.UNDO_EARLIER): CLOSED,
    (CLOSED, Step.LOSE_SUBJECT): CLOSED,
}


def state_of(case: Case | None) -> State:
    if case is None:
        return State.ABSENT
    if case.escalated_to is None:
        return State.CLOSED
    return State.APPEALED if case.appealed else State.OPEN


def after(case: Case | None, step: Step) -> State:
    """The state to which a step leads. Raises `KeyError` for a step that the state does not know."""
    return NEXT[state_of(case), step]
