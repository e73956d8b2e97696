"""Securing an account that someone may have broken into: its ways in, ended by staff, and the way back."""
