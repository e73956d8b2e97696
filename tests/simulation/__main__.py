"""`make simulate`: plays seeds, and says how to play again what broke.

    python -m tests.simulation --seed 7 --steps 20000

A seed is played in seasons, each a world of its own; `7.3` is the third of seed 7, and plays alone.
"""

import argparse
import os
import sys

HASH_SEED = "0"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.simulation", description=__doc__)
    parser.add_argument("--seed", default="", help="drawn if it is not given")
    parser.add_argument("--steps", type=int, default=20_000)
    parser.add_argument(
        "--beside", type=int, default=1, help="seasons at a time, each in a process"
    )
    parser.add_argument(
        "--go-on", action="store_true", help="plays the seasons after one that broke"
    )
    parser.add_argument("--calm", action="store_true", help="without faults")
    parser.add_argument("--watch", default="", help="an id: tells each write that names it")
    parser.add_argument("--shorten", type=int, default=0, help="tries to shorten what broke")
    parser.add_argument("--year", action="store_true", help="plays a year; steps are days then")
    options = parser.parse_args()
    if os.environ.get("PYTHONHASHSEED") != HASH_SEED:  # the order of sets is part of the history
        os.environ["PYTHONHASHSEED"] = HASH_SEED
        os.execv(sys.executable, [sys.executable, "-m", "tests.simulation", *sys.argv[1:]])
    seed = options.seed or str(int.from_bytes(os.urandom(4), "big"))
    print(f"SEED={seed} STEPS={options.steps}", flush=True)
    import_site()
    return play(seed, options)


def import_site() -> None:
    """Imports all of the site, under the simulated clock."""
    from tests.simulation import clockwork

    clockwork.install()
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.simulation.settings"
    import django

    django.setup()
    import socialsite.urls
    from socialsite.streams.dispatch import load_handlers

    assert socialsite.urls
    load_handlers()
    clockwork.install_in_modules()


def play(seed: str, options: argparse.Namespace) -> int:
    from tests.simulation.run import added_up, beside_each_other, seasons_of, shorten
    from tests.simulation.year import A_YEAR, Year

    if options.year:
        seasons = [
            Year(f"{seed}.1", min(options.steps, A_YEAR), faults=False, watched=options.watch)
        ]
    else:
        seasons = seasons_of(seed, options.steps, faults=not options.calm, watched=options.watch)
    all_told, by_seed = [], {season.seed: season for season in seasons}
    for told in beside_each_other(seasons, processes=options.beside):
        all_told.append(told)
        print(
            f"{told.seed}: {told.steps} steps, {told.looks} looks, {told.days:.1f} days, {told.calls} calls, "
            f"{told.seconds:.1f} s of the processor, {told.hash}",
            flush=True,
        )
        if told.broken:
            print(f"Broken {told.broken}")
            tries = options.shorten
            left_out = shorten(by_seed[told.seed], told, tries=tries) if tries else set()
            history = [(n, what) for n, what in told.history if n not in left_out]
            for step, what in history[-60:]:
                print(f"  {step:7} {what}")
            print(f"make simulate SEED={told.seed} STEPS={told.steps} plays it again.", flush=True)
            if not options.go_on:
                break
    for name in ("deeds", "refused", "faults"):
        print(f"{name}: {added_up(all_told, name)}")
    steps, seconds = sum(one.steps for one in all_told), sum(one.seconds for one in all_told)
    print(f"SEED={seed}: {steps} steps in {seconds:.1f} s of the processor")
    return int(any(one.broken for one in all_told))


if __name__ == "__main__":
    sys.exit(main())
