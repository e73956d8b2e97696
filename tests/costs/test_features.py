"""Every page, handler, job and kind of due work has a feature, and the list names nothing that is gone."""

from collections.abc import Iterator

from django.urls import URLPattern, URLResolver, get_resolver

from costs.spent import LABELS, OF_NAMES, OF_ROOM, Feature, feature_of
from socialsite.due.work import WORK
from socialsite.streams.dispatch import handlers, load_handlers
from socialsite.streams.jobs import STEPS
from socialsite.table import Item, name_of


def pages(patterns: list[URLPattern | URLResolver], room: str = "site") -> Iterator[str]:
    for one in patterns:
        if isinstance(one, URLResolver):
            yield from pages(one.url_patterns, one.app_name or room)
        elif one.name:
            yield f"{room}:{one.name}"


def item_types(of: type[Item] = Item) -> Iterator[type[Item]]:
    for one in of.__subclasses__():
        yield one
        yield from item_types(one)


def everything_that_spends() -> set[str]:
    load_handlers()
    return {
        *pages(get_resolver().url_patterns),
        *map(name_of, handlers()),
        *(name_of(step, kind) for kind, step in STEPS.items()),
        *(name_of(do, kind) for kind, do in WORK.items()),
        *map(name_of, item_types()),
        "site:none",
    }


def test_everything_that_spends_has_a_feature():
    names = everything_that_spends()
    assert len(names) > 200
    assert [name for name in sorted(names) if feature_of(name) == Feature.OTHER] == []


def test_no_name_is_of_something_that_is_gone():
    stated = {name for names in OF_NAMES.values() for name in names}
    assert stated - everything_that_spends() == set()


def test_each_name_has_one_feature_and_each_feature_a_label():
    stated = [name for names in OF_NAMES.values() for name in names]
    assert len(stated) == len(set(stated))
    assert set(LABELS) == set(Feature)
    assert feature_of("gone:page") == Feature.OTHER
    assert set(OF_ROOM.values()) <= set(Feature)
