"""Fixtures of what people take with them."""

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def exports_folder(settings, tmp_path: Path) -> Path:
    """Private storage of its own for each test."""
    folder = tmp_path / "exports"
    options = settings.STORAGES["exports"]["OPTIONS"] | {"location": folder}
    changed = settings.STORAGES["exports"] | {"OPTIONS": options}
    settings.STORAGES = settings.STORAGES | {"exports": changed}
    return folder
