"""docs/access-patterns.md and the code name the same patterns, keys and items."""

import importlib
import pkgutil
import re
from pathlib import Path

import accounts
import costs
import feed
import lens
import moderation
import notifications
import photos
import privacy
import relations
import socialsite
import tags
from socialsite.table import Item
from tests.test_architecture import item_classes

ROOT = Path(__file__).resolve().parents[1]
DOCUMENT = (ROOT / "docs" / "access-patterns.md").read_text()
KEYS = (ROOT / "socialsite" / "keys" / "__init__.py").read_text()


def functions_in_the_code() -> set[str]:
    found = set()
    for package in (
        socialsite,
        accounts,
        relations,
        photos,
        feed,
        tags,
        notifications,
        moderation,
        privacy,
        costs,
        lens,
    ):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if module.name.endswith(("__main__", ".install", ".settings", ".wsgi")):
                continue
            loaded = importlib.import_module(module.name)
            for name, value in vars(loaded).items():
                if (
                    getattr(value, "is_access_pattern", False)
                    and value.__module__ == loaded.__name__
                ):
                    found.add(name)
                if isinstance(value, type) and value.__module__ == loaded.__name__:
                    found |= {
                        f"{n}"
                        for n, f in vars(value).items()
                        if getattr(f, "is_access_pattern", False)
                    }
    return found


def test_every_access_pattern_has_its_row_and_every_row_its_function():
    rows = set(re.findall(r"^\| (?:\d+ )?\| ?`(\w+)`", DOCUMENT, re.MULTILINE))
    assert rows == functions_in_the_code()


def test_every_item_type_is_in_the_charts_of_the_document_and_of_the_keys():
    types = {cls.__name__ for cls in item_classes() if cls is not Item}
    for chart in (DOCUMENT, KEYS):
        assert types == set(
            re.findall(r"^\| `[^|]+` +\| `[^|]+` +\| (\w+) +\|", chart, re.MULTILINE)
        )


def test_the_chart_of_the_document_is_the_chart_of_the_keys():
    def rows(text: str) -> set[tuple[str, ...]]:
        lines = re.findall(r"^\| (`[^|]+`) +\| (`[^|]+`) +\| (\w+) +\|", text, re.MULTILINE)
        return {tuple(cell.strip() for cell in line) for line in lines}

    assert rows(DOCUMENT) == rows(KEYS)
