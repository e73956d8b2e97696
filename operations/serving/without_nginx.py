"""The site for gunicorn where no nginx stands before it: `make serve` on a machine that has none. It relays `/live` to
the process that tells open pages, a thread for each page, up to as many as leave room for requests."""

import os

from operations.serving.live import relayed
from socialsite.wsgi import application as site

STREAMS = 32  # of each of gunicorn's workers, which have four threads more; further pages ask by themselves

application = relayed(site, os.environ["LIVE_BIND"], at_most=STREAMS)
