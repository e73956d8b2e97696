"""A worker that runs alone has every handler: none waits until something else imports its file."""

import subprocess
import sys

import pytest
from django.conf import settings

pytestmark = pytest.mark.engines("embedded", reason="no table is asked")

CODE = """
import django; django.setup()
from importlib import import_module
from pkgutil import walk_packages

from lens.patterns import ROOMS, WITHOUT_PATTERNS
from socialsite.due.work import WORK
from socialsite.streams.dispatch import handlers, load_handlers
from socialsite.streams.jobs import STEPS

def registered():
    return {name for name in (*map(str, handlers()), *WORK, *map(str, STEPS))}

load_handlers()
alone = registered()
for room in (*ROOMS, "costs", "operations"):
    for module in walk_packages(import_module(room).__path__, f"{room}."):
        if not module.name.endswith(WITHOUT_PATTERNS):
            import_module(module.name)
assert len(alone) > 100, len(alone)
print(sorted(registered() - alone))
"""


def test_a_worker_alone_hears_of_all_that_any_file_handles():
    found = subprocess.run(
        [sys.executable, "-c", CODE], cwd=settings.BASE_DIR, capture_output=True, text=True
    )
    assert found.stdout.strip() == "[]", found.stderr[-1000:] or found.stdout
