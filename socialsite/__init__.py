"""The frame: settings and addresses, the table, its streams, the embedded engine, and what every page needs.

It imports none of the apps.
"""
