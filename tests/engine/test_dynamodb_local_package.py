"""What npm brings of DynamoDB Local: unpacked into its own folder, with a SQLite for each platform of the site."""

import io
import tarfile
from pathlib import Path

import pytest

from socialsite.engine.dynamodb_local import LIBRARIES, NATIVE_LIBRARIES, find_emulator, unpack
from socialsite.engine.program import EngineError
from tests.engine.processes import PROJECT

MACH_O, FAT, ELF = b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe", b"\x7fELF"
# How a library begins, then where and what it says of its processor.
HEADERS = {
    "darwin-arm64": (MACH_O, 4, b"\x0c\x00\x00\x01"),
    "darwin-x64": (FAT, 28, b"\x01\x00\x00\x07"),  # behind one for 32 bits
    "linux-arm64": (ELF, 18, b"\xb7\x00"),
    "linux-x64": (ELF, 18, b"\x3e\x00"),
}


def test_only_its_own_files_are_unpacked(tmp_path: Path) -> None:
    """Python 3.11.2, that of Debian 12, cannot do so by itself."""
    archive, target = tmp_path / "packed.tgz", tmp_path / "folder" / "target"
    with tarfile.open(archive, "w:gz") as packed:
        for name in (
            "package/emulator/lib/a.so",
            "package/emulator/../../../evil",
            "package/other",
        ):
            member = tarfile.TarInfo(name)
            member.size = 4
            packed.addfile(member, io.BytesIO(b"code"))
        link = tarfile.TarInfo("package/emulator/link")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        packed.addfile(link)
    unpack(archive, target)
    files = [path for path in tmp_path.rglob("*") if not path.is_dir()]
    assert files == [archive, target / "package/emulator/lib/a.so"]
    assert files[1].read_bytes() == b"code"


@pytest.mark.parametrize("name", NATIVE_LIBRARIES)
def test_the_package_has_the_library_of_each_processor(name: str) -> None:
    try:
        emulator = find_emulator(PROJECT)
    except EngineError as error:
        pytest.skip(str(error))
    found = (emulator / LIBRARIES / NATIVE_LIBRARIES[name]).read_bytes()
    begin, place, processor = HEADERS[name]
    assert found.startswith(begin)
    assert found[place:].startswith(processor)
