"""Makes the zip of an export from the parts that its steps left."""

import json
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import IO

from django.core.files.storage import default_storage
from django.template.loader import render_to_string
from django.utils import timezone, translation

from accounts.models import UserInfo
from accounts.profile_pictures import files_of
from privacy.export.kinds import Kind
from privacy.export.owner import Owner
from privacy.export.pages.lists import list_page
from privacy.export.pages.posts import months_of
from privacy.export.records.account import read_account
from privacy.export.records.photos import photo_files
from privacy.export.records.posts import POSTS
from privacy.export.records.profile import AVATAR, HEADER, PROFILE
from privacy.export.sources import BY_CLOCK, KINDS, line
from privacy.export.spools import Spool, Spools, gather
from privacy.export.zip_file import WrittenZip
from relations.csv_files import HEADERS, FileKind, write_row
from socialsite.clock import utc_now
from socialsite.table import keys
from socialsite.table.reading import query
from socialsite.table.row import row

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
    for path, content in photo_files(query(keys.photos(owner.user_id))):
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
