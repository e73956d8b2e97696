"""`python -m benchmarks` runs the home timeline's benchmark; `.page_load`, `.fanout`, `.hot_post` have their names."""

import sys

from benchmarks.timeline import main

sys.exit(main())
