"""The posts of a case with their photos, as its page shows them."""

from collections.abc import Collection, Iterator, Sequence

from accounts.cards import PersonCard
from moderation.cases.pages.cards import Found
from moderation.cases.pages.context_cards import Context
from moderation.cases.pages.evidence_cards import EvidenceCard
from moderation.cases.pages.photo_cards import cards_of_copies, cards_of_post
from moderation.models import CaseEvidence, CasePhoto
from socialsite.table.reading import RawItem, as_model
from socialsite.table.row import row


def evidence_cards(
    posts: Sequence[RawItem],
    copies: Sequence[RawItem],
    found: Found,
    person: PersonCard | None,
    *,
    contexts: dict[str, Context],
    revealed: Collection[str],
) -> Iterator[EvidenceCard]:
    """Yields the reported posts, raw `CaseEvidence`, and the held one, a raw `Post`. A post that was kept in several
    versions has its photos and its context once, at the first."""
    photos = dict(cards_of_copies(as_model(CasePhoto, raw) for raw in copies))
    for raw in posts:
        post_id = row(CaseEvidence, raw).post_id
        yield EvidenceCard.from_raw(
            *(raw, found, person),
            revealed=revealed,
            photos=photos.pop(post_id, ()) or cards_of_post(raw, post_id),
            context=contexts.pop(post_id, None),
        )
