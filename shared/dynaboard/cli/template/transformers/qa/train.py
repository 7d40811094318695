"""Trains the model: python train.py [ROWS.jsonl] [--start-from NAME_OR_FOLDER]"""

import argparse
import json
from pathlib import Path

import tiny
import torch
from transformers import AutoModelForQuestionAnswering, AutoTokenizer

HERE = Path(__file__).parent

parser = argparse.ArgumentParser(description="Trains the folder model/.")
parser.add_argument("rows", nargs="?", type=Path, default=HERE / "samples.jsonl")
parser.add_argument("--start-from", help="a pretrained model to fine-tune; without it, a tiny one from scratch")
parser.add_argument("--epochs", type=int, default=20)
args = parser.parse_args()

torch.manual_seed(0)
rows = [json.loads(line) for line in args.rows.read_text(encoding="utf-8").splitlines()]
if args.start_from:
    tokenizer = AutoTokenizer.from_pretrained(args.start_from)
    model = AutoModelForQuestionAnswering.from_pretrained(args.start_from)
    rate = 3e-5
else:
    tokenizer = tiny.tokenizer_for([row[field] for row in rows for field in ("context", "question")])
    model = AutoModelForQuestionAnswering.from_config(tiny.config_for(tokenizer))
    rate = 1e-3

optimizer = torch.optim.AdamW(model.parameters(), lr=rate)
model.train()
for epoch in range(args.epochs):
    total = 0.0
    for indices in torch.randperm(len(rows)).split(8):
        some = [rows[index] for index in indices.tolist()]
        pairs = [row["question"] for row in some], [row["context"] for row in some]
        batch = tokenizer(*pairs, padding=True, truncation="only_second", max_length=256, return_tensors="pt")
        starts, ends = [], []
        for number, row in enumerate(some):
            begin = row["context"].index(row["answers"][0])
            first = batch.char_to_token(number, begin, sequence_index=1)
            last = batch.char_to_token(number, begin + len(row["answers"][0]) - 1, sequence_index=1)
            starts.append(-100 if first is None else first)  # cut off with the end of a long context
            ends.append(-100 if last is None else last)
        scores = model(**batch)
        loss = torch.nn.functional.cross_entropy(scores.start_logits, torch.tensor(starts), ignore_index=-100)
        loss = loss + torch.nn.functional.cross_entropy(scores.end_logits, torch.tensor(ends), ignore_index=-100)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        total += loss.item() * len(some)
    print(f"epoch {epoch + 1}: loss {total / len(rows):.3f}")
model.save_pretrained(HERE / "model")
tokenizer.save_pretrained(HERE / "model")
