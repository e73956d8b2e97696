"""Will letters of this site arrive? What DNS says of the domain of `MAIL_FROM`."""
