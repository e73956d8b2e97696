"""The staff pages of everyone: finding people, and what is known of one."""
