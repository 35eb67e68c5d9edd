"""What keeps protocol.md and its test vectors in step with the code."""
