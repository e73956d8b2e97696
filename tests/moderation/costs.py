"""A reported person, and what an act about them costs."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from accounts.people.viewer import Viewer
from moderation.cases.decisions import Decision, decide_case
from moderation.cases.effects import undo_action
from moderation.cases.reads import read_case
from moderation.cases.writes import add_note, answer_appeal, appeal
from moderation.models import ActionKind
from socialsite.table.meter import Meter
from tests.conftest import post
from tests.moderation.cases import about, decide, report

K = ActionKind
GET, BATCH, QUERY, UPDATE, TRANSACT = (
    "GetItem",
    "BatchGetItem",
    "Query",
    "UpdateItem",
    "TransactWriteItems",
)


@dataclass
class Scene:
    """Bob, of whom Alice reported a post, and who looks at it."""

    alice: Viewer
    bob: Viewer
    carol: Viewer
    mod: Viewer
    post_id: str

    def decide(self, kind: ActionKind, *posts: str, **rest: Any) -> Callable[[], object]:
        decision = Decision(kind, posts, text="Because", **rest)
        version = int(read_case(about(self.bob)).version)
        return lambda: decide_case(
            by=self.mod, case_id=about(self.bob), decision=decision, version=version
        )

    def done(self, kind: ActionKind, *posts: str, **rest: Any) -> str:
        return decide(self.mod, about(self.bob), kind, *posts, **rest)

    def appealed(self) -> str:
        action_id = self.done(K.SUSPEND)
        appeal(person_id=self.bob.user_id, action_id=action_id, text="No")
        return action_id

    def undo(self, action_id: str) -> Callable[[], object]:
        return lambda: undo_action(by=self.mod, case_id=about(self.bob), action_id=action_id)

    def answer(self, action_id: str, grant: bool | None, text: str = "Hm") -> Callable[[], object]:
        version = int(read_case(about(self.bob)).version)
        return lambda: answer_appeal(
            by=self.carol,  # of the moderator who decided it costs as `list_staff` more
            case_id=about(self.bob),
            action_id=action_id,
            text=text,
            version=version,
            grant=grant,
        )


def scene_of(alice: Viewer, bob: Viewer, carol: Viewer, mod: Viewer) -> Scene:
    post_id = post(bob)
    report(alice, bob, post_id, rule_id="spam")
    add_note(by=mod, case_id=about(bob), text="The log has its head")
    return Scene(alice, bob, carol, mod, post_id)


def cost(meter: Meter) -> tuple[list[str], float, float]:
    return [call.operation for call in meter.calls], meter.read_units, meter.write_units
