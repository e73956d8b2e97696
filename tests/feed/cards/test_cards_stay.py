"""A card stays as it was made: pages share cards, and caches may."""

import pytest

from tests.feed.cards.shown import ALICE, card


@pytest.mark.parametrize("one", [card(), ALICE], ids=["post", "person"])
@pytest.mark.parametrize("name", ["url", "colour"])
def test_a_card_takes_neither_another_value_nor_another_attribute(one, name):
    with pytest.raises(AttributeError):
        setattr(one, name, "")
