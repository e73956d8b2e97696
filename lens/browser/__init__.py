"""What the table browser says about items beside what the table holds of them.

families.py      the item types by what they are about
item_types.py    an item type, from its model, the key chart and the functions that use it
stored_items.py  an item with all that the table keeps of it
links.py         where ids in keys and attributes lead
pages.py         the page of the site that shows an item
examples.py      live partitions of the chart's shapes
indexes.py       the sparse indexes, with live partitions
looking.py       who may browse, and what of it is masked and logged
"""
