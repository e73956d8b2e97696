"""The building blocks of the table, one page each: for developers at `/dev/concepts`, and in `docs/concepts/`.

keys_and_indexes.py, one_table.py,     what the pages say
time_and_work.py, reading_less.py
blocks.py                              all of them, in the order in which they build on each other
concept.py                             what a page is made of: code, figures that were measured, a live example
document.py                            a page as Markdown, with its diagram, which a test compares with the file
"""
