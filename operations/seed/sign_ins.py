"""The sign-ins of the demo data, kept beside it so that every start can print them."""

import json
from collections.abc import Sequence
from pathlib import Path

from socialsite.private_files import write_private

PASSWORD = "calm-quick-warm"  # noqa: S105 - of the demo people, and printed at every start
FILE = "demo.json"


def note_demo_sign_ins(data_dir: Path, handles: Sequence[str]) -> None:
    write_private(data_dir / FILE, json.dumps(list(handles)))


def demo_sign_ins(data_dir: Path) -> list[str]:
    """Lines to print: empty if there is no demo data."""
    file = data_dir / FILE
    if not file.exists():
        return []
    handles = ", ".join(json.loads(file.read_text()))
    return [f"Sign in as {handles} (password: {PASSWORD}), or sign up."]
