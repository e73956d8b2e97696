"""Which program is the engine: that of the data folder, else the one that ENGINE names, else the machine's."""

import platform
from pathlib import Path

import pytest

from socialsite.engine.choice import choose
from socialsite.engine.dynamodb_local import (
    DYNAMODB_LOCAL,
    LIBRARIES,
    NATIVE_LIBRARIES,
    find_emulator,
)
from socialsite.engine.dynoxide import DYNOXIDE
from socialsite.engine.program import EngineError
from tests.engine.processes import PROJECT


@pytest.fixture(autouse=True)
def nothing_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ENGINE", raising=False)


def be(monkeypatch: pytest.MonkeyPatch, system: str, machine: str) -> None:
    monkeypatch.setattr(platform, "system", lambda: system)
    monkeypatch.setattr(platform, "machine", lambda: machine)


@pytest.mark.parametrize(
    ("system", "machine", "program"),
    [
        ("Linux", "x86_64", DYNOXIDE),
        ("Linux", "aarch64", DYNAMODB_LOCAL),
        ("Darwin", "arm64", DYNAMODB_LOCAL),
        ("Darwin", "x86_64", DYNAMODB_LOCAL),
    ],
)
def test_each_machine_takes_a_program_that_was_made_for_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, system: str, machine: str, program: object
) -> None:
    be(monkeypatch, system, machine)
    assert choose(tmp_path) is program


def test_a_mac_needs_the_library_of_its_own_processor(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    be(monkeypatch, "Darwin", "arm64")
    emulator = tmp_path / "node_modules/.cache/dynamodb-local/2.9.30/emulator"
    (emulator / LIBRARIES).mkdir(parents=True)
    (emulator / "DynamoDBLocal.jar").touch()
    (emulator / LIBRARIES / NATIVE_LIBRARIES["darwin-x64"]).touch()
    with pytest.raises(EngineError, match="is not installed: run `make setup`"):
        find_emulator(tmp_path)
    (emulator / LIBRARIES / "libsqlite4java-osx-aarch64.dylib").touch()
    with pytest.raises(EngineError, match="is not the file this version expects"):
        find_emulator(tmp_path)


def test_a_platform_that_neither_knows_is_told_the_other_ways(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    be(monkeypatch, "Linux", "riscv64")
    with pytest.raises(EngineError, match="does not exist for linux-riscv64: set DYNAMODB_END"):
        find_emulator(PROJECT)


def test_engine_chooses_by_hand(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("ENGINE", "dynamodb-local")
    assert choose(tmp_path) is DYNAMODB_LOCAL
    assert not list(tmp_path.iterdir())


def test_a_name_that_is_none_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("ENGINE", "mongo")
    with pytest.raises(EngineError, match="set it to dynoxide or dynamodb-local, or unset it"):
        choose(tmp_path)


def test_a_data_folder_keeps_its_program(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "dynamodb.sqlite3").touch()
    be(monkeypatch, "Darwin", "arm64")
    assert choose(tmp_path) is DYNOXIDE
    monkeypatch.setenv("ENGINE", "dynamodb-local")
    with pytest.raises(EngineError, match="were made with dynoxide, and ENGINE is dynamodb-local"):
        choose(tmp_path)
