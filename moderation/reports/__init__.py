"""Reports by members and by the site, and what members see of moderation: outcomes, decisions, and appeals."""
