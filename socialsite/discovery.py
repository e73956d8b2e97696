"""Finds what rooms and behaviours register, by the name of the file: `notices`, `delivery`, …

A behaviour so declares in its own folder what other rooms need of it, and no list elsewhere names it.
"""

from functools import cache
from importlib import import_module
from pathlib import Path

from django.apps import apps
from django.conf import settings


@cache
def discover(name: str) -> None:
    """Imports every file of this name, room by room, and in a room in the order of their paths. After the first call it
    costs nothing."""
    root = Path(settings.BASE_DIR)
    for room in apps.get_app_configs():
        if Path(room.path).parent == root:
            for file in sorted(Path(room.path).rglob(f"{name}.py")):
                import_module(".".join(file.relative_to(root).with_suffix("").parts))
