"""Someone using the site until killed: `python -m tests.faults.load <log> <seed> [finish]`.

What was begun and not acknowledged is repeated first after a restart, as people do; `finish` does only that. With
`LOAD_SITE` in the environment everything goes over HTTP, else through the services.
"""

import json
import os
import random
import sys
import time
from pathlib import Path

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "socialsite.settings")
django.setup()

from tests.faults.world import Services, Site, TryAgain, World  # noqa: E402 - models need settings

PAUSE = float(os.environ.get("LOAD_PAUSE", 0))  # seconds after each deed


def main(log: Path, seed: str, *, finish: bool) -> None:
    site = os.environ.get("LOAD_SITE")
    world = World.read(log)
    way = Site(site, world) if site else Services(world)
    chance = random.Random(f"{seed} {world.deeds}")
    with log.open("a", buffering=1) as lines:
        while world.pending or not finish:
            deed = world.pending or world.choose(chance)
            if not world.pending:
                lines.write(json.dumps(deed | {"state": "begun"}) + "\n")
                world.pending = deed
            try:
                made = way.do(deed)
            except TryAgain:
                time.sleep(0.1)
                continue
            deed = deed | {"state": "done", "made": made}
            lines.write(json.dumps(deed) + "\n")
            world.note(deed)
            time.sleep(PAUSE)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], finish="finish" in sys.argv[3:])
