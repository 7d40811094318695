"""Small models that the tests write themselves."""

import json
from pathlib import Path
from textwrap import dedent

CARD = {"summary": "A model for a test", "licence": "MIT"}

# As slow as it is told: an evaluation during which something can happen. Prints each time that it is loaded.
SLOW = """
    import time

    class Handler:
        def load(self, model_dir):
            print("loaded", flush=True)

        def predict(self, examples):
            time.sleep({seconds} * len(examples))
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
