"""What the table browser says about items beside what the table holds of them.

item_types.py    the item types by families, from models, key chart and the functions that use them; indexes, examples
stored_items.py  an item with all that the table keeps of it, and its page; who may browse, and what of it is masked
"""
