"""What the site costs, measured: `python -m benchmarks`. What the figures mean: docs/performance.md."""
