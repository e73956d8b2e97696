"""Items of moderation: `cases.py` (cases and their parts, messages to people), `people.py` (lists of people and notes
about them), `photos.py` (reported photos), `audit.py` (the audit log, counts of days and of word filters), `waiting.py`
(counts of what waits), `waves.py` (one decision about many cases), and `hints.py` (what may be a wave)."""

from moderation.models.audit import AuditEntry as AuditEntry
from moderation.models.audit import AuditHead as AuditHead
from moderation.models.audit import DayCount as DayCount
from moderation.models.cases import WITHOUT_APPEAL as WITHOUT_APPEAL
from moderation.models.cases import WITHOUT_EFFECT as WITHOUT_EFFECT
from moderation.models.cases import ActionKind as ActionKind
from moderation.models.cases import Appeal as Appeal
from moderation.models.cases import Case as Case
from moderation.models.cases import CaseAction as CaseAction
from moderation.models.cases import CaseEvidence as CaseEvidence
from moderation.models.cases import CaseKind as CaseKind
from moderation.models.cases import CaseMessage as CaseMessage
from moderation.models.cases import CaseNote as CaseNote
from moderation.models.cases import CaseOutcome as CaseOutcome
from moderation.models.cases import CaseReport as CaseReport
from moderation.models.cases import ClosedCase as ClosedCase
from moderation.models.cases import ProfileEvidence as ProfileEvidence
from moderation.models.cases import Queue as Queue
from moderation.models.cases import ReportSaying as ReportSaying
from moderation.models.cases import ReportTrace as ReportTrace
from moderation.models.cases import Strike as Strike
from moderation.models.hints import Hint as Hint
from moderation.models.hints import HintKind as HintKind
from moderation.models.hints import SamePost as SamePost
from moderation.models.people import PersonEntry as PersonEntry
from moderation.models.people import PersonNote as PersonNote
from moderation.models.photos import CasePhoto as CasePhoto
from moderation.models.photos import Keeping as Keeping
from moderation.models.waiting import WaitingCount as WaitingCount
from moderation.models.waves import Wave as Wave
from moderation.models.waves import WaveState as WaveState
from moderation.models.waves import WaveTarget as WaveTarget
