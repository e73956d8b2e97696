"""Makes the zip of an export from the parts that its steps left. It is written file by file, and knows the size and the
hash of each.

Its pages are to be read offline: no script, relative links, one style sheet. Posts have one for each month, in the
person's time zone; all other kinds have a table of what is in the JSON file, or a list of what is there once.
"""

import hashlib
import io
import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from itertools import groupby
from pathlib import Path
from typing import IO, Any
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from django.core.files.storage import default_storage
from django.template.loader import render_to_string
from django.utils import timezone, translation
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from accounts.models import UserInfo
from accounts.people.cards import files_of, moment_text
from moderation.cases.words import done_text
from privacy.export.account_records import AVATAR, HEADER, PROFILE, STRIKES, read_account
from privacy.export.kinds import (
    FILE,
    MOMENT,
    PERSON,
    POST,
    POST_OR_NONE,
    Kind,
    Owner,
    Record,
    Schema,
)
from privacy.export.parts import Spool, Spools, gather
from privacy.export.post_records import POSTS, moment_of, photo_files
from privacy.export.sources import BY_CLOCK, KINDS, line, own_photos
from relations.export import HEADERS, FileKind, write_row
from socialsite.clock import utc_now
from socialsite.table import row
from socialsite.web.rich_text import rich_text

WORDS = {
    "everyone": _("Everyone"),
    "followers": _("Followers"),
    "friends": _("Friends"),
    "circle": pgettext_lazy("export", "A circle"),
    "me": _("Only me"),
    "friend": pgettext_lazy("export", "Friend"),
    "favourite": pgettext_lazy("export", "Favourite"),
    "block": pgettext_lazy("export", "Blocked"),
    "mute": pgettext_lazy("export", "Muted"),
    "like": pgettext_lazy("export", "Likes"),
    "repost": pgettext_lazy("export", "Reposts"),
    "reply": pgettext_lazy("export", "Replies"),
    "quote": pgettext_lazy("export", "Quotes"),
    "mention": pgettext_lazy("export", "Mention"),
    "follow": pgettext_lazy("export", "New followers"),
    "follow request": pgettext_lazy("export", "Follow request"),
    "friend request": pgettext_lazy("export", "Friend request"),
    "follow accepted": pgettext_lazy("export", "Follow request accepted"),
    "friend accepted": pgettext_lazy("export", "Friend request accepted"),
    "posted": pgettext_lazy("export", "New posts by a favourite"),
    "poll ended": pgettext_lazy("export", "A poll ended"),
    "decision": pgettext_lazy("export", "Decision by a moderator"),
    "open": _("We’re looking into it"),
    "no rule broken": _("We found that no rule was broken"),
    "action taken": _("We took action"),
    "network": _("Network"),
    "browser": _("Browser"),
    "granted": pgettext_lazy("export", "Granted"),
    "refused": pgettext_lazy("export", "Refused"),
}


def word_of(word: str) -> str:
    return str(WORDS.get(word, word))


def months_of(
    posts: Iterable[Record], *, site: str
) -> Iterator[tuple[datetime, list[Mapping[str, Any]]]]:
    """Yields the first moment of each month with its posts as templates show them, the oldest first. The posts come in
    the order of time."""
    for _month, group in groupby(posts, key=lambda post: _moment(post).strftime("%Y-%m")):
        found = list(group)
        yield _moment(found[0]), [_card(post, site) for post in found]


def text_html(text: str, *, site: str, mentions: Mapping[str, str] | None = None) -> SafeString:
    """Returns a text as HTML, with links that lead to the site from anywhere."""
    html = rich_text(text, mentions)
    # People's own texts are escaped, so that this only meets what `rich_text` wrote.
    return mark_safe(html.replace('href="/', f'href="{site}/'))  # noqa: S308


def _moment(post: Record) -> datetime:
    return timezone.localtime(datetime.fromisoformat(post["published_at"]))


def _card(post: Record, site: str) -> Mapping[str, Any]:
    versions = [
        {
            "when": moment_text(one["written_at"]),
            "warning": one["warning"],
            "html": text_html(one["text"], site=site),
        }
        for one in post["earlier_versions"]
    ]
    return {
        **post,
        "when": moment_text(post["published_at"]),
        "edited": moment_text(post["edited_at"]),
        "html": text_html(post["text"], site=site, mentions=post["mentions"]),
        "versions": versions,
        "for_whom": post["circle"] or word_of(post["audience"]),
        "is_hidden": post["withheld"] and gettext("Only you can see this"),
    }


def list_page(kind: Kind, spool: Spool) -> str:
    """Returns the page of a kind, with a row for each record."""
    context = {
        "kind": kind,
        "count": spool.count,
        "headings": [heading for heading, _ in kind.columns],
        "rows": (
            [_cell(kind, name, record) for _, name in kind.columns] for record in spool.records()
        ),
    }
    return render_to_string("privacy/export/list.html", context)


def _cell(kind: Kind, name: str, record: Mapping[str, Any]) -> str | SafeString:
    value, schema = record[name], kind.fields[name].schema
    if kind is STRIKES and name == "action":
        return done_text(value, posts=len(record["posts"]), packs=len(record["starter_packs"]))
    return _text_of(value, schema)


def _text_of(value: Any, schema: Schema) -> str | SafeString:
    if schema is PERSON:
        return _person(value)
    if schema in (POST, POST_OR_NONE):
        return _post(value) if value else ""
    if schema is FILE:
        return format_html('<a href="../{}">{}</a>', value, value)
    if schema is MOMENT:
        return moment_text(value)
    if isinstance(value, Mapping):
        return ", ".join(value.values())
    if isinstance(value, list):
        parts = [(_text_of(one, schema["items"]),) for one in value]
        return format_html_join(", ", "{}", parts)
    return word_of(value) if "enum" in schema else str(value)


def _person(person: Mapping[str, str]) -> str | SafeString:
    if not person["handle"]:
        return gettext("Someone who is no longer here")
    return format_html('<a href="{}">@{}</a>', person["url"], person["handle"])


def _post(post: Mapping[str, str]) -> str | SafeString:
    """Names a post by author and time, and links it. Other people's texts are theirs, and not in the export."""
    when = moment_text(moment_of(post["id"]))
    if not post["author"]:
        return f"{gettext('Someone who is no longer here')}, {when}"
    return format_html('<a href="{}">@{}, {}</a>', post["url"], post["author"], when)


class Entry:
    """A file of the zip, while it is being written."""

    def __init__(self, output: IO[bytes]) -> None:
        self._output = output
        self._hash = hashlib.sha256()
        self.size = 0

    def write(self, content: str | bytes) -> None:
        data = content.encode() if isinstance(content, str) else content
        self._output.write(data)
        self._hash.update(data)
        self.size += len(data)

    @property
    def sha256(self) -> str:
        return self._hash.hexdigest()


class WrittenZip:
    """Names are the site's own and never what people typed, so that they are safe on every system."""

    def __init__(self, target: IO[bytes], *, moment: datetime) -> None:
        self._zip = ZipFile(target, "w")
        self._moment = moment
        self.files: list[dict[str, Any]] = []

    def __enter__(self) -> "WrittenZip":
        return self

    def __exit__(self, *_: object) -> None:
        self._zip.close()

    @contextmanager
    def file(self, path: str, *, is_packed: bool = False) -> Iterator[Entry]:
        """Opens the next file. One that `is_packed` already, such as a picture, is stored as it is."""
        info = ZipInfo(path, self._moment.timetuple()[:6])
        info.compress_type = ZIP_STORED if is_packed else ZIP_DEFLATED
        info.external_attr = 0o600 << 16
        with self._zip.open(info, "w", force_zip64=True) as output:
            packer = io.BufferedWriter(output, 65_536)
            entry = Entry(packer)
            yield entry
            packer.flush()
            packer.detach()
        self.files.append({"path": path, "bytes": entry.size, "sha256": entry.sha256})

    def put(self, path: str, content: str | bytes, *, is_packed: bool = False) -> None:
        with self.file(path, is_packed=is_packed) as entry:
            entry.write(content)


FORMAT = 1  # rises when a field is taken away or means something else
STYLE = Path(__file__).with_name("style.css")


def write_export(owner: Owner, *, part: str, target: IO[bytes]) -> None:
    """Writes the whole zip. In memory are one page at a time, and one part."""
    export = owner.export
    moment = utc_now()
    with (
        Spools() as spools,
        translation.override(export.language),
        timezone.override(export.zone),
        WrittenZip(target, moment=moment) as output,
    ):
        gather(spools, owner.user_id, export.export_id, part=part)
        _add_what_the_clock_reads(spools, owner)
        info = row(UserInfo, owner.info)
        has_picture = _put_picture(output, AVATAR, info.avatar)
        _put_picture(output, HEADER, info.header)
        _put_photos(output, owner)
        for kind in KINDS:
            _put_json(output, kind, spools.spool(kind.name))
            if kind.columns:
                output.put(f"lists/{kind.name}.html", list_page(kind, spools.spool(kind.name)))
        for file in FileKind:
            _put_csv(output, file, spools.spool(file))
        months = _put_months(output, owner, spools.spool(POSTS.name))
        context = {
            "profile": next(spools.spool(PROFILE.name).records()),
            "picture": AVATAR if has_picture else "",
            "site": owner.site,
            "moment": moment,
            "months": months,
            "lists": [(kind, spools.spool(kind.name).count) for kind in KINDS if kind.columns],
            "profile_kind": PROFILE,
            "posts_kind": POSTS,
            "files": [f"relations/{file}.csv" for file in FileKind],
        }
        output.put("index.html", render_to_string("privacy/export/index.html", context))
        output.put("about.html", render_to_string("privacy/export/about.html", context))
        output.put("style.css", STYLE.read_text())
        _put_manifest(output, owner, spools, moment)


def _add_what_the_clock_reads(spools: Spools, owner: Owner) -> None:
    for name, record in read_account(owner.user_id):
        spools.add(line(name, record))
    for source in BY_CLOCK:
        after = ""
        while True:
            piece = source.read(owner, after)
            for text in piece.lines:
                spools.add(text)
            after = piece.following
            if not after:
                break


def _put_json(output: WrittenZip, kind: Kind, spool: Spool) -> None:
    with output.file(kind.path) as entry:
        entry.write(f'{{"$schema": "schemas/{kind.name}.schema.json", "items": [')
        for number, text in enumerate(spool.lines()):
            entry.write(f",\n{text}" if number else f"\n{text}")
        entry.write("\n]}\n")
    output.put(kind.schema_path, json.dumps(kind.schema(), indent=2, ensure_ascii=False) + "\n")


def _put_csv(output: WrittenZip, kind: FileKind, spool: Spool) -> None:
    with output.file(f"relations/{kind}.csv") as entry:
        if HEADERS[kind]:
            entry.write(write_row(HEADERS[kind]))
        for cells in spool.records():
            entry.write(write_row(cells))


def _put_picture(output: WrittenZip, path: str, name: str) -> bool:
    """Returns whether there is one. Someone may have taken theirs away since the profile was read."""
    if not name:
        return False
    largest = next(iter(files_of(name).values()))
    try:
        with default_storage.open(largest) as picture:
            output.put(path, picture.read(), is_packed=True)
    except FileNotFoundError:
        return False
    return True


def _put_photos(output: WrittenZip, owner: Owner) -> None:
    """Writes the files of all photos. The parts do not say where they are, so they are looked up again: 0.5 read units
    per 4 KB."""
    for path, content in photo_files(own_photos(owner.user_id)):
        output.put(path, content, is_packed=True)


def _put_months(output: WrittenZip, owner: Owner, spool: Spool) -> list[tuple[datetime, str, int]]:
    """Writes a page for each month with posts. Returns the first moment, the path and the number of posts of each."""
    months = []
    for first, posts in months_of(spool.records(), site=owner.site):
        path = f"posts/{first:%Y-%m}.html"
        context = {"posts": posts, "month": first, "handle": owner.handle}
        output.put(path, render_to_string("privacy/export/month.html", context))
        months.append((first, path, len(posts)))
    return months


def _put_manifest(output: WrittenZip, owner: Owner, spools: Spools, moment: datetime) -> None:
    """Says what is in the zip. It is the last file, and the only one that it does not name."""
    manifest = {
        "format": FORMAT,
        "made_at": moment.isoformat(timespec="seconds"),
        "asked_at": owner.export.asked_at,
        "site": owner.site,
        "account": {"id": owner.user_id, "handle": owner.handle},
        "counts": {kind.name: spools.spool(kind.name).count for kind in KINDS}
        | {f"{file}.csv": spools.spool(file).count for file in FileKind},
        "files": list(_sorted_files(output)),
    }
    output.put("manifest.json", json.dumps(manifest, indent=2) + "\n")


def _sorted_files(output: WrittenZip) -> Iterator[dict[str, object]]:
    yield from sorted(output.files, key=lambda file: str(file["path"]))
