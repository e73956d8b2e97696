"""OAuth 2: how an app gets to act for someone. Authlib knows the protocol, `accounts/access/` what is stored."""
