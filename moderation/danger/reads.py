"""What the pages about danger show: the last kind words to someone, and whether a case is about danger."""

from collections.abc import Collection
from dataclasses import dataclass

from accounts.people.cards import moment_text
from moderation.danger.writes import STEPS, HelpStep
from moderation.models import HelpOffer
from socialsite.site_settings.site_setup import DANGER
from socialsite.table import access_pattern, ids, keys, query, row


@dataclass(frozen=True, slots=True)
class Offer:
    """Kind words of moderators."""

    text: str
    iso: str

    @property
    def when(self) -> str:
        return moment_text(self.iso)


@access_pattern
def find_offer(user_id: str) -> Offer | None:
    """Returns the newest kind words of moderators to someone, if there are any that have not expired. One Query of
    one item, 0.5 read units."""
    for raw in query(keys.help_offers(user_id), forward=False, limit=1):
        offer = row(HelpOffer, raw)
        at = ids.time_of(offer.offer_id)
        return Offer(offer.text, at.isoformat(timespec="seconds"))
    return None


def was_sent(user_id: str, text: str) -> bool:
    """Whether the newest words to someone are these. As `find_offer`."""
    newest = find_offer(user_id)
    return newest is not None and newest.text == text


@dataclass(frozen=True, slots=True)
class StepRow:
    """A step of the checklist as the page of the case shows it."""

    name: str
    text: str
    is_done: bool


def checklist(rules: Collection[str], done: Collection[str]) -> list[StepRow]:
    """Returns the steps for a case in which danger was reported, or a step was taken; none for every other."""
    if DANGER not in rules and not done:
        return []
    return [StepRow(str(step), str(STEPS[step]), step in done) for step in HelpStep]
