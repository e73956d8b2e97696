"""The access pattern behind a call: the function in the code that asked, and its number in the published model."""

import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from typing import Any

from django.conf import settings

ROOMS = (
    "socialsite",
    "accounts",
    "relations",
    "photos",
    "feed",
    "tags",
    "notifications",
    "moderation",
    "privacy",
    "lens",
)
NUMBERS = {
    "get_user_info": 1,
    "list_followers": 2,
    "list_following": 3,
    "list_posts": 4,
    "list_likers": 5,
    "get_like_count": 6,
    "get_timeline": 7,
}
WITHOUT_PATTERNS = ("__main__", ".install", ".settings", ".wsgi")


@dataclass(frozen=True, slots=True)
class Pattern:
    """`file` and `line` are where it stands, empty if no function of the code has the name."""

    name: str
    number: int = 0
    does: str = ""
    file: str = ""
    line: int = 0


@cache
def pattern_of(name: str) -> Pattern:
    """Returns the pattern of this name. The first time it looks through all modules."""
    function = _functions().get(name)
    if function is None:
        return Pattern(name)
    wrapped = inspect.unwrap(function)
    file = Path(inspect.getsourcefile(wrapped) or "").relative_to(settings.BASE_DIR)
    does = (inspect.getdoc(wrapped) or "").partition("\n\n")[0].replace("\n", " ")
    return Pattern(name, NUMBERS.get(name, 0), does, str(file), inspect.getsourcelines(wrapped)[1])


@cache
def _functions() -> dict[str, Callable[..., Any]]:
    return {function.__name__: function for function in _marked()}


@cache
def whole_names() -> dict[str, str]:
    """Returns the patterns by name, as `relations.access_patterns:list_followers`."""
    return {
        name: f"{function.__module__}:{inspect.unwrap(function).__qualname__}"
        for name, function in _functions().items()
    }


def _marked() -> Iterator[Callable[..., Any]]:
    for room in ROOMS:
        for module in walk_packages(import_module(room).__path__, f"{room}."):
            if module.name.endswith(WITHOUT_PATTERNS):
                continue
            for value in vars(import_module(module.name)).values():
                if getattr(value, "is_access_pattern", False):
                    yield value
