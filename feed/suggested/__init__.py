"""People to follow, for Explore, the right column and the first steps.

newest_authors.py   the people who posted here last, as each process remembers them for some seconds
suggest_people.py   those of them whom the viewer does not follow yet
beside_known.py     the same below the people whom the viewer may know, in one BatchGetItem
"""
