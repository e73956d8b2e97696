"""Whom a person may know, and what stands between them and others.

discovery.py             people worth following, two steps away
looking.py               lets the worker look for them, and keeps what it found
people_you_may_know.py   what was found, as pages show it
own_relations.py         the viewer's own blocks, mutes and requests, in one Query
"""
