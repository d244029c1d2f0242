"""Rendering a trace from a view, and parsing any trace back into data."""
