"""The structure holds: one-way imports between rooms and inside them, keys in one place, PynamoDB's traps avoided."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from django.conf import settings
from pynamodb.attributes import DiscriminatorAttribute

from socialsite.table import Item

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = settings.ROOMS
OF_THE_FIRST_CHANGE = (
    "feed/moods/",
    "tests/feed/test_mood.py",
)  # which CONTRIBUTING lets readers make
LONGEST_FILE, LONGEST_TEST = 500, 750  # lines; a file is as long as its subject
PUBLISHED_KEYS = "operations/workbench/published.py"  # the keys of another table
WRITTEN_KEY = re.compile(
    r"^(u|p|c|i|s|n|w|m|a|t|tag|public|handle|email|find|case|audit|job|due|limit|worker|queue|desk|closed|site|day|"
    r"passkey|ph|word|challenge|receipt|erasure|token|cost|sample|hits|wave|same|maildomain|origin|trend|figures)#"
)


def python_files(*folders: str) -> list[Path]:
    return [file for folder in folders for file in sorted((ROOT / folder).rglob("*.py"))]


@cache
def imports_of(file: Path) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return names


def starts_with(name: str, *modules: str) -> bool:
    return any(name == module or name.startswith(f"{module}.") for module in modules)


def item_classes() -> Iterator[type[Item]]:
    waiting = [Item]
    while waiting:
        cls = waiting.pop()
        waiting += cls.__subclasses__()
        yield cls


def names(path: Path) -> str:
    return str(path.relative_to(ROOT))


def test_the_table_and_the_engine_know_nothing_of_the_stream():
    wrong = {
        names(file): name
        for file in python_files("socialsite/table", "socialsite/engine")
        for name in imports_of(file)
        if starts_with(name, "socialsite.streams")
    }
    assert not wrong


@pytest.mark.parametrize("app", PACKAGES)
def test_packages_import_only_what_is_before_them(app):
    later = PACKAGES[PACKAGES.index(app) + 1 :]
    wrong = {
        names(file)
        for file in python_files(app)
        for name in imports_of(file)
        if starts_with(name, *later)
    }
    assert not wrong


def test_inside_a_room_imports_run_one_way_too():
    assert {room: knots for room in PACKAGES if (knots := knots_in(room))} == {}


def knots_in(room: str) -> list[list[str]]:
    """Returns the children of a room, files and folders, that import each other in a circle."""
    arrows: dict[str, set[str]] = {}
    for file in python_files(room):
        child = child_of(file, room)
        for name in imports_as_a_module_loads(file):
            parts = name.split(".")
            if parts[0] == room and len(parts) > 1 and parts[1] != child:
                arrows.setdefault(child, set()).add(parts[1])
    reach = {child: {child} for child in arrows}
    for _ in arrows:
        for seen in reach.values():
            seen |= {further for one in seen for further in arrows.get(one, ())}
    knots = {
        tuple(sorted(other for other in reach if other in seen and child in reach[other]))
        for child, seen in reach.items()
    }
    return [list(knot) for knot in knots if len(knot) > 1]


def child_of(file: Path, room: str) -> str:
    return file.relative_to(ROOT / room).with_suffix("").parts[0]


def imports_as_a_module_loads(file: Path) -> Iterator[str]:
    """Not those inside functions, which wait until somebody calls them."""
    for node in ast.parse(file.read_text()).body:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_a_view_knows_neither_models_nor_pynamodb_nor_writing():
    forbidden = ("pynamodb", "botocore", "socialsite.table.writing", "socialsite.table.actions")
    hidden = {f"{cls.__module__}.{cls.__name__}" for cls in item_classes()}
    hidden |= {
        f"socialsite.table.{name}" for name in ("transact", "create", "change", "write_batch")
    }
    views = [
        file
        for file in python_files(*PACKAGES)
        if file.stem.endswith("views") or "api.access.endpoint" in imports_of(file)
    ]
    assert len(views) > 80
    wrong = {
        names(file): name
        for file in views
        for name in imports_of(file)
        if starts_with(name, *forbidden) or name in hidden
    }
    assert not wrong


def test_stream_handlers_are_called_by_the_stream_alone():
    streams = {file: dotted(file) for file in python_files(*PACKAGES) if is_of_the_stream(file)}
    importers = [
        (names(file), name)
        for file in python_files(*PACKAGES)
        if file not in streams
        for name in imports_of(file)
        if starts_with(name, *streams.values())
    ]
    assert len(streams) > 20
    assert not importers


def is_of_the_stream(file: Path) -> bool:
    return file.stem in ("stream", "stream_handlers") or file.stem.endswith("_stream")


def dotted(file: Path) -> str:
    return ".".join(file.relative_to(ROOT).with_suffix("").parts)


def test_pynamodb_connections_are_made_in_one_place():
    users = {
        names(file)
        for file in python_files(*PACKAGES)
        for name in imports_of(file)
        if starts_with(name, "pynamodb.connection", "pynamodb.transactions")
    }
    assert users == {"socialsite/table/connection.py"}


def test_keys_are_written_in_one_folder_only():
    written = [
        (names(file), node.value)
        for file in python_files(*PACKAGES)
        if not names(file).startswith(("socialsite/keys/", PUBLISHED_KEYS))
        for node in ast.walk(ast.parse(file.read_text()))
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and WRITTEN_KEY.match(node.value)
    ]
    assert not written


def test_no_file_is_longer_than_a_stranger_reads():
    files = [
        *python_files(*PACKAGES, "tests", "benchmarks"),
        *(ROOT / "templates").rglob("*.html"),
        *(file for kind in ("css", "js") for file in (ROOT / "static" / kind).glob(f"*.{kind}")),
    ]
    long = {
        names(file): lines
        for file in files
        if (lines := len(file.read_text().splitlines()))
        > (LONGEST_TEST if names(file).startswith("tests/") else LONGEST_FILE)
    }
    assert not long


def test_a_file_that_code_or_a_document_names_is_there():
    """A path is one of the repository, or ends one; a bare name stands beside or below the file that says it."""
    code = python_files(*PACKAGES, "benchmarks", "tests")
    documents = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    known = {
        f"/{names(file)}" for file in [*code, *python_files("tools", "deploy"), ROOT / "manage.py"]
    }
    ends = {name[at:] for name in known for at, sign in enumerate(name) if sign == "/"}
    gone = [
        (names(file), named)
        for file in (*code, *documents)
        if file.name != "CHANGELOG.md"
        for named in re.findall(r"`([\w./-]*\w\.py)(?=[`:])", file.read_text())
        if not (
            (f"/{named}" in ends and ("/" in named or file in documents))
            or named == "manage.py"
            or named.startswith(OF_THE_FIRST_CHANGE)
            or (file.parent / named).exists()
            or list(file.parent.rglob(named.lstrip("./")))
        )
    ]
    assert not gone


def test_there_are_no_drawers_for_odds_and_ends():
    assert not [
        names(f)
        for f in python_files(*PACKAGES)
        if f.stem in ("utils", "helpers", "misc", "signals", "common")
    ]


def test_only_the_base_item_has_meta_indexes_and_ttl():
    for file in python_files(*PACKAGES):
        if file.name != "models.py" and file.parent.name != "models":
            continue
        assert not [
            name for name in imports_of(file) if "indexes" in name or "TTLAttribute" in name
        ]
        classes = [
            node for node in ast.walk(ast.parse(file.read_text())) if isinstance(node, ast.ClassDef)
        ]
        assert "Meta" not in {cls.name for cls in classes}
    assert all(
        cls.Meta is Item.Meta or cls.Meta.table_name == Item.Meta.table_name
        for cls in item_classes()
    )


def test_the_type_is_not_an_index_key():
    for index in (Item.type_index, Item.escalated_index):
        assert not [
            value
            for value in vars(type(index)).values()
            if isinstance(value, DiscriminatorAttribute)
        ]


def test_every_item_class_stands_in_a_models_file_that_django_imports():
    found = {cls.__module__ for cls in item_classes()}
    assert not [name for name in found if not name.endswith((".models", ".table.item"))]
    code = (
        "import django; django.setup()\n"
        "from tests.test_architecture import item_classes\n"
        "print(*{cls.__module__ for cls in item_classes()})"
    )
    imported = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert set(imported.stdout.split()) == found, imported.stderr[-2000:]


def test_no_page_or_worker_path_scans():
    users = {
        names(file)
        for file in python_files(*PACKAGES)
        for name in imports_of(file)
        if name in ("socialsite.table.reading.scan", "socialsite.table.reading.scan_page")
    }
    assert users <= {
        "operations/management/commands/reconcile.py",
        "lens/figures.py",  # of an engine on the machine of a developer
        "operations/stream_handlers.py",  # after stream records were lost
        "costs/stream_handlers.py",  # when an admin asks for it
        "privacy/erasure/search.py",  # in the nights after an erasure
        "operations/domain.py",
        "operations/moving/erased_since.py",
        "operations/moving/items.py",
        "operations/management/commands/audit.py",
        "operations/management/commands/blocked_pictures.py",
        "operations/management/commands/index_posts.py",
        "operations/management/commands/reencrypt.py",
        "operations/management/commands/seed.py",
        "operations/management/commands/workbench.py",
    }
    assert "scan(" not in "".join(
        file.read_text()
        for file in python_files(
            "accounts",
            "relations",
            "photos",
            "feed",
            "tags",
            "notifications",
            "chats",
            "moderation",
            "finding",
            "site_votes",
            "socialsite/streams",
            "socialsite/web",
        )
    )


# What no line of the site's own code calls: what would run a text, or trust what anyone could have made.

RUN_A_TEXT = {"eval", "exec", "compile", "__import__", "os.system", "os.popen"}
BROKEN_HASHES = {"hashlib.md5", "hashlib.sha1", "hashlib.new"}
BUILD_ANYTHING = {"pickle.loads", "pickle.load", "marshal.loads", "yaml.load", "shelve.open"}
GUESSABLE = {
    "random.random",
    "random.choice",
    "random.choices",
    "random.randint",
    "random.getrandbits",
}
NO_SECRETS = (  # demo data, delays between tries, and which requests are counted
    *("operations/demo/", "operations/seed/", "accounts/seed", "feed/seed", "benchmarks/"),
    "socialsite/table/meter.py",
    *("socialsite/table/", "socialsite/streams/", "socialsite/engine/"),
)


@cache  # and not at import: only one of the processes of a run needs it
def calls() -> tuple[tuple[Path, str], ...]:
    """Every function that the code calls by its name, or by its module's."""
    return tuple(_calls())


def _calls() -> Iterator[tuple[Path, str]]:
    for file in python_files(*PACKAGES):
        for node in ast.walk(ast.parse(file.read_text())):
            if not isinstance(node, ast.Call):
                continue
            match node.func:
                case ast.Name(name):
                    yield file, name
                case ast.Attribute(ast.Name(module), name):
                    yield file, f"{module}.{name}"


def callers_of(functions: set[str]) -> set[str]:
    return {names(file) for file, name in calls() if name in functions}


def test_the_calls_are_found():
    assert len(calls()) > 5_000
    assert callers_of({"secrets.token_urlsafe"})


def test_no_text_is_run_as_code():
    assert callers_of(RUN_A_TEXT) == set()


def test_nothing_is_built_from_what_could_hold_code():
    assert callers_of(BUILD_ANYTHING) == set()


def test_no_hash_is_one_that_was_broken():
    # Lists of illegal pictures from elsewhere name some by their MD5 alone. Nothing is trusted because of it.
    assert callers_of(BROKEN_HASHES) == {"socialsite/blocked_pictures/uploads.py"}


def test_no_secret_is_drawn_from_what_can_be_guessed():
    found = {file for file in callers_of(GUESSABLE) if not file.startswith(NO_SECRETS)}
    assert found == set()


@pytest.mark.parametrize("functions", [{"subprocess.run"}, {"subprocess.Popen"}])
def test_no_command_goes_through_a_shell(functions):
    for file in {file for file, name in calls() if name in functions}:
        assert "shell=True" not in file.read_text()
