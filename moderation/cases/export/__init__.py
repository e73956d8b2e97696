"""A case as a zip, for authorities and courts.

records.py   everything that the case holds, and its entries of the audit log
zip_file.py  the files of the zip, with their hashes
"""
