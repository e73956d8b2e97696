"""What production serves of styles and scripts: one file of each, and small."""

import copy
import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import call_command
from django.test import override_settings

IMPORTED = re.compile(r'^@?import "(?:\./)?(.+)";', re.MULTILINE)
COMMENTS = ("//", "/*")  # begin lines that are not served
KB = 1024
STYLE = 8.625 * KB  # all that follow are bytes of brotli
STYLE_AND_ROOMS = 14.5 * KB  # what every page but home fetches
OWN_SCRIPT = 5.9375 * KB
HTMX = 16 * KB
SPRITE, ROOMS_SPRITE = 2.375 * KB, 1.5 * KB
LATER = {  # fetched when a composer is used, a dialog of home opens, a photo is looked at
    "js/photos.js": 4.5 * KB,
    "css/photos.css": 1.5 * KB,
    "css/forms.css": 1.125 * KB,
    "css/photo.css": 0.75 * KB,
}


@pytest.fixture(scope="module")
def collected(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that `collectstatic` fills with production's storage."""
    folder = tmp_path_factory.mktemp("static")
    with override_settings(STORAGES=storages(), STATIC_ROOT=folder):
        call_command("collectstatic", interactive=False, verbosity=0)
    return folder


def storages() -> dict[str, Any]:
    storages = copy.deepcopy(settings.STORAGES)
    storages["staticfiles"]["BACKEND"] = "socialsite.web.static_files.JoinedStaticFilesStorage"
    return storages


def served(collected: Path, name: str) -> Path:
    """The file with its hash, as pages link it."""
    names = json.loads((collected / "staticfiles.json").read_text())["paths"]
    return collected / names[name]


def compressed(file: Path) -> int:
    return file.with_name(f"{file.name}.br").stat().st_size


def test_style_and_scripts_are_small(collected):
    assert compressed(served(collected, "css/site.css")) <= STYLE
    sheets = [compressed(served(collected, f"css/{name}.css")) for name in ("site", "rooms")]
    assert sum(sheets) <= STYLE_AND_ROOMS
    assert compressed(served(collected, "js/app.js")) <= OWN_SCRIPT
    assert compressed(served(collected, "django_htmx/htmx-2.min.js")) <= HTMX
    assert compressed(served(collected, "icons/sprite.svg")) <= SPRITE
    assert compressed(served(collected, "icons/rooms.svg")) <= ROOMS_SPRITE
    for name, most in LATER.items():
        assert compressed(served(collected, name)) <= most


def test_one_file_holds_all_that_it_imports(collected):
    for name, least in (
        ("css/site.css", 3),
        ("css/rooms.css", 3),
        ("js/app.js", 3),
        ("js/photos.js", 2),
    ):
        whole = served(collected, name).read_text()
        assert "import " not in whole
        source = settings.BASE_DIR / "static" / name
        imported = IMPORTED.findall(source.read_text())
        assert len(imported) >= least, name
        for part in imported:
            lines = source.with_name(part).read_text().splitlines()
            ends = r" +// .*" if name.endswith(".js") else r" +/\*.*"
            code = [
                re.sub(ends, "", line).lstrip(" ")
                for line in lines
                if line.lstrip()[:2] not in COMMENTS and (line or name.endswith(".css"))
            ]
            assert _bare("\n".join(code)) in _bare(whole), part


def _bare(code: str) -> str:
    """What does not depend on white space, nor on the last semicolon of a block."""
    return re.sub(r"\s+", "", code).replace(";}", "}")


def test_a_part_that_changes_changes_the_name_of_the_whole(collected, tmp_path, settings):
    other, again = tmp_path / "other", tmp_path / "collected"
    (other / "css").mkdir(parents=True)
    (other / "css" / "pages.css").write_text(".changed { color: red; }")
    settings.STATICFILES_DIRS = [other, *settings.STATICFILES_DIRS]
    settings.STORAGES, settings.STATIC_ROOT = storages(), again
    settings.WHITENOISE_SKIP_COMPRESS_EXTENSIONS = ["css", "js", "svg"]  # what takes long
    call_command("collectstatic", interactive=False, verbosity=0)

    after = served(again, "css/site.css")
    assert after.name != served(collected, "css/site.css").name
    assert ".changed" in after.read_text()
