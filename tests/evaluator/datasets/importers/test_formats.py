"""Each original format, as its authors distribute it, becomes canonical examples; rows nobody can use are named."""

import io
import json
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet

from dynaboard.errors import Invalid
from services.evaluator.datasets.canonical import Example
from services.evaluator.datasets.catalogue import find_entry
from services.evaluator.datasets.importers import IMPORTERS, import_examples
from services.evaluator.datasets.importers.columns import Columns, read_columns

MIB = 2**20


def read(file_format: str, data: bytes | str, **mapping: object) -> list[Example]:
    upload = io.BytesIO(data if isinstance(data, bytes) else data.encode())
    return list(import_examples(file_format, upload, read_columns(mapping), MIB))


def from_catalogue(name: str, data: bytes | str, **change: object) -> list[Example]:
    entry = find_entry(name)
    columns: Columns = entry.columns.model_copy(update=change)
    upload = io.BytesIO(data if isinstance(data, bytes) else data.encode())
    return list(import_examples(entry.format, upload, columns, MIB))


def refusal(file_format: str, data: bytes | str, **mapping: object) -> str:
    with pytest.raises(Invalid) as error:
        read(file_format, data, **mapping)
    return error.value.detail


def json_lines(*rows: object) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


SNLI = {
    "annotator_labels": ["neutral"],
    "captionID": "4705552913.jpg#2",
    "gold_label": "neutral",
    "pairID": "4705552913.jpg#2r1n",
    "sentence1": "Two women are embracing.",
    "sentence1_parse": "(ROOT)",
    "sentence2": "The sisters are hugging.",
}


def test_snli_maps_its_label_words_and_leaves_out_pairs_without_a_gold_label() -> None:
    unsettled = {**SNLI, "gold_label": "-", "pairID": "4705552913.jpg#2r1e"}
    assert from_catalogue("snli-test", json_lines(unsettled, SNLI)) == [
        {
            "id": "4705552913.jpg#2r1n",
            "context": "Two women are embracing.",
            "hypothesis": "The sisters are hugging.",
            "label": "neutral",
        }
    ]


def test_mnli_is_tagged_by_split_and_genre() -> None:
    (example,) = from_catalogue("mnli-dev-matched", json_lines({**SNLI, "genre": "slate", "promptID": "1"}))
    assert example["tags"] == ["matched", "slate"]


def test_mnli_test_without_its_private_labels_is_refused_with_the_word_found() -> None:
    with pytest.raises(Invalid, match="line 1: the label 'hidden' is none of entailment, neutral, contradiction"):
        from_catalogue("mnli-test-matched", json_lines({**SNLI, "gold_label": "hidden"}))


def test_anli_letters_become_labels() -> None:
    row = {"uid": "a1", "context": "c", "hypothesis": "h", "label": "c", "reason": "r", "tag": "reas", "genre": "wiki"}
    assert from_catalogue("anli-r3-test", json_lines(row)) == [
        {"id": "a1", "context": "c", "hypothesis": "h", "label": "contradictory", "tags": ["r3"]}
    ]


HANS_COLUMNS = """
gold_label sentence1_binary_parse sentence2_binary_parse sentence1_parse sentence2_parse
sentence1 sentence2 pairID heuristic subcase template
"""


def test_hans_accepts_both_labels_that_are_not_entailment() -> None:
    row = ["non-entailment", "( a )", "( b )", "(ROOT)", "(ROOT)", 'The "doctor" ran .', "He ran .", "ex0"]
    tags = ["lexical_overlap", "ln_swap", "temp1"]
    table = "\t".join(HANS_COLUMNS.split()) + "\n" + "\t".join(row + tags) + "\n"
    assert from_catalogue("hans", table) == [
        {
            "id": "ex0",
            "context": 'The "doctor" ran .',
            "hypothesis": "He ran .",
            "label": ["neutral", "contradictory"],
            "tags": ["lexical_overlap", "ln_swap"],
        }
    ]


def test_winogender_numbers_are_ids_and_not_entailment_is_two_labels() -> None:
    row = {"premise": "p", "hypothesis": "h", "label": "not_entailment", "idx": 0, "pair_id": 551638}
    (example,) = from_catalogue("superglue-winogender", json_lines(row))
    assert (example["id"], example["label"]) == ("0", ["neutral", "contradictory"])


SQUAD = {
    "version": "1.1",
    "data": [
        {
            "title": "Newcastle",
            "paragraphs": [
                {
                    "context": "The Town Moor lies north of the centre.",
                    "qas": [
                        {
                            "id": "q1",
                            "question": "Where does the Moor lie?",
                            "answers": [
                                {"answer_start": 19, "text": "north of the centre"},
                                {"answer_start": 19, "text": "north"},
                            ],
                        },
                        {"id": "q2", "question": "What?", "answers": [{"answer_start": 4, "text": "Town Moor"}]},
                    ],
                }
            ],
        }
    ],
}


def test_squad_gives_one_example_a_question_with_all_its_answers() -> None:
    first, second = from_catalogue("squad-dev", json.dumps(SQUAD))
    assert first == {
        "id": "q1",
        "context": "The Town Moor lies north of the centre.",
        "question": "Where does the Moor lie?",
        "answers": ["north of the centre", "north"],
    }
    assert second["id"] == "q2"


def test_adversarial_qa_without_its_private_answers_is_refused() -> None:
    without = json.dumps(SQUAD).replace('[{"answer_start": 4, "text": "Town Moor"}]', "[]")
    with pytest.raises(Invalid, match='question 2: "answers" must be a list of at least one text'):
        from_catalogue("adversarial-qa-test", without)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xff\xfe",
        b'{"data": [',
        b"[" * 200_000,
        b'{"data": [{"paragraphs": [' + b"9" * 5000 + b"]}]}",
        b'{"data": [{"paragraphs": [{"context": "c"}]}]}',
        b'{"data": [{"paragraphs": ["c"]}]}',
    ],
    ids=["empty", "binary", "cut off", "nested deeply", "huge number", "no questions", "not an object"],
)
def test_what_is_no_squad_file_is_refused(data: bytes) -> None:
    assert refusal("squad", data, task="qa")


def test_mrqa_skips_the_header_and_gives_one_example_a_question() -> None:
    header = {"header": {"dataset": "SQuAD", "split": "dev"}}
    passage = {
        "id": "",
        "context": "Richard Marx sang.",
        "qas": [
            {
                "id": "5733",
                "qid": "38cc",
                "question": "Who sang?",
                "answers": ["richard marx"],
                "detected_answers": [{"text": "Richard Marx", "char_spans": [[0, 11]]}],
            }
        ],
    }
    assert from_catalogue("mrqa-triviaqa-dev", json_lines(header, passage)) == [
        {"id": "38cc", "context": "Richard Marx sang.", "question": "Who sang?", "answers": ["richard marx"]}
    ]


def test_mrqa_names_the_line_without_questions() -> None:
    assert refusal("mrqa", json_lines({"header": {}}, {"context": "c"}), task="qa").startswith('line 2: "qas"')


def test_sst_trees_become_sentences_with_one_of_three_labels() -> None:
    trees = "(3 (2 It) (4 (2 's) (3 (4 lovely) (2 -LRB-))))\n(0 (2 Bad) (2 .))\n"
    assert from_catalogue("sst3-test", trees) == [
        {"id": "1", "statement": "It 's lovely -LRB-", "label": "positive"},
        {"id": "2", "statement": "Bad .", "label": "negative"},
    ]


@pytest.mark.parametrize("tree", ["It 's lovely .", "(7 (2 It))", "(3 (2 It)", "(3 )"])
def test_a_line_that_is_no_tree_is_named(tree: str) -> None:
    assert refusal("sst", f"(2 (2 Fine))\n{tree}\n", task="sentiment").startswith("line 2: not a tree")


def test_dynasent_leaves_out_rows_without_a_three_way_majority() -> None:
    row = {"sentence": "Had to remind him.", "text_id": "r1-1", "gold_label": "negative", "label_distribution": {}}
    rows = json_lines(
        row, {**row, "text_id": "r1-2", "gold_label": "mixed"}, {**row, "text_id": "r1-3", "gold_label": None}
    )
    assert from_catalogue("dynasent-r1-test", rows) == [
        {"id": "r1-1", "statement": "Had to remind him.", "label": "negative", "tags": ["r1"]}
    ]


def test_stars_of_reviews_become_three_labels() -> None:
    reviews = "".join(f'"{stars}","Title","He said ""wow"".\\nOnce."\n' for stars in range(1, 6))
    examples = from_catalogue("amazon-reviews-dev", reviews)
    assert [example["label"] for example in examples] == ["negative", "negative", "neutral", "positive", "positive"]
    assert examples[0] == {"id": "1", "statement": 'He said "wow". Once.', "label": "negative"}


def test_dev_and_test_of_reviews_share_no_row_and_the_subsample_is_always_the_same() -> None:
    reviews = "".join(f'"5","Review number {number}"\n' for number in range(1, 101))
    dev = from_catalogue("yelp-reviews-dev", reviews, rows=(1, 50), sample=10)
    test = from_catalogue("yelp-reviews-test", reviews, rows=(51, 100), sample=10)
    assert len(dev) == len(test) == 10
    assert not {example["id"] for example in dev} & {example["id"] for example in test}
    assert dev == from_catalogue("yelp-reviews-dev", reviews, rows=(1, 50), sample=10)
    assert [int(example["id"]) for example in dev] == sorted(int(example["id"]) for example in dev)


def test_learning_from_the_worst_is_filtered_by_split_and_tagged_by_round() -> None:
    table = (
        '"","acl.id","X1","text","label","type","target","level","split","round.base","annotator","round"\n'
        '1,acl1,1,"I like, you","nothate",notgiven,none,original,train,1,a,1\n'
        '2,acl2,2,"I like\nthem","nothate",notgiven,none,original,test,3,a,3b\n'
    )
    assert from_catalogue("learning-from-the-worst-test", table) == [
        {"id": "acl2", "text": "I like\nthem", "label": "not-hateful", "tags": ["r3"]}
    ]


def test_hatecheck_is_tagged_by_functionality_and_target() -> None:
    table = (
        ",functionality,case_id,test_case,label_gold,target_ident,direction\n"
        "0,ident_neutral_nh,2,I know women. ,non-hateful,women,general\n"
        "1,counter_quote_nh,3,Words. ,non-hateful,,\n"
    )
    assert from_catalogue("hatecheck", table) == [
        {"id": "2", "text": "I know women. ", "label": "not-hateful", "tags": ["ident_neutral_nh", "target-women"]},
        {"id": "3", "text": "Words. ", "label": "not-hateful", "tags": ["counter_quote_nh"]},
    ]


def test_parquet_of_the_hugging_face_library_maps_class_numbers(tmp_path: Path) -> None:
    table = pa.table({"idx": [10, 11], "premise": ["a", "b"], "hypothesis": ["c", "d"], "label": [0, 2]})
    parquet.write_table(table, tmp_path / "test.parquet")
    examples = read(
        "parquet",
        (tmp_path / "test.parquet").read_bytes(),
        task="nli",
        id="idx",
        inputs={"context": "premise"},
        labels={"0": "entailed", "1": "neutral", "2": "contradictory"},
    )
    assert [(example["id"], example["label"]) for example in examples] == [("10", "entailed"), ("11", "contradictory")]


def test_parquet_answers_of_the_hugging_face_library_are_their_texts(tmp_path: Path) -> None:
    answers = [{"text": ["Rome"], "answer_start": [0]}]
    table = pa.table({"id": ["1"], "context": ["Rome fell."], "question": ["What fell?"], "answers": answers})
    parquet.write_table(table, tmp_path / "test.parquet")
    (example,) = read("parquet", (tmp_path / "test.parquet").read_bytes(), task="qa")
    assert example["answers"] == ["Rome"]


@pytest.mark.parametrize("data", [b"", b"PAR1", b"PAR1" + b"\x00" * 100 + b"PAR1", b"no"])
def test_what_is_no_parquet_file_is_refused(data: bytes) -> None:
    assert "not a Parquet file" in refusal("parquet", data, task="nli")


def test_tsv_takes_quotes_as_characters() -> None:
    (example,) = read("tsv", 'id\tstatement\tlabel\n1\tA "fine" film\tpositive\n', task="sentiment")
    assert example["statement"] == 'A "fine" film'


def test_a_canonical_file_imports_as_it_is_and_drops_columns_no_task_knows() -> None:
    row = {"id": "1", "statement": "Fine.", "label": "positive", "tags": ["sst3"]}
    assert read("jsonl", json_lines({**row, "label5": 3}), task="sentiment") == [row]


def test_every_format_refuses_random_bytes_in_a_sentence() -> None:
    noise = bytes(range(256)) * 40
    for file_format in IMPORTERS:
        assert refusal(file_format, noise, task="qa" if file_format in {"squad", "mrqa"} else "nli")
