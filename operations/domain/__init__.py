"""The site moves to another domain: what is bound to the old one (`manage.py change_domain`)."""
