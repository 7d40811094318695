"""Uploads are opened by what they are, not by their names; bombs and damage are told in a sentence."""

import gzip
import io
import json
import zipfile

import pytest

from dynaboard.errors import Invalid, TooLarge
from services.evaluator.datasets.canonical import Example
from services.evaluator.datasets.catalogue import find_entry
from services.evaluator.datasets.importers import import_examples
from services.evaluator.datasets.importers.columns import read_columns

ROW = {"id": "1", "statement": "Fine.", "label": "positive"}
LINE = json.dumps(ROW).encode() + b"\n"


def read(data: bytes, limit: int = 2**20, **mapping: object) -> list[Example]:
    return list(import_examples("jsonl", io.BytesIO(data), read_columns({"task": "sentiment", **mapping}), limit))


def zipped(files: dict[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return packed.getvalue()


@pytest.mark.parametrize(
    "data",
    [
        LINE,
        gzip.compress(LINE),
        zipped({"test.jsonl": LINE}),
        zipped({"test.jsonl.gz": gzip.compress(LINE), "__MACOSX/._test.jsonl.gz": b"shadow", "folder/": b""}),
    ],
    ids=["plain", "gzip", "zip", "gzip in a zip"],
)
def test_the_same_example_comes_out_of_every_packing(data: bytes) -> None:
    assert read(data) == [ROW]


def test_the_named_file_of_a_distribution_is_read_and_tagged() -> None:
    upload = zipped({"a/R1/test.jsonl": LINE, "a/R2/test.jsonl": b"not this one"})
    assert read(upload, files={"*/R1/test.jsonl": ["r1"]}) == [{**ROW, "tags": ["r1"]}]


def test_all_seventeen_stress_tests_become_one_dataset_with_ids_and_tags_of_their_own() -> None:
    entry = find_entry("nli-stress-test")
    pair = {"sentence1": "a", "sentence2": "b", "gold_label": "neutral", "pairID": "63735n"}
    line = json.dumps(pair).encode() + b"\n"
    upload = zipped({pattern.replace("*", "Stress Tests/X/"): line for pattern in entry.columns.files})
    examples = list(import_examples(entry.format, io.BytesIO(upload), entry.columns, 2**20))
    assert len({example["id"] for example in examples}) == 17
    assert examples[0]["id"] == "multinli_0.9_antonym_matched-1"
    assert sum("spelling" in example["tags"] for example in examples) == 8


def test_one_file_where_several_make_the_dataset_is_refused() -> None:
    with pytest.raises(Invalid, match="upload the zip"):
        read(LINE, files={"a": [], "b": []})


@pytest.mark.parametrize(
    ("files", "sentence"),
    [
        ({"*.jsonl": []}, r'2 files of the zip match "\*.jsonl"'),
        ({"c.jsonl": []}, '0 files of the zip match "c.jsonl"'),
        ({}, "The zip holds several files"),
    ],
)
def test_a_zip_must_say_which_file_is_meant(files: dict[str, list[str]], sentence: str) -> None:
    with pytest.raises(Invalid, match=sentence):
        read(zipped({"a.jsonl": LINE, "b.jsonl": LINE}), files=files)


@pytest.mark.parametrize("pack", [gzip.compress, lambda data: zipped({"a.jsonl": data})], ids=["gzip", "zip"])
def test_a_bomb_is_stopped_at_the_limit(pack: "type[bytes]") -> None:
    bomb = pack(b"\n" * (4 * 2**20))
    assert len(bomb) < 2**16
    with pytest.raises(TooLarge, match="unpacks to more than 1048576 bytes"):
        read(bomb)


def test_a_plain_file_keeps_the_same_limit() -> None:
    with pytest.raises(TooLarge):
        read(LINE * 100, limit=500)


@pytest.mark.parametrize(
    "data",
    [
        gzip.compress(LINE)[:-12],
        b"\x1f\x8b\x08\x00" + b"\x00" * 20,
        zipped({"a.jsonl": LINE})[:60],
        zipped({"a.jsonl": LINE * 100}).replace(b"a.jsonl", b"b.jsonl", 1),
        b"PK\x03\x04",
        b"PK\x03\x04" + b"PK\x05\x06" + b"\xff" * 18,
    ],
    ids=["gzip cut off", "gzip damaged", "zip cut off", "zip contradicting itself", "zip header", "huge directory"],
)
def test_damage_is_told_in_a_sentence(data: bytes) -> None:
    with pytest.raises(Invalid):
        read(data)


def test_an_unknown_format_is_answered_with_the_known_ones() -> None:
    with pytest.raises(Invalid, match="the formats are csv, hans, jsonl, mrqa, parquet, snli, squad, sst, tsv"):
        list(import_examples("xlsx", io.BytesIO(LINE), read_columns({"task": "sentiment"}), 2**20))
