"""Legal holds: an account or a case that must be kept by law until a day, as two people of the staff say."""
