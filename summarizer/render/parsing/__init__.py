"""Reading any trace.md: words of the layouts, block structure, sections."""
