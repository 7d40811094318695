"""Small models that the tests write themselves."""

import json
from pathlib import Path
from textwrap import dedent

CARD = {"summary": "A model for a test", "licence": "MIT"}

# As slow as told for its first 300 examples: long enough for something to happen meanwhile, and then measured soon.
SLOW = """
    import time

    class Handler:
        def load(self, model_dir):
            self.seen = 0

        def predict(self, examples):
            if self.seen < 300:
                time.sleep({seconds} * len(examples))
            self.seen += len(examples)
            return [{{"id": example["id"], "label": "neutral"}} for example in examples]
"""

# Takes more and more memory as soon as it is asked.
HUNGRY = """
    class Handler:
        def load(self, model_dir):
            pass

        def predict(self, examples):
            kept = []
            while True:
                kept.append(bytearray(b"x" * 2**24))
"""


def write_model(folder: Path, name: str, handler: str, batch_size: int = 4) -> Path:
    """A folder that `dynaboard submit` takes."""
    target = folder / name
    target.mkdir(parents=True)
    manifest = {
        "name": name,
        "task": "sentiment",
        "handler": "handler.py:Handler",
        "batch_size": batch_size,
        "card": CARD,
    }
    (target / "dynaboard.yaml").write_text(json.dumps(manifest))
    (target / "handler.py").write_text(dedent(handler))
    return target
