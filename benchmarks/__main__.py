"""`python -m benchmarks` runs the home timeline's benchmark; `.fanout` and `.hot_post` are run by their names."""

import sys

from benchmarks.timeline import main

sys.exit(main())
