"""A process that does nothing but fan out: what readers feel beside it. `benchmarks.fanout` starts and ends it."""

import os
import sys

import django

os.environ["DJANGO_SETTINGS_MODULE"] = "benchmarks.settings"
django.setup()

from django.conf import settings  # noqa: E402

from benchmarks.streaming import fan_out  # noqa: E402
from socialsite.streams.dispatch import load_handlers  # noqa: E402


def main() -> None:
    url, author_id, calls, folder = sys.argv[1:]
    settings.DATA_DIR = folder
    settings.DYNAMODB_ENDPOINT, settings.DYNAMODB_ENGINE = url, "endpoint"
    load_handlers()
    print("working", flush=True)
    while True:
        fan_out(author_id, at_once=int(calls))


if __name__ == "__main__":
    main()
