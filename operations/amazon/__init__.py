"""The site on Amazon in one command: `make deploy` and `make undeploy` (docs/amazon.md)."""
