"""What people do at the simulated site, room by room: each function draws one deed, or none where nothing fits."""

from collections.abc import Callable

from tests.simulation.world import Deed, World

Draw = Callable[[World], Deed | None]
DEEDS: list[tuple[int, Draw]] = []  # how often each is drawn


def deed(weight: int) -> Callable[[Draw], Draw]:
    def register(draw: Draw) -> Draw:
        DEEDS.append((weight, draw))
        return draw

    return register


def load() -> None:
    from tests.simulation.deeds import accounts, messages, pages, posts, relations, staff

    assert all((accounts, messages, pages, posts, relations, staff))
    DEEDS.sort(key=lambda one: (one[1].__module__, one[1].__name__))


def draw(world: World) -> Deed | None:
    (chosen,) = world.chance.choices(DEEDS, [weight for weight, _ in DEEDS])
    return chosen[1](world)
