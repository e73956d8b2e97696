"""Which hints are about the same accounts. A wave is often noticed several times: by its text, by each host that it
links to, hour after hour, and by its network. Pure functions."""

from collections.abc import Collection, Sequence

from moderation.models import Hint, HintKind

KINDS = list(HintKind)


def are_the_same(one: Collection[str], other: Collection[str]) -> bool:
    """Whether most of the accounts of both are in both. That five of a hundred who share a network also post alike says
    nothing about the others."""
    both = {*one} & {*other}
    return 2 * len(both) > len({*one, *other})


def together(hints: Sequence[Hint], accounts: Sequence[Collection[str]]) -> list[list[Hint]]:
    """Returns the hints, those about the same accounts as one: in front the one with the most accounts, of equal ones
    the one about a text. Hints without accounts stay alone."""
    found: list[tuple[Collection[str], list[Hint]]] = []
    for hint, people in sorted(zip(hints, accounts, strict=True), key=lambda one: _rank(one[0])):
        beside = next((row for of, row in found if are_the_same(of, people)), None)
        if beside is None:
            found.append((people, [hint]))
        else:
            beside.append(hint)
    newest = {hint.hint_id: place for place, hint in enumerate(hints)}
    rows = (row for _, row in found)
    return sorted(rows, key=lambda row: min(newest[hint.hint_id] for hint in row))


def _rank(hint: Hint) -> tuple[int, int]:
    return -int(hint.authors), KINDS.index(HintKind(hint.kind))
