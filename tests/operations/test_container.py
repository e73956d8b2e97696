"""Containerfile, compose.yaml and .dockerignore speak of files, commands and settings that exist."""

import importlib.util
import json
import re
from pathlib import Path

import pytest
import yaml
from django.core.management import get_commands

from operations.serving.health import PARTS
from tests.test_architecture import PACKAGES

ROOT = Path(__file__).resolve().parents[2]
CONTAINERFILE = (ROOT / "Containerfile").read_text().replace("\\\n", " ")
COMPOSE = yaml.safe_load((ROOT / "compose.yaml").read_text())
ALLOWED = {line[1:] for line in (ROOT / ".dockerignore").read_text().split() if line[0] == "!"}
SETTINGS = set(re.findall(r"`([A-Z][A-Z_]+)`", (ROOT / "docs" / "settings.md").read_text()))
OF_CONTAINERS = {"PATH", "PYTHONUNBUFFERED"}
PARTS_OF_THE_SITE = {name: part for name, part in COMPOSE["services"].items() if name != "pod"}


def instructions(name: str) -> list[str]:
    return re.findall(rf"^{name} +(.+)$", CONTAINERFILE, re.MULTILINE)


def test_each_copied_file_exists_and_goes_into_the_image():
    sources = {
        source
        for line in instructions("COPY")
        if not line.startswith("--from")
        for source in line.split()[:-1]
    }
    assert sources >= {".", "requirements.txt", "package.json", "socialsite"}
    assert not [source for source in sources if not (ROOT / source).exists()]
    assert sources - {"."} <= ALLOWED


def test_the_image_has_all_rooms_and_neither_data_nor_secrets():
    assert {*PACKAGES, "manage.py", "templates", "static", "locale", "deploy"} <= ALLOWED
    assert not [name for name in ALLOWED if not (ROOT / name).exists()]
    assert not ALLOWED & {"var", ".env", ".git", ".venv", "node_modules"}


def test_the_base_is_pinned_and_the_user_has_no_rights():
    (base,) = instructions("ARG")
    assert re.fullmatch(r"BASE=docker\.io/library/python:\d+\.\d+\.\d+-slim-\w+", base)
    assert set(instructions("FROM")) == {"${BASE} AS built", "${BASE}"}
    assert instructions("USER") == ["socialsite"]


@pytest.mark.parametrize("name", PARTS_OF_THE_SITE)
def test_each_part_runs_and_is_asked_by_commands_that_exist(name):
    part = PARTS_OF_THE_SITE[name]
    assert can_run(part["command"])
    kind, *asked = part["healthcheck"]["test"]
    assert kind == "CMD"
    assert can_run(asked[:-1])
    assert asked[-1] == name
    assert name in PARTS


def test_the_image_alone_runs_what_exists():
    assert can_run(json.loads(instructions("CMD")[0]))
    assert can_run(json.loads(instructions("HEALTHCHECK")[0].partition("CMD")[2])[:-1])


def can_run(command: list[str]) -> bool:
    match command:
        case ["python", "manage.py", name]:
            return name in get_commands()
        case ["python", "-m", module]:
            return importlib.util.find_spec(module) is not None
    return False


def test_settings_are_those_of_the_document():
    of_compose = {name for part in PARTS_OF_THE_SITE.values() for name in part["environment"]}
    of_image = set(re.findall(r"\b([A-Z][A-Z_]+)=", " ".join(instructions("ENV"))))
    assert of_compose >= {"SECRET_KEY", "DATA_KEY", "ALLOWED_HOSTS", "WORKER"}
    assert of_compose | (of_image - OF_CONTAINERS) <= SETTINGS


def test_secrets_come_from_the_environment_alone_and_git_never_sees_their_file():
    environment = PARTS_OF_THE_SITE["site"]["environment"]
    assert environment["SECRET_KEY"].startswith("${SECRET_KEY:?")
    assert environment["DATA_KEY"].startswith("${DATA_KEY:?")
    assert ".env" in (ROOT / ".gitignore").read_text().split()


@pytest.mark.parametrize("name", PARTS_OF_THE_SITE)
def test_parts_share_the_data_and_the_pod_and_have_no_rights(name):
    part = PARTS_OF_THE_SITE[name]
    assert part["volumes"] == ["data:/data"]
    assert part["network_mode"] == part["pid"] == "service:pod"
    assert part["read_only"]
    assert part["cap_drop"] == ["ALL"]
