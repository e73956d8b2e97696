"""Lists of cases besides those of `access_patterns.py`: the closed ones, a queue in some languages, the next case. And
what decides where a case stands: its languages, its severity."""
