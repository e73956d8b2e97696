"""The table as a model of NoSQL Workbench, and such models as tables: `manage.py workbench`.

attributes.py  the attributes of all items, from the models
exporting.py   our model: table, indexes, a facet for each item type, sample data
checking.py    what a file of the format must hold (`schema.json`, made from the published model)
importing.py   reads the items of a file, and writes them into an empty table
spreadsheet.py sample data as CSV
published/     the adapter for the social network that AWS publishes
"""
