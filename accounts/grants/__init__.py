"""What people allowed to apps, as it is stored: beneath `models.py`, which Django imports. What is done with it is in
`access/`."""
