"""The runbook knows every warning of the log and every metric."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from prometheus_client import Counter, Histogram

from socialsite.observing import metrics

ROOT = Path(__file__).resolve().parents[1]
RUNBOOK = (ROOT / "docs" / "runbook.md").read_text()
PACKAGES = (
    "socialsite",
    "accounts",
    "relations",
    "photos",
    "feed",
    "tags",
    "notifications",
    "moderation",
    "site_votes",
    "privacy",
    "costs",
    "lens",
    "operations",
)
WARNINGS = ("warning", "error", "exception", "critical")


def warnings_of_the_log() -> Iterator[str]:
    """The first words of each, up to what is filled in."""
    for package in PACKAGES:
        for file in sorted((ROOT / package).rglob("*.py")):
            for node in ast.walk(ast.parse(file.read_text())):
                if isinstance(node, ast.Call) and ast.unparse(node.func) in {
                    f"log.{level}" for level in WARNINGS
                }:
                    said = node.args[0]
                    text = said.value if isinstance(said, ast.Constant) else ""
                    if start := re.split(r"%[sd]", str(text))[0].strip(" :.,;"):
                        yield start


def test_it_explains_each_warning():
    warnings = set(warnings_of_the_log())
    assert len(warnings) > 20
    assert sorted(start for start in warnings if start not in RUNBOOK) == []


def test_it_names_each_metric():
    counted = [one for one in vars(metrics).values() if isinstance(one, Counter | Histogram)]
    names = {one.describe()[0].name for one in counted}
    assert len(names) > 8
    assert not {name for name in names if name not in RUNBOOK}


def test_alarms_look_at_metrics_that_exist():
    rules = (ROOT / "deploy" / "alarms.yml").read_text()
    looked_at = set(
        re.findall(r"\b(?:clock|data|site|dynamodb|worker|table|security)_[a-z_]+", rules)
    )
    assert looked_at
    assert not {name for name in looked_at if name not in RUNBOOK}
