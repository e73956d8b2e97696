"""The page that the site is held against: home as a good Django site would make it with its ORM and PostgreSQL.

engine.py    PostgreSQL on a folder of its own
settings.py  the site's settings with a database and another reading of the viewer
models.py    tables and indexes
viewer.py    who asks, by one query
pages.py     the page pulled, by LATERAL, and from a table of fanned-out entries
filling.py   the same people and posts as in the site's table
"""
