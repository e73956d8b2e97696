"""What the site costs, measured: `python -m benchmarks.timeline`. What the figures mean: docs/performance.md."""
