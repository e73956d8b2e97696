"""Fixtures of what people take with them."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.privacy.lives import Unpacked, export_of


@pytest.fixture(autouse=True)
def exports_folder(settings, tmp_path: Path) -> Path:
    """Private storage of its own for each test."""
    folder = tmp_path / "exports"
    options = settings.STORAGES["exports"]["OPTIONS"] | {"location": folder}
    changed = settings.STORAGES["exports"] | {"OPTIONS": options}
    settings.STORAGES = settings.STORAGES | {"exports": changed}
    return folder


@pytest.fixture
def of_alice(alice, log_in, drain_stream) -> Callable[[], Unpacked]:
    """Makes alice's export and returns what is in it."""
    return lambda: export_of(alice, drain_stream, log_in(alice))
