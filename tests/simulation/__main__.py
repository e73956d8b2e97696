"""`make simulate`: plays a seed, or tells how to play it again.

python -m tests.simulation --seed 7 --steps 20000
"""

import argparse
import os
import sys

HASH_SEED = "0"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.simulation", description=__doc__)
    parser.add_argument("--seed", default="")
    parser.add_argument("--steps", type=int, default=20_000)
    parser.add_argument("--no-faults", action="store_true")
    parser.add_argument("--watch", default="", help="an id: tells each call that names it")
    options = parser.parse_args()
    if os.environ.get("PYTHONHASHSEED") != HASH_SEED:  # the order of sets is part of the history
        os.environ["PYTHONHASHSEED"] = HASH_SEED
        os.execv(sys.executable, [sys.executable, "-m", "tests.simulation", *sys.argv[1:]])
    seed = options.seed or str(int.from_bytes(os.urandom(4), "big"))
    return play(seed, options)


def play(seed: str, options: argparse.Namespace) -> int:
    from tests.simulation import clockwork

    clockwork.install(seed)
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.simulation.settings"
    import django

    django.setup()
    import logging

    logging.disable(logging.CRITICAL)
    import socialsite.urls  # all of the site
    from tests.simulation.run import Run
    from tests.simulation.world import Violation

    assert socialsite.urls
    clockwork.install_in_modules()
    run = Run(seed, options.steps, faults=not options.no_faults, watched=options.watch)
    print(f"SEED={seed} STEPS={options.steps}", flush=True)
    try:
        run.play()
    except Violation as violation:
        print(f"Violation in step {run.played} of seed {seed}: {violation}")
        if violation.__cause__:
            import traceback

            traceback.print_exception(violation.__cause__)
        for step, line in run.lines[-40:]:
            print(f"  {step:7} {line}")
        for place, raw in sorted(run.world.engine.items.items()):
            if options.watch and options.watch in f"{place}{raw}":
                print("  there is", raw["type"]["S"], *place, str(raw)[:300])
        return 1
    finally:
        print(f"{run.played} steps, {run.looks} looks, {run.seconds:.1f} s of the processor")
        if hasattr(run, "world"):
            for name, what in run.told().items():
                print(f"{name}: {what}")
    print(f"hash {run.hash}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
