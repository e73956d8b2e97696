"""Styles, scripts, icons, manifest, uploads and templates, as they are served."""

import copy
import io
import json
import re
from pathlib import Path
from typing import Any
from xml.dom import minidom

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from django.core.files.storage import default_storage
from django.core.management import call_command
from django.template import engines
from django.template.loader import get_template
from django.test import Client, override_settings
from PIL import Image

from relations.follows.writes import follow
from socialsite.table.ids import new_id
from socialsite.web.compression import without_indentation
from socialsite.web.templatetags.site import IN_ROOMS
from tests.conftest import HTMX, post
from tests.web.html import Html

IMPORTED = re.compile(r'^@?import "(?:\./)?(.+)";', re.MULTILINE)
COMMENTS = ("//", "/*")  # begin lines that are not served
KB = 1024
STYLE = 8.625 * KB  # all that follow are bytes of brotli
STYLE_AND_ROOMS = 14.5 * KB  # what every page but home fetches
OWN_SCRIPT = 5.9375 * KB
BYTES_OF_HTMX = 16 * KB
SPRITE, ROOMS_SPRITE = 2.375 * KB, 1.5 * KB
LATER = {  # fetched when a composer or a search is used, a dialog of home opens, a person or a photo is looked at
    "js/photos.js": 4.5 * KB,
    "js/near.js": 3.625 * KB,
    "css/near.css": 0.75 * KB,
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
    assert compressed(served(collected, "django_htmx/htmx-2.min.js")) <= BYTES_OF_HTMX
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


# Home fetches one sheet. What it shows is styled there, its dialogs in forms.css; rooms.css, of which that is the
# first part, is for all other pages.

CSS = settings.BASE_DIR / "static" / "css"
IMPORTED_SHEET = re.compile(r'^@import "(.+)";', re.MULTILINE)
CLASS = re.compile(r"\.([a-z][a-z-]+)")
OWN, OTHERS = ("edit", "delete", "pin", "replies", "audience"), ("save", "report")


def classes_in(sheet: str) -> set[str]:
    parts = IMPORTED_SHEET.findall((CSS / sheet).read_text()) or [sheet]
    return {name for part in parts for name in CLASS.findall((CSS / part).read_text())}


@pytest.fixture(scope="module")
def rooms() -> set[str]:
    """The classes that rooms.css alone styles."""
    return classes_in("rooms.css") - classes_in("site.css")


def sheets(browser, address: str) -> list[str]:
    links = Html(browser.get(address)).all("link", rel="stylesheet")
    return [link["href"].rpartition("/")[2] for link in links]


def test_home_alone_is_spared_what_it_never_shows(alice, mod, log_in):
    browser = log_in(alice)
    assert sheets(browser, "/") == ["site.css"]
    for address in ("/notifications", "/settings/security", "/saved", alice.card.url, "/nowhere"):
        assert sheets(browser, address)[:2] == ["site.css", "rooms.css"], address
    assert sheets(log_in(mod), "/") == ["site.css", "rooms.css", "cases.css"]
    assert not Html(log_in(mod).get("/")).one("dialog", id="modal")["data-style"].strip()


def test_home_and_what_it_brings_into_itself_need_no_other_sheet_than_that_of_its_dialogs(
    alice, bob, log_in, drain_stream, rooms
):
    follow(by=alice, user_id=bob.user_id)
    his, hers = post(bob), post(alice)
    drain_stream()
    browser = log_in(alice)
    dialogs = [f"{alice.card.url}/posts/{hers}/{one}" for one in OWN]
    dialogs += [f"{bob.card.url}/posts/{his}/{one}" for one in OTHERS]
    dialogs += ["/help/keys", *(f"{bob.card.url}/{one}" for one in ("mute", "block"))]
    parts = [
        f"{bob.card.url}/posts/{his}/reply",
        "/posts/new",
        "/people-to-follow",
        "/search?place=side-&q=b",
    ]
    home, *answers = [browser.get("/"), *(browser.get(p, headers=HTMX) for p in (*dialogs, *parts))]
    assert Html(home).one("dialog", id="modal")["data-style"].strip().endswith("/css/forms.css")
    for answer in (home, *answers):
        path = answer.request["PATH_INFO"]
        assert answer.status_code == 200, path
        elsewhere = rooms - (classes_in("forms.css") if path in dialogs else set())
        for element in Html(answer).elements:
            used = set(element.attributes.get("class", "").split())
            assert not used & elsewhere, (path, used & elsewhere)


# Icons are in two files: what home draws, and the others, which a first visit does not fetch.

STATIC = settings.BASE_DIR / "static" / "icons"
NAMED = re.compile(r'\{% icon "([\w-]+)"|(?:image|drawing)="([\w-]+)"')


def names_in(sprite: str) -> list[str]:
    return re.findall(r'<symbol id="([^"]+)"', (STATIC / sprite).read_text())


def test_every_icon_is_in_one_of_the_files():
    ours, others = names_in("sprite.svg"), names_in("rooms.svg")
    assert len({*ours, *others}) == len(ours) + len(others)
    assert set(others) == IN_ROOMS
    sources = [file.read_text() for file in (settings.BASE_DIR / "templates").rglob("*.html")]
    wanted = {one or other for text in sources for one, other in NAMED.findall(text)}
    assert len(wanted) > 50
    assert wanted <= {*ours, *others}


@pytest.mark.parametrize("name", ["sprite.svg", "rooms.svg", "logo.svg"])
def test_every_drawing_is_well_formed_as_some_browsers_draw_nothing_else(name):
    minidom.parse(str(STATIC / name))


@pytest.mark.parametrize("has_posts", [True, False])
def test_home_draws_icons_of_one_file_alone(alice, bob, log_in, drain_stream, has_posts):
    if has_posts:
        follow(by=alice, user_id=bob.user_id)
        post(bob), post(alice)
        drain_stream()
    page = log_in(alice).get("/").content.decode()
    assert len(re.findall(r"icons/sprite\.svg#", page)) > 20
    assert "icons/rooms.svg#" not in page


def test_other_pages_draw_icons_of_both(alice, log_in):
    page = log_in(alice).get("/@alice").content.decode()
    assert "icons/sprite.svg#" in page
    assert "icons/rooms.svg#rss" in page


# Icons of the sizes that are promised; what the manifest says of them is in test_installed.py.

APPLE = 180  # pixels, as iOS asks
HEAVIEST = 8 * 1024  # bytes of an icon


def picture(address: str) -> Image.Image:
    """The file behind an address of `static`, opened."""
    path = finders.find(address.removeprefix("/static/"))
    assert path, address
    with open(path, "rb") as file:
        content = file.read()
    assert len(content) <= HEAVIEST, address
    return Image.open(io.BytesIO(content))


def test_pages_name_the_manifest_and_the_icons(table):
    page = Html(Client().get("/about"))
    assert page.one("link", rel="manifest")["href"] == "/app.webmanifest?l=en"
    apple = picture(page.one("link", rel="apple-touch-icon")["href"])
    assert apple.size == (APPLE, APPLE)
    assert apple.convert("RGBA").getpixel((0, 0))[3] == 255
    assert finders.find(page.one("link", rel="icon")["href"].removeprefix("/static/"))


def test_who_asks_for_favicon_ico_unread_finds_one():
    response = Client().get("/favicon.ico")
    assert response.status_code == 302
    assert picture(response["Location"]).format == "ICO"


# Uploads are served as pictures and as nothing else, and only under names that the site made.

BYTES = b"RIFF\x00\x00\x00\x00WEBPVP8 "


@pytest.fixture
def name(settings, tmp_path, table) -> str:
    settings.MEDIA_ROOT = tmp_path / "media"
    (tmp_path / "secret.txt").write_text("what nobody may read")
    wanted = f"avatars/{new_id()}.webp"
    default_storage.save(wanted, io.BytesIO(BYTES))
    return wanted


def test_a_picture_is_served_as_a_picture_and_nothing_else(name):
    response = Client().get(f"/media/{name}")
    assert b"".join(response.streaming_content) == BYTES
    assert response["Content-Type"] == "image/webp"
    assert response["X-Content-Type-Options"] == "nosniff"
    assert response["Content-Security-Policy"] == "default-src 'none'; sandbox"


def test_a_picture_never_changes_and_is_kept(name):
    assert "immutable" in Client().get(f"/media/{name}")["Cache-Control"]


@pytest.mark.parametrize(
    "odd",
    [
        "",
        "avatars/",
        "../secret.txt",
        "avatars/../../secret.txt",
        "..%2fsecret.txt",
        "avatars/%2e%2e/%2e%2e/secret.txt",
        "/etc/passwd",
        "avatars/{id}.webp%00",
        "avatars/{id}.webp%0A",
        "avatars/{id}.WEBP",
        "avatars/{id}.html",
        "avatars/{id}",
        "Avatars/{id}.webp",
        "avatars//{id}.webp",
        "avatars/x/{id}.webp",
        "avatars/{lower}.webp",
        "avatars/{other}.webp",
        "headers/{id}.webp",
        "headers/{id}-750.webp%0A",
        "headers/{id}-96.webp",
    ],
)
def test_odd_names_are_not_found(name, odd):
    known = name.removeprefix("avatars/").removesuffix(".webp")
    path = odd.format(id=known, lower=known.lower(), other=new_id())
    response = Client().get(f"/media/{path}")
    assert response.status_code == 404
    assert b"what nobody may read" not in response.content


def test_a_file_of_another_kind_in_the_folder_is_not_served(name):
    default_storage.save("avatars/page.html", io.BytesIO(b"<script>alert(1)</script>"))
    assert Client().get("/media/avatars/page.html").status_code == 404


def test_the_folder_is_not_listed(name):
    assert Client().get("/media/").status_code == 404
    assert Client().get("/media/avatars").status_code == 404


# Pages are sent without the indentation of their templates, and nothing else of a template changes.

TEMPLATES = sorted((settings.BASE_DIR / "templates").rglob("*.html"))
TAG = re.compile(r"\{[%{#].*?[%}#]\}")
DRAWS_NOTHING = re.compile(r"\{#.*?#\}|\{% *load\b.*?%\}")
LONG_VALUE = re.compile(r'\s([\w-]+)="[^"]*\n[^"]*"')
LISTS = {"srcset", "sizes", "style"}  # in which a line break is any white space


def test_a_run_with_a_line_break_becomes_one_line_break():
    assert without_indentation("<ul>\n    <li>a</li>  \n\n\n\t<li>b</li>\n</ul>\n") == (
        "<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n"
    )


def test_white_space_within_a_line_stays():
    assert without_indentation("<b>a</b>  <i>b</i>\n") == "<b>a</b>  <i>b</i>\n"


def test_what_touches_still_touches():
    assert without_indentation("<b>a</b><i>b</i>") == "<b>a</b><i>b</i>"


def test_attributes_of_a_tag_stay_apart():
    assert without_indentation('<a href="/"\n   rel="next">') == '<a href="/"\nrel="next">'


@pytest.mark.parametrize(
    "kept",
    [
        "<pre>\n  a\n\n  b</pre>",
        '<textarea rows="2"\n   name="a">\n  b</textarea>',
        "<script>\n  // a\n  b</script>",
        "<style>\n  a {}\n</style>",
        "{% verbatim %}\n  a\n{% endverbatim %}",
        "{% comment %}\n  a\n{% endcomment %}",
        "{% blocktranslate trimmed %}\n    a\n  {% plural %}\n    b\n{% endblocktranslate %}",
        "{% blocktrans %}\n  a\n{% endblocktrans %}",
    ],
)
def test_where_white_space_counts_it_stays(kept):
    source = f"<p>\n    a\n</p>\n\n    {kept}\n\n    <p>\n    b\n</p>"
    assert without_indentation(source) == f"<p>\na\n</p>\n{kept}\n<p>\nb\n</p>"


def test_lines_of_comments_and_libraries_leave_one_line_break():
    source = "{# says what it is #}\n{% load i18n %}\n{% load site %}\n\n<p>{# here #} a</p>\n"
    assert without_indentation(source) == "{% load i18n %}{% load site %}\n<p>{# here #} a</p>\n"


def test_every_template_says_the_same_without_its_indentation():
    """Tags, texts and values, in their order."""
    assert len(TEMPLATES) > 200
    for file in TEMPLATES:
        source = file.read_text()
        words = [
            DRAWS_NOTHING.sub(" ", text).split() for text in (source, without_indentation(source))
        ]
        assert words[0] == words[1], file


def test_no_template_has_a_text_in_an_attribute_over_several_lines():
    found = {
        str(file.relative_to(settings.BASE_DIR)): names
        for file in TEMPLATES
        if (names := set(LONG_VALUE.findall(TAG.sub("", file.read_text()))) - LISTS)
    }
    assert found == {}


def test_the_site_draws_its_pages_so_and_its_letters_as_they_are(settings):
    source = (settings.BASE_DIR / "templates" / "_about_card.html").read_text()
    assert "\n  <" in source
    assert "\n " not in get_template("_about_card.html").render()
    letter = Path(get_template("mail/letter.txt").origin.name).read_text()
    assert get_template("mail/letter.txt").template.source == letter


def test_in_debug_mode_lines_are_those_of_the_file(settings):
    settings.DEBUG = True
    loader = engines["django"].engine.template_loaders[0]
    (origin, *_) = loader.get_template_sources("_about_card.html")
    assert loader.get_contents(origin) == Path(origin.name).read_text()
