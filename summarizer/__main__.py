"""`python -m summarizer` is the command line."""

from summarizer.cli.main import entrypoint

if __name__ == "__main__":
    entrypoint()
