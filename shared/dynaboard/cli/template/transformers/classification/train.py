"""Trains the model: python train.py [ROWS.jsonl] [--start-from NAME_OR_FOLDER]"""

import argparse
import json
from pathlib import Path

import tiny
import torch
from handler import INPUTS
from transformers import AutoModelForSequenceClassification, AutoTokenizer

HERE = Path(__file__).parent
LABELS = ["$labels"]

parser = argparse.ArgumentParser(description="Trains the folder model/.")
parser.add_argument("rows", nargs="?", type=Path, default=HERE / "samples.jsonl")
parser.add_argument("--start-from", help="a pretrained model to fine-tune; without it, a tiny one from scratch")
parser.add_argument("--epochs", type=int, default=20)
args = parser.parse_args()

torch.manual_seed(0)
rows = [json.loads(line) for line in args.rows.read_text(encoding="utf-8").splitlines()]
names = {"id2label": dict(enumerate(LABELS)), "label2id": {label: index for index, label in enumerate(LABELS)}}
if args.start_from:
    tokenizer = AutoTokenizer.from_pretrained(args.start_from)
    model = AutoModelForSequenceClassification.from_pretrained(args.start_from, num_labels=len(LABELS), **names)
    rate = 3e-5
else:
    tokenizer = tiny.tokenizer_for([row[field] for row in rows for field in INPUTS])
    model = AutoModelForSequenceClassification.from_config(tiny.config_for(tokenizer, **names))
    rate = 1e-3

optimizer = torch.optim.AdamW(model.parameters(), lr=rate)
model.train()
for epoch in range(args.epochs):
    total = 0.0
    for indices in torch.randperm(len(rows)).split(16):
        some = [rows[index] for index in indices.tolist()]
        texts = [[row[field] for row in some] for field in INPUTS]
        batch = tokenizer(*texts, padding=True, truncation=True, max_length=256, return_tensors="pt")
        wanted = torch.tensor([LABELS.index(row["label"]) for row in some])
        loss = model(**batch, labels=wanted).loss
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        total += loss.item() * len(some)
    print(f"epoch {epoch + 1}: loss {total / len(rows):.3f}")
model.save_pretrained(HERE / "model")
tokenizer.save_pretrained(HERE / "model")
