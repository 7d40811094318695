"""Any Hugging Face extractive question answerer saved in the folder model/. train.py makes one."""

import os
from pathlib import Path
from typing import Any

import torch
from transformers import AutoModelForQuestionAnswering, AutoTokenizer

LONGEST_QUESTION = 200  # characters, so that it always leaves room for the context
LONGEST_ANSWER = 30  # tokens


class Handler:
    """The class named in dynaboard.yaml."""

    def load(self, model_dir: str) -> None:
        """Called once, first. Every file of this folder lies in `model_dir`; there is no network."""
        torch.set_num_threads(int(os.environ.get("OMP_NUM_THREADS", "1")))
        folder = Path(model_dir, "model")
        self.tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
        self.model = AutoModelForQuestionAnswering.from_pretrained(folder, local_files_only=True).eval()

    @torch.inference_mode()
    def predict(self, examples: list[dict[str, str]]) -> list[dict[str, Any]]:
        """Called with at most `batch_size` examples. Returns one answer for each, with the example's own id."""
        batch = self.tokenizer(
            [example["question"][:LONGEST_QUESTION] for example in examples],
            [example["context"] for example in examples],
            padding=True,
            truncation="only_second",  # what does not fit is cut from the context's end
            max_length=256,
            return_offsets_mapping=True,
            return_tensors="pt",
        )
        offsets = batch.pop("offset_mapping").tolist()
        scores = self.model(**batch)
        spans = [
            best_span(scores.start_logits[row], scores.end_logits[row], batch.sequence_ids(row))
            for row in range(len(examples))
        ]
        # Offsets lead back to the context, so that every answer is an exact span of it.
        return [
            {"id": example["id"], "answer": example["context"][where[first][0] : where[last][1]], "conf": conf}
            for example, where, (first, last, conf) in zip(examples, offsets, spans, strict=True)
        ]


def best_span(start: torch.Tensor, end: torch.Tensor, parts: list[int | None]) -> tuple[int, int, float]:
    """First and last token of the likeliest answer, and its share of the probability. `parts` is 1 in the context."""
    inside = torch.tensor([part == 1 for part in parts])
    if not inside.any():  # a context without a single token: position 0 spans no characters
        return 0, 0, 0.0
    first = start.masked_fill(~inside, -torch.inf).softmax(0)
    last = end.masked_fill(~inside, -torch.inf).softmax(0)
    # Only spans that do not end before they start, nor run on.
    joint = torch.outer(first, last).triu().tril(LONGEST_ANSWER - 1)
    best = int(joint.argmax())
    return best // len(parts), best % len(parts), float(joint.max())
