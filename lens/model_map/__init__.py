"""What AWS published about social networks in DynamoDB, row by row, with its place here: for developers at
`/dev/model`, and in `docs/model.md`.

`published.py` says which name of theirs is which of ours, `diagrams.py` draws entities from the models, and `tables.py`
makes the tables of the page and of the document.
"""
