"""Every row of the table of states, played: a case in that state, the step done to it, and the state it is in then."""

from dataclasses import dataclass, field

import pytest

from accounts.people.viewer import Viewer
from moderation.cases.changes import NEXT, State, Step, after, state_of
from moderation.cases.effects import undo_action
from moderation.cases.reads import read_case
from moderation.cases.writes import answer_appeal, appeal
from moderation.models import ActionKind
from moderation.reports.writes import close_gone
from tests.conftest import person
from tests.moderation.cases import about, decide, is_there, let_claim_lapse, report


@dataclass
class Play:
    """Bob's case, and the ids of what was done in it: the first action closed nothing, the last one may have."""

    bob: Viewer
    reporters: list[Viewer]
    mod: Viewer
    done: list[str] = field(default_factory=list)

    def state(self) -> State:
        return state_of(read_case(about(self.bob)) if is_there(about(self.bob)) else None)

    def prepare(self, state: State) -> None:
        if state is State.ABSENT:
            return
        self._report()
        self._act(ActionKind.WARN, keep_open=True)
        if state is State.OPEN:
            return
        self._act(ActionKind.LIMIT)
        if state is State.APPEALED:
            self._appeal(self.done[-1])

    def do(self, step: Step) -> None:
        case_id = about(self.bob)
        match step:
            case Step.REPORT:
                self._report()
            case Step.DECIDE:
                self._act(ActionKind.FREEZE)
            case Step.DECIDE_AND_KEEP:
                self._act(ActionKind.FREEZE, keep_open=True)
            case Step.APPEAL:
                self._appeal(self.done[0])
            case Step.ANSWER_ONE_OF_SEVERAL:
                self._appeal(self.done[0])
                self._answer(self.done[-1])
            case Step.ANSWER_BEFORE_REPORTS:
                self._report()
                self._answer(self.done[-1])
            case Step.ANSWER:
                self._answer(self.done[-1])
            case Step.UNDO_CLOSING:
                undo_action(by=self.mod, case_id=case_id, action_id=self.done[-1])
            case Step.UNDO_EARLIER:
                undo_action(by=self.mod, case_id=case_id, action_id=self.done[0])
            case Step.LOSE_SUBJECT:
                let_claim_lapse(case_id)
                close_gone(case_id=case_id)

    def _report(self) -> None:
        report(self.reporters.pop(), self.bob, rule_id="spam")

    def _act(self, kind: ActionKind, **rest: bool) -> None:
        self.done.append(decide(self.mod, about(self.bob), kind, **rest))

    def _appeal(self, action_id: str) -> None:
        appeal(person_id=self.bob.user_id, action_id=action_id, text="It was a joke")

    def _answer(self, action_id: str) -> None:
        case_id = about(self.bob)
        version = int(read_case(case_id).version)
        answer_appeal(by=self.mod, case_id=case_id, action_id=action_id, text="No", version=version,
                      grant=False)  # fmt: skip


@pytest.fixture
def play(bob, carol, mod) -> Play:
    return Play(bob, [carol, person("dora"), person("erik")], mod)


@pytest.mark.parametrize(("state", "step"), NEXT, ids=lambda value: str(value).replace(" ", "-"))
def test_a_step_leads_where_the_table_says(state, step, play):
    play.prepare(state)
    assert play.state() is state
    play.do(step)
    assert play.state() is NEXT[state, step]


def test_a_step_that_a_state_does_not_know_is_a_mistake(bob, carol):
    case = report(carol, bob)
    with pytest.raises(KeyError):
        after(case, Step.UNDO_CLOSING)


def test_every_state_and_step_has_a_row():
    assert {state for state, _ in NEXT} == set(State)
    assert {step for _, step in NEXT} == set(Step)
