"""Frozen values that travel between the parts; must not know how any of them is made."""
