"""What people's texts are made of: which part is a web address, a mention or a tag, and which signs nobody sees.

`found.py` is the one reader of a text for pages, notifications, tags, feeds, exports and moderation; HTML is made of
what it finds by `socialsite/web/rich_text.py`.
"""
