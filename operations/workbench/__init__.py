"""The table as a model of NoSQL Workbench, and such models as tables: `manage.py workbench`.

exporting.py   our model: table, indexes, the attributes of all items, a facet for each type, sample data
importing.py   checks a file of the format (`schema.json`) and its sample data, and writes them into an empty table
opened.py      any model, to be looked at, and why few become a site; views.py is its page
published.py   the adapter for the social network that AWS publishes
"""
