"""Backup of the whole site on one machine: the database, the keys, uploads and the archive of expired items.

Which file answers what
    manifest.py   what a backup says of itself: hashes, keys, version of the data
    create.py     create_backup(): one archive, made while the site runs
    restore.py    restore_backup(): puts an archive in the place of the data folder
    exchange.py   swaps two folders atomically

On Amazon DynamoDB point-in-time recovery does this work (docs/deploy.md).
"""
