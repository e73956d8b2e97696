"""What is encrypted, with which key; the whole of it is in `docs/encryption.md`."""
