"""An item type: what its model says, how its keys are written, and which functions use it."""

import inspect
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from accounts.encryption.sealed_attribute import SealedAttribute
from lens.browser.families import Family, family_of
from lens.chart import Shape, shapes
from lens.uses import Function, functions_of
from socialsite.table.item import Item

OF_EVERY_ITEM = set(Item.get_attributes())


@dataclass(frozen=True, slots=True)
class Attribute:
    name: str
    kind: str  # as DynamoDB names it
    is_optional: bool
    is_sealed: bool


@dataclass(frozen=True)
class ItemType:
    """`about` is the first sentence of its model's docstring, `more` the rest of its first paragraph."""

    shape: Shape
    about: str
    more: str
    file: str
    line: int
    attributes: tuple[Attribute, ...]

    @property
    def name(self) -> str:
        return self.shape.item

    @property
    def family(self) -> Family | None:
        return family_of(self.name)

    @property
    def functions(self) -> dict[str, list[Function]]:
        return functions_of(self.name)

    @property
    def readers(self) -> int:
        return len(self.functions.get("read", ()))

    @property
    def writers(self) -> int:
        """Returns how many functions write or delete it."""
        verbs = ("write", "delete")
        return len({one for verb in verbs for one in self.functions.get(verb, ())})


@cache
def item_types() -> dict[str, ItemType]:
    """Returns all item types of the code by name."""
    return {model.__name__: _item_type(model) for model in _models()}


def _item_type(model: type[Item]) -> ItemType:
    text = " ".join((inspect.getdoc(model) or "").partition("\n\n")[0].replace("`", "").split())
    first, dot, rest = text.partition(". ")
    module = inspect.getmodule(model)
    return ItemType(
        shape=shapes().get(model.__name__, Shape(model.__name__, (), ())),
        about=first + dot.strip(),
        more=rest,
        file=(module.__name__ if module else "").replace(".", "/") + ".py",
        line=inspect.getsourcelines(model)[1],
        attributes=tuple(_attributes(model)),
    )


def _attributes(model: type[Item]) -> Iterator[Attribute]:
    for name, attribute in model.get_attributes().items():
        if name in OF_EVERY_ITEM:
            continue
        is_sealed = isinstance(attribute, SealedAttribute)
        yield Attribute(
            attribute.attr_name, str(attribute.attr_type), bool(attribute.null), is_sealed
        )


def _models() -> Iterator[type[Item]]:
    waiting = list(Item.__subclasses__())
    while waiting:
        model = waiting.pop()
        waiting += model.__subclasses__()
        yield model
