"""Photos in private messages: what a message says of them, sealed, and what becomes of them with it.

cards.py   what stands in the body of a message, and how a reader sees it
checks.py  what must hold between messages and their photos, and how it is put right
"""
