"""The zip of a case: its records, the photos that moderators keep, and the hashes of all files."""

import hashlib
import json
from collections.abc import Iterator
from tempfile import SpooledTemporaryFile
from typing import IO, Any
from zipfile import ZIP_DEFLATED, ZipFile

from moderation.cases.export.records import CaseRecords
from moderation.cases.photos.copying import name_of
from moderation.models import Keeping
from photos.copies import COPIED, open_copy
from photos.files import PRIVATE, read_file
from socialsite.table.errors import NotFound

FORMAT = "socialsite case 1"
IN_MEMORY = 8 * 1024 * 1024  # bytes, then on the disk
MOST_OF_PHOTOS = 100 * 1024 * 1024
SUMS, LOG, READ_ME = "SHA256SUMS", "log.json", "README.txt"
EXPLAINED = """This is one moderation case, as the site had it when it was exported.

case.json    the case: reports, posts and profiles as they were when they were reported, actions, outcomes, messages
             about appeals
photos/      the photos of those posts, and the pictures of the profile
SHA256SUMS   the SHA-256 of each of these files. Check them with: sha256sum -c SHA256SUMS
log.json     what the site's audit log says about the case, each entry with its hash and that of the entry before. The
             last one is this export. Its sha256 is that of SHA256SUMS, so both prove each other.

The log is a chain of hashes, made with a key that only the site has. The site can show that the chain is whole.
Email addresses and network addresses are not part of it. Notes that moderators wrote for each other are part of it only
if "with_notes" in case.json says so.
"""


class CaseZip:
    """Writes the files of a case one by one, and remembers their hashes."""

    def __init__(self) -> None:
        # The answer closes it.
        self.file: IO[bytes] = SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115
        self._zip = ZipFile(self.file, "w", ZIP_DEFLATED)
        self._sums: dict[str, str] = {}

    def add_case(self, records: CaseRecords, **facts: str | bool) -> None:
        """Adds everything but the log. `facts` say who exported it, when, and what of it."""
        photos, missing = [], []
        room = MOST_OF_PHOTOS
        for name, content in _photos(records):
            if content is None or len(content) > room:
                missing.append(name)
                continue
            room -= len(content)
            photos.append(name)
            self._add(name, content)
        what = {
            "format": FORMAT,
            **facts,
            "case": str(records.case_id),
            "is_whole": records.is_whole and not missing,
            "person": records.people.get(records.person_id, {}),
            "people": records.people,
            "held_post": records.post,
            "items": records.items,
            "photos": photos,
            "photos_missing": missing,
        }
        self._add("case.json", _json(what))
        self._add(READ_ME, EXPLAINED.encode())

    def add_sums(self) -> str:
        """Adds the hashes of all files so far, and returns the hash of that list."""
        lines = [f"{digest}  {name}\n" for name, digest in sorted(self._sums.items())]
        text = "".join(lines).encode()
        self._add(SUMS, text)
        return self._sums[SUMS]

    def add_log(self, entries: list[dict[str, Any]]) -> IO[bytes]:
        """Adds the log as the last file, and returns the zip, ready to be read."""
        self._add(LOG, _json(entries))
        self._zip.close()
        self.file.seek(0)
        return self.file

    def _add(self, name: str, content: bytes) -> None:
        self._sums[name] = hashlib.sha256(content).hexdigest()
        self._zip.writestr(name, content)


def _photos(records: CaseRecords) -> Iterator[tuple[str, bytes | None]]:
    """Yields the name and the content of each photo, None for a picture that is not there."""
    for one in records.photos:
        place = one.part or f"{one.post_id}-{int(one.number)}"
        name = f"photos/{place}-{one.photo_id if one.part else one.version}.webp"
        yield name, _copy_of(one.person_id, name_of(one)) if one.state == Keeping.KEPT else None
    for number, held in enumerate(records.held_photos, 1):
        yield f"photos/{records.case_id.subject_id}-{number}.webp", _held(held.secret)


def _copy_of(person_id: str, name: str) -> bytes | None:
    try:
        with open_copy(person_id, name) as file:
            return file.read()
    except NotFound:
        return None


def _held(secret: str) -> bytes | None:
    try:
        return read_file(PRIVATE, secret, COPIED)
    except NotFound:
        return None


def _json(what: Any) -> bytes:
    return json.dumps(what, ensure_ascii=False, indent=2, default=str).encode()
