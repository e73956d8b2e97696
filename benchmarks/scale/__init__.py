"""What a site of ten million people costs and where it ends: docs/scale.md, worked out of what was measured."""
