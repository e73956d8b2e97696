"""What must always hold for passkeys: each has its claim, and Credentials count them."""

from collections import Counter
from dataclasses import dataclass, field

from accounts.invariants import wrong_counts
from accounts.models import Credentials, Passkey, PasskeyClaim
from socialsite.table.item import Item


@dataclass
class PasskeyInvariants:
    """Give it every item with `add`, then ask for `results`."""

    passkeys: set[tuple[str, str]] = field(default_factory=set)  # with the person
    claims: set[tuple[str, str]] = field(default_factory=set)
    stored_counts: dict[str, int] = field(default_factory=dict)

    def add(self, item: Item) -> None:
        match item:
            case Passkey():
                self.passkeys.add((item.credential_hash, item.user_id))
            case PasskeyClaim():
                self.claims.add((item.credential_hash, item.user_id))
            case Credentials():
                self.stored_counts[item.user_id] = int(item.passkeys or 0)

    def results(self) -> dict[str, list[str]]:
        """Returns the violations of each invariant."""
        counted = Counter(user_id for _, user_id in self.passkeys)
        return {
            "each passkey has its claim": sorted(one for one, _ in self.passkeys ^ self.claims),
            "passkeys are counted": list(wrong_counts(self.stored_counts, counted)),
        }
