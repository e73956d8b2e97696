"""Quotes: posts that carry another one."""
