"""Alarms: what is wrong with the site, whom that wakes, and telling them when it begins and when it ends, once each.

Each is one line of `rules.py`, which deploy/alarms.yml is made of for sites that have Prometheus. Others need none: the
clock looks once a minute (`looking.py`), and `manage.py alarms` looks when the clock itself is dead (`watching.py`).
"""
