"""A case as its page shows it: the case file, grouped and counted, with the actions on offer, what moderators cannot do
about colleagues (so that no page offers it), and what was added or no longer fits while a moderator was deciding."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from urllib.parse import urlencode

from django.utils.translation import gettext

from accounts.people.cards import PersonCard, is_held, moment_text, restrictions_of
from accounts.people.viewer import Viewer
from accounts.permissions import is_junior
from moderation.cases.action_cards import ActionCard
from moderation.cases.cards import NoteCard, ReportCard
from moderation.cases.decisions import OF_KIND
from moderation.cases.effects import RESTRICTIONS, WITH_NOTICE
from moderation.cases.evidence_cards import EvidenceCard
from moderation.cases.forms import Reason, grouped
from moderation.cases.lists import CaseFile
from moderation.cases.reads import CaseId, state_of
from moderation.cases.words import (
    LINES,
    NAMES,
    RESTRICTED,
    SUBJECTS,
    age_text,
    done_word,
    strikes_text,
)
from moderation.danger.reads import StepRow, checklist
from moderation.models import WITHOUT_EFFECT, ActionKind, CaseKind, Queue
from socialsite.site_settings.site_rules import rule_of
from socialsite.site_settings.site_setup import CHILD, Rule
from socialsite.table import ids


def refusal(kind: ActionKind, *, role: str, is_above: bool) -> str:
    """Returns why nobody in the viewer's place takes this action about someone with this role, empty if they may."""
    if not role or kind not in WITH_NOTICE:
        return ""
    if not is_above:
        return of_staff(is_above=False)
    return of_staff(is_above=True) if kind in RESTRICTIONS else ""


def of_staff(*, is_above: bool) -> str:
    """Returns what a page about one of the staff says, to someone above their role or not."""
    if is_above:
        return gettext("This person is on the staff. Remove their role first to restrict them.")
    return gettext(
        "This person is on the staff, and your role is not above theirs. You can end the reports about them, and "
        "someone above them does the rest."
    )


STRONG = {
    ActionKind.FREEZE,
    ActionKind.REMOVE,
    ActionKind.SUSPEND,
    ActionKind.REFUSE,
    ActionKind.DECLINE,
}


@dataclass(frozen=True, slots=True)
class Step:
    """One action of the ladder. `line` says what it does."""

    kind: ActionKind
    name: str
    line: str

    @property
    def is_strong(self) -> bool:
        return self.kind in STRONG


@dataclass(frozen=True)
class CasePage:
    """`may_do` says which actions the viewer has the permission for, `is_above` whether their role is above that of the
    person."""

    file: CaseFile
    viewer: Viewer
    may_do: Callable[[ActionKind], bool]
    is_above: bool

    @property
    def case_id(self) -> CaseId:
        return self.file.case.case_id

    @property
    def subject(self) -> str:
        return str(SUBJECTS[Queue(self.file.case.queue)])

    @property
    def person_id(self) -> str:
        """Returns the id of the person, also of one who was erased, if the case tells it."""
        if self.file.person:
            return self.file.person.user_id
        return "" if self.case_id.kind == CaseKind.POST else self.case_id.subject_id

    @property
    def kept_by_law(self) -> str:
        """Returns until when the law keeps the case or the account, in words, empty if it does not."""
        person = self.file.person
        ends = [self.file.case.held_until, person.held_until if person else ""]
        end = max(filter(is_held, ends), default="")
        return moment_text(end) if end else ""

    @property
    def is_mine(self) -> bool:
        """Whether the viewer is reviewing the case."""
        looking = self.file.case.looking
        return looking is not None and looking.user_id == self.viewer.user_id

    @property
    def is_on_my_desk(self) -> bool:
        assigned = self.file.case.assigned
        return assigned is not None and assigned.user_id == self.viewer.user_id

    @property
    def is_taken(self) -> bool:
        """Whether someone else is reviewing the case, so that the viewer cannot decide it."""
        return self.file.case.looking is not None and not self.is_mine

    @property
    def kinds(self) -> tuple[ActionKind, ...]:
        """Returns the actions for a case of its kind, for every moderator."""
        return OF_KIND[self.case_id.kind]

    @cached_property
    def steps(self) -> list[Step]:
        """Returns the actions that the viewer may take on such a case, mildest first."""
        permitted = filter(self.may_do, self.kinds)
        lines = {kind: str(line) for kind, line in LINES.items()}
        if self.is_acted_on_automatically and not self.file.case.appealed:
            lines[ActionKind.DISMISS] = gettext("No rule was broken. The automatic limit ends.")
        if self.file.packs:
            lines[ActionKind.RESET] = gettext(
                "It removes name, bio, pictures, or words of starter packs. They can add new ones."
            )
        return [Step(kind, str(NAMES[kind]), lines[kind]) for kind in permitted]

    @property
    def is_acted_on_automatically(self) -> bool:
        """Whether something stands that the site did by itself, for a word filter."""
        return any(one.is_automatic and not one.is_undone for one in self.file.actions)

    @cached_property
    def ladder(self) -> list[Step]:
        """Returns the actions possible now. A decision about a held post or a sign-up must first be undone, or its
        appeal answered. Starter packs can be withdrawn if any were reported. Reports can be dismissed while nothing was
        done about them; after that, and without reports, the case can be closed. To someone who was erased nothing can
        be done."""
        case = self.file.case
        was_decided = not case.is_open or bool(case.appealed)
        if (
            self.is_taken
            or not self.may_decide
            or (was_decided and self.case_id.kind != CaseKind.PERSON)
        ):
            return []
        ending = {ActionKind.DISMISS if case.reports and not case.acted else ActionKind.CLOSE}
        is_secured = bool(self.file.person and self.file.person.is_secured)
        if self.is_acted_on_automatically or case.is_erased or self.checklist or is_secured:
            # what the site did may be right, what was reported true, and neither helping someone nor securing
            # their account decides about a rule
            ending.add(ActionKind.CLOSE)
        can_end = case.is_open and (case.reports or not case.appealed)
        possible = WITHOUT_EFFECT if case.is_erased else set(self.kinds)
        if not any(pack.can_be_acted_on for pack in self.file.packs):
            possible -= {ActionKind.WITHDRAW}
        if not any(photo.name for photo in self.file.photos):
            possible -= {ActionKind.REMOVE}
        without = WITHOUT_EFFECT - (ending if can_end else set())
        return [
            step
            for step in self.steps
            if step.kind in possible - without and not self.refusal_of(step.kind)
        ]

    @cached_property
    def checklist(self) -> list[StepRow]:
        """Returns the steps where danger was reported."""
        return checklist(self.file.case.rules, self.file.case.steps_done)

    @property
    def asked(self) -> NoteCard | None:
        """Returns what a senior was asked about this case, if anyone was."""
        raised = self.file.case.raised
        return next((note for note in self.file.notes if raised and note.note_id == raised), None)

    @property
    def may_decide(self) -> bool:
        """Whether the case is not one about which the viewer, a junior, waits for a senior."""
        return not (self.file.case.raised and is_junior(self.viewer))

    @property
    def is_about_pictures(self) -> bool:
        """Whether an illegal picture was reported, or one was refused."""
        case = self.file.case
        return CHILD in case.rules or bool(case.refused_pictures)

    @property
    def removing(self) -> Step | None:
        """Returns the step that removes pictures, if it is possible now."""
        return next((step for step in self.ladder if step.kind == ActionKind.REMOVE), None)

    @property
    def may_help(self) -> bool:
        """Whether the viewer can write kind words to the person, and tick steps."""
        is_about_them = self.case_id.kind == CaseKind.PERSON
        return is_about_them and self.is_above and not self.file.case.is_erased

    @property
    def may_take_in(self) -> bool:
        """Whether the viewer can take more posts of the person into the case."""
        return self.may_help and self.file.person is not None

    @property
    def may_secure(self) -> bool:
        """Whether the viewer can secure the person's account."""
        return self.may_help and self.file.person is not None

    def refusal_of(self, kind: ActionKind) -> str:
        return refusal(kind, role=self.role, is_above=self.is_above)

    @property
    def role(self) -> str:
        """Returns the role of the person, empty for everyone but the staff."""
        return self.file.person.role if self.file.person else ""

    @property
    def of_staff(self) -> str:
        return of_staff(is_above=self.is_above) if self.role else ""

    def offers(self, step: Step) -> bool:
        return step in self.ladder

    def is_by_viewer(self, action: ActionCard) -> bool:
        return action.moderator is not None and action.moderator.user_id == self.viewer.user_id

    def may_undo(self, action: ActionCard) -> bool:
        kind = ActionKind(action.kind)
        is_permitted = kind in WITHOUT_EFFECT or (self.is_above and not self.file.case.is_erased)
        return not action.is_undone and self.may_do(kind) and is_permitted

    @cached_property
    def actions(self) -> list[tuple[ActionCard, str, bool]]:
        """Returns the actions on this case in words, newest first, and whether the viewer may undo each."""
        return [
            (action, done_word(action.kind), self.may_undo(action))
            for action in reversed(self.file.actions)
        ]

    @cached_property
    def history(self) -> list[tuple[ActionCard, str]]:
        """Returns the actions about the person in other cases."""
        here = {action.action_id for action in self.file.actions}
        return [
            (strike, done_word(strike.kind))
            for strike in self.file.history
            if strike.action_id not in here
        ]

    @cached_property
    def reasons(self) -> list[Reason]:
        """Returns the reports of this round grouped by rule, the gravest first."""
        return grouped(self.file.reports)

    @cached_property
    def earlier_reports(self) -> list[ReportCard]:
        return [report for report in self.file.reports if not report.is_of_this_round]

    @property
    def more_reports(self) -> int:
        """Returns how many more reports there are than the page shows."""
        shown = sum(report.is_of_this_round for report in self.file.reports)
        return max(0, self.file.case.reports - shown)

    @cached_property
    def evidence(self) -> list[tuple[EvidenceCard, bool]]:
        """Returns the posts, each version once, with whether this version has the checkbox."""
        seen: set[str] = set()
        rows = []
        for found in self.file.evidence:
            card = replace(found, reporters=self._reporters_of(found.post_id))
            is_held = self.case_id.kind == CaseKind.POST
            rows.append((card, card.can_be_acted_on and card.post_id not in seen and not is_held))
            seen.add(card.post_id)
        return rows

    def _reporters_of(self, post_id: str) -> tuple[PersonCard, ...]:
        """Returns the people whose reports name this post, of those reports that the page has."""
        reports = (report for report in self.file.reports if post_id in report.posts)
        return tuple(report.reporter for report in reports if report.reporter)

    @property
    def appealed(self) -> ActionCard | None:
        """Returns the action that an open appeal is about, with the conversation."""
        action_id = self.file.case.appealed
        about = [message for message in self.file.messages if message.action_id == action_id]
        for action in self.file.actions:
            if action.action_id == action_id:
                return replace(action, messages=tuple(about))
        return None

    @property
    def appealed_word(self) -> str:
        return done_word(self.appealed.kind) if self.appealed else ""

    @property
    def may_grant(self) -> bool:
        return self.appealed is not None and self.may_undo(self.appealed)

    @property
    def said_before(self) -> list[ActionCard]:
        """Returns earlier appeals that were answered."""
        open_one = self.file.case.appealed
        cards = []
        for action in self.file.actions:
            about = tuple(m for m in self.file.messages if m.action_id == action.action_id)
            if about and action.action_id != open_one:
                cards.append(replace(action, messages=about))
        return cards

    @property
    def restrictions(self) -> list[tuple[str, str]]:
        """Returns the restrictions in force, each with its end (empty: until it is undone)."""
        if self.file.person is None:
            return []
        return [(str(RESTRICTED[one]), end) for one, end in restrictions_of(self.file.person)]

    @property
    def age(self) -> str:
        """Returns the age of the account in words."""
        if self.file.person is None:
            return ""
        return age_text(ids.time_of(self.file.person.user_id))

    @property
    def strikes_text(self) -> str:
        return strikes_text(sum(not strike.is_undone for strike in self.file.history))

    @property
    def closing(self) -> ActionCard | None:
        """Returns the action that closed the case, None if the answer to an appeal closed it."""
        case = self.file.case
        if case.is_open or case.outcome not in self.kinds:
            return None
        return next((one for one in self.file.actions if one.action_id == case.decision), None)

    @property
    def closed_word(self) -> str:
        return self.file.case.outcome_word


def what_moved(page: CasePage) -> str:
    """Returns, in words, why a decision no longer fits the case, and who changed it."""
    case, last = page.file.case, page.file.actions[-1] if page.file.actions else None
    if page.is_taken:
        assert case.looking is not None
        return gettext("%(name)s is reviewing this case.") % {"name": case.looking.name}
    if case.is_open and case.is_erased:
        return gettext("This account was deleted meanwhile.")
    if not case.is_open and page.closing and page.closing.moderator:
        words = {"name": page.closing.moderator.name, "what": page.closed_word}
        return gettext("%(name)s has since closed this case: %(what)s.") % words
    if not case.is_open:
        return gettext("This case has since been closed: %(what)s.") % {"what": page.closed_word}
    if last and last.moderator and not page.is_by_viewer(last):
        words = {"name": last.moderator.name, "what": done_word(last.kind)}
        return gettext("This case changed while you were reviewing it. %(name)s: %(what)s.") % words
    return gettext("This case changed while you were reviewing it: something was added.")


MOST_SHOWN = 10
News = list[tuple[Rule, ReportCard, list[EvidenceCard]]]


def latest_reports(page: CasePage, since: int) -> News:
    """Returns the reports since the version that the moderator saw, newest first, each with its rule and its posts.
    Each report raises the version by one."""
    added = min(page.file.case.version - since, MOST_SHOWN)
    newest = sorted(page.file.reports, key=lambda report: report.iso, reverse=True)
    cards = {card.post_id: card for card in page.file.evidence}
    return [
        (rule_of(report.rule_id), report, [cards[one] for one in report.posts if one in cards])
        for report in newest[: max(added, 0)]
    ]


def news_url(page: CasePage, *, action: str, version: str) -> str:
    """Returns the address that tells the dialog what changed since, empty for as long as nothing does."""
    case = page.file.case
    told = state_of(case.version, is_taken=page.is_taken)
    return f"{case.url}/news?{urlencode({'action': action, 'version': version, 'told': told})}"
