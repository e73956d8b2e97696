"""`python -m benchmarks.scale` works docs/scale.md out anew, with its pictures."""

import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "socialsite.settings")
django.setup()  # for the labels of the bill, and the items

from benchmarks.scale.document import write  # noqa: E402

if __name__ == "__main__":
    write()
