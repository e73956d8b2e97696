"""What must hold for accounts that are closed or erased, and for the wishes about old posts: the next run of each is
planned, and nothing else is. And for files that are brought: what is not done has its work planned."""

from collections import Counter
from dataclasses import dataclass, field

from accounts.models import Credentials, UserInfo
from privacy.importing.models import Stage, Transfer
from privacy.importing.writes import BRING
from privacy.models import Erasure, OldPostsWish, Receipt, State
from privacy.old_posts.writes import DUE
from socialsite.due.models import Due
from socialsite.invariants import must_hold
from socialsite.streams import Job, JobKind
from socialsite.table import Item


@must_hold
@dataclass
class ErasureInvariants:
    """Give it every item with `add`, then ask for `results`."""

    closing: set[str] = field(default_factory=set)
    with_receipt: dict[str, str] = field(default_factory=dict)  # receipts by person
    planned: set[str] = field(default_factory=set)
    begun: set[str] = field(default_factory=set)  # people
    under_way: set[str] = field(default_factory=set)

    def add(self, item: Item) -> None:
        match item:
            case UserInfo() if item.closing:
                self.closing.add(item.user_id)
            case Credentials() if item.receipt:
                self.with_receipt[item.user_id] = item.receipt
            case Receipt() if item.state == State.PLANNED:
                self.planned.add(item.receipt_id)
            case Erasure() if not item.erased_at:
                self.begun.add(item.user_id)
            case Job() if item.kind == JobKind.ERASE:
                self.under_way.add(item.subject_id)

    def results(self) -> dict[str, list[str]]:
        """Returns the violations of each invariant."""
        waiting = self.closing - self.begun
        return {
            "an account that closes has a receipt, and no other account has": sorted(
                (waiting ^ self.with_receipt.keys())
                | (self.planned ^ set(self.with_receipt.values()))
            ),
            "an erasure that began is under way": sorted(self.begun ^ self.under_way),
        }


@must_hold
@dataclass
class OldPostsInvariants:
    """Give it every item with `add`, then ask for `results`."""

    wished: Counter[tuple[str, str]] = field(default_factory=Counter)
    planned: Counter[tuple[str, str]] = field(default_factory=Counter)

    def add(self, item: Item) -> None:
        match item:
            case OldPostsWish() if item.next_run:
                self.wished[item.user_id, item.next_run] += 1
            case Due() if item.kind == DUE:
                self.planned[item.subject, item.facts["planned"]] += 1

    def results(self) -> dict[str, list[str]]:
        """Returns the violations of each invariant. A run that was planned before the wish changed is none: it does
        nothing when its time comes."""
        return {
            "each wish about old posts has its next run planned once": sorted(
                f"{user_id} {moment}"
                for (user_id, moment), count in self.wished.items()
                if self.planned[user_id, moment] != count
            )
        }


@must_hold
@dataclass
class ImportInvariants:
    """Give it every item with `add`, then ask for `results`."""

    working: set[str] = field(default_factory=set)
    planned: Counter[str] = field(default_factory=Counter)

    def add(self, item: Item) -> None:
        match item:
            case Transfer() if item.stage == Stage.WORKING:
                self.working.add(item.transfer_id)
            case Due() if item.kind == BRING:
                self.planned[item.subject] += 1

    def results(self) -> dict[str, list[str]]:
        """Returns the violations of each invariant. Work that is planned for a file that was stopped ends by itself."""
        return {
            "each file that is being brought has its next part planned once": sorted(
                one for one in self.working if self.planned[one] != 1
            )
        }
