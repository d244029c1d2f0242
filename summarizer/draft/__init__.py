"""Drafting: turns facts into statements. Only `client` may talk to a model."""
