"""Pure string work: normalisation, numbers, Markdown, provenance. Knows no model."""
