"""`python -m benchmarks` runs the one benchmark there is: the home timeline."""

import sys

from benchmarks.timeline import main

sys.exit(main())
