"""Photos: uploading them, describing them, keeping them, and showing them to those who may see them.

A photo belongs to the person who uploaded it, and is private until a post of theirs shows it (`attach` in `writes.py`),
or a private message shows it to its readers (`enclose`). The room knows neither posts nor messages: it knows the id of
the one that uses a photo, and whether everyone may see it.
"""
