"""Backup of the whole site on one machine: the database, the keys, uploads and the archive of expired items.

Which file answers what
    create.py     create_backup(): one archive with what it says of itself, made while the site runs
    restore.py    restore_backup(): puts an archive in the place of the data folder

On Amazon DynamoDB point-in-time recovery does this work (`operations/moving/moment.py`).
"""
