"""A process that uses the engine as the site does. Usage: site_process.py <data folder> <where>

Prints its endpoint as JSON, then lives until its standard input closes. With `thread` it asks for
the engine from a thread that ends, as a web server may. With
`fork` a forked child then asks too, and ends as Python processes do, exit handlers included.
"""

import json
import os
import sys
import threading
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(PROJECT))

from socialsite.engine.running import ensure_running  # noqa: E402


def main(data_dir: Path, where: str) -> None:
    """Ask for the engine, tell the answer, wait."""
    if where == "thread":
        asking = threading.Thread(target=ask, args=(data_dir,))
        asking.start()
        asking.join()
    else:
        ask(data_dir)
    if where == "fork":
        child = os.fork()
        if child == 0:
            ask(data_dir)
            sys.exit()
        os.waitpid(child, 0)
        print("the child has ended", flush=True)
    sys.stdin.read()


def ask(data_dir: Path) -> None:
    """Print the endpoint."""
    endpoint = ensure_running(project=PROJECT, data_dir=data_dir, table_name="socialsite")
    print(json.dumps({"url": endpoint.url, "owner": endpoint.owner}), flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
