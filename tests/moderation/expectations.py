"""Moderation in a few dictionaries: which cases are open, and where. The machine compares the table with it."""

from dataclasses import dataclass, field

from feed.posts.models import Withheld
from moderation.cases.reads import THE_SITE, CaseId
from moderation.models import ActionKind, CaseKind, Queue
from socialsite import keys

SHOWN, HELD, HIDDEN = "", Withheld.HELD, Withheld.HIDDEN
FIRST = {
    CaseKind.PERSON: Queue.REPORTS,
    CaseKind.POST: Queue.HELD,
    CaseKind.SIGN_UP: Queue.SIGN_UPS,
}


@dataclass
class Known:
    """A case that was ever open. `reporters` are those of its round, `decision` is the action that closed it."""

    person: str
    is_open: bool = False
    reporters: set[str] = field(default_factory=set)
    appeals: set[str] = field(default_factory=set)
    desk: str = ""
    decision: str = ""

    def open_round(self) -> None:
        if not self.is_open:
            self.is_open, self.reporters, self.decision = True, set(), ""

    def close(self, decision: str) -> None:
        self.is_open, self.desk, self.decision = False, "", decision


@dataclass
class Done:
    """An action, with the posts that it changed."""

    case_id: CaseId
    kind: ActionKind
    posts: tuple[str, ...]
    is_undone: bool = False
    is_answered: bool = False


@dataclass
class Model:
    cases: dict[CaseId, Known] = field(default_factory=dict)
    authors: dict[str, str] = field(default_factory=dict)  # of posts that are there
    states: dict[str, str] = field(default_factory=dict)  # of posts: shown, held or hidden
    held: set[str] = field(default_factory=set)  # posts that were, when they were published
    kept: set[str] = field(default_factory=set)  # posts that are evidence
    done: dict[str, Done] = field(default_factory=dict)  # by action id
    records: list[tuple[str, str, str]] = field(default_factory=list)  # that the worker has to read

    def index(self) -> dict[str, set[CaseId]]:
        found: dict[str, set[CaseId]] = {}
        for case_id, case in self.cases.items():
            if case.is_open:
                queue = Queue.APPEALS if case.appeals else FIRST[case_id.kind]
                partition = keys.desk(case.desk) if case.desk else keys.queue(queue)
                found.setdefault(partition, set()).add(case_id)
        return found

    def begin(self, kind: CaseKind, subject: str, person: str) -> None:
        """A case that is there stays as it is."""
        self.cases.setdefault(CaseId(kind, subject), Known(person, is_open=True))

    def publish(self, post_id: str, author: str, state: str, *, is_flagged: bool) -> None:
        self.authors[post_id], self.states[post_id] = author, state
        if state == HELD:
            self.held.add(post_id)
        if state or is_flagged:
            self.records.append(("published", post_id, author))

    def delete(self, post_id: str) -> None:
        author = self.authors.pop(post_id)
        if self.states.pop(post_id):
            self.records.append(("deleted", post_id, author))

    def report(self, by: str, person: str, post_id: str) -> None:
        case = self.cases.setdefault(CaseId(CaseKind.PERSON, person), Known(person))
        case.open_round()
        case.reporters.add(by)
        self.kept |= {post_id} - {""}

    def work(self) -> None:
        """What the worker does about all that it has not read."""
        for what, subject, person in self.records:
            case, was_held = self.cases.get(CaseId(CaseKind.POST, subject)), subject in self.held
            match what:
                case "signed up":
                    self.begin(CaseKind.SIGN_UP, subject, person)
                case "published" if was_held:
                    if self.states.get(subject):
                        self.begin(CaseKind.POST, subject, person)
                case "published" if subject in self.authors and subject not in self.kept:
                    self.report(THE_SITE, person, subject)
                case "deleted" if case and case.is_open and not case.appeals:
                    case.close("gone")
        self.records.clear()

    def decide(
        self, action_id: str, case_id: CaseId, kind: ActionKind, posts: set[str], *, keep: bool
    ) -> None:
        case = self.cases[case_id]
        turned = self._turn(kind, {case_id.subject_id} if case_id.kind == CaseKind.POST else posts)
        self.done[action_id] = Done(case_id, kind, tuple(turned))
        if not case.is_open:
            return
        if case.appeals:
            case.reporters = case.reporters if keep else set()
        elif not keep or case_id.kind != CaseKind.PERSON:
            case.close(action_id)

    def _turn(self, kind: ActionKind, posts: set[str]) -> set[str]:
        before, after = {
            ActionKind.HIDE: ({SHOWN, HELD}, HIDDEN),
            ActionKind.REFUSE: ({SHOWN, HELD}, HIDDEN),
            ActionKind.RELEASE: ({HELD}, SHOWN),
        }.get(kind, (set(), SHOWN))
        return self._set(posts, before, after)

    def _set(self, posts: set[str], before: set[str], after: str) -> set[str]:
        turned = {post for post in posts if self.states.get(post) in before}
        self.states |= dict.fromkeys(turned, after)
        return turned

    def undo(self, action_id: str) -> None:
        done, case = self.done[action_id], self.cases[self.done[action_id].case_id]
        if done.is_undone:
            return
        done.is_undone = True
        if action_id in case.appeals:
            self._back(done, waits=False)
            self._settle(action_id)
        elif case.is_open or case.decision != action_id:
            self._back(done, waits=False)
        else:
            is_post = done.case_id.kind == CaseKind.POST
            turned = self._back(done, waits=is_post)
            if turned or not is_post:
                case.is_open, case.decision = True, ""

    def _back(self, done: Done, *, waits: bool) -> set[str]:
        posts = {done.case_id.subject_id} if done.case_id.kind == CaseKind.POST else set(done.posts)
        if done.kind in (ActionKind.HIDE, ActionKind.REFUSE):
            return self._set(posts, {HIDDEN}, HELD if waits else SHOWN)
        if done.kind == ActionKind.RELEASE and waits:
            return self._set(posts, {SHOWN}, HELD)
        return set()

    def appeal(self, action_id: str) -> None:
        case = self.cases[self.done[action_id].case_id]
        case.open_round()
        if action_id not in case.appeals:
            case.desk = ""
        case.appeals.add(action_id)

    def answer(self, action_id: str, *, grant: bool) -> None:
        done = self.done[action_id]
        if grant:
            done.is_undone = True
            self._back(done, waits=False)
        self._settle(action_id)

    def _settle(self, action_id: str) -> None:
        case = self.cases[self.done[action_id].case_id]
        self.done[action_id].is_answered = True
        case.appeals.discard(action_id)
        if not case.appeals and not case.reporters:
            case.close(action_id)
