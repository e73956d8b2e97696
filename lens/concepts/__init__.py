"""The building blocks of the table, one page each: for developers at `/dev/concepts`, and in `docs/concepts/`.

blocks/       what the pages say, one block a file
concept.py    what a page is made of
drawing.py    a diagram, drawn from the key chart
document.py   a page as Markdown, which a test compares with the file
measured.py   what the tests measured with a block and without it
example.py    a partition of this table that shows a block, and what reading it costs now
"""
