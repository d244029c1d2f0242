"""Prompt templates as data; this module exists so that importlib.resources finds the folder."""
