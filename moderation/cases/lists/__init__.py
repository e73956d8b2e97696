"""Lists of cases besides those of `access_patterns.py`: the closed ones, and a queue in some languages."""
