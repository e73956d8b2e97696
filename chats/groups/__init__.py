"""Small groups: up to ten people, by an invitation that each accepts.

writes.py   founding, inviting, accepting, naming, removing, leaving
reads.py    whom one may invite, and the people of a group
views.py    their pages
"""
