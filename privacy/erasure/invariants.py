"""What must hold for accounts that are closed or erased."""

from dataclasses import dataclass, field

from accounts.models import Credentials, UserInfo
from privacy.models import Erasure, Receipt, State
from socialsite.models import Job, JobKind
from socialsite.table.item import Item


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
