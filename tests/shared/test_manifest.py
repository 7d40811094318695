"""`dynaboard.yaml` is read strictly; each refusal names the field and says what to do."""

import textwrap

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dynaboard.errors import Invalid
from dynaboard.manifest import PROPRIETARY, RUNTIME, read_manifest

GOOD = """
name: tiny-nli
task: nli
handler: handler.py:Handler
card:
  summary: Guesses entailment from word overlap.
  licence: mit
"""


def changed(old: str, new: str) -> bytes:
    """GOOD with one piece replaced."""
    assert old in GOOD
    return GOOD.replace(old, new).encode()


def refused(text: bytes) -> str:
    """The sentence with which `text` is refused."""
    with pytest.raises(Invalid) as caught:
        read_manifest(text)
    return caught.value.detail


def test_a_short_manifest_gets_the_defaults() -> None:
    manifest = read_manifest(GOOD.encode())

    assert (manifest.name, manifest.task, manifest.batch_size) == ("tiny-nli", "nli", 32)
    assert (manifest.handler_file, manifest.handler_class) == ("handler.py", "Handler")
    assert manifest.card.licence == "MIT"
    assert manifest.card.languages == ("en",)


def test_a_full_manifest_is_kept_whole() -> None:
    text = textwrap.dedent("""
        name: big-model-21
        task: hate-speech
        handler: src/serve.py:Toxic
        batch_size: 8
        requirements: [numpy, scikit_learn, Torch]
        card:
          summary: "Says: no."
          licence: Apache-2.0 OR LicenseRef-Ours
          languages: [en, no, pt-BR]
          parameters: 110_000_000
          training_data: |
            Two lines
            of text.
          intended_use: research
          limitations: many
          ethics: none known
          source_url: https://example.org/model
          citation: Doe 2024
    """)

    manifest = read_manifest(text.encode())

    assert manifest.requirements == ("numpy", "scikit-learn", "torch")
    assert manifest.card.parameters == 110_000_000
    assert manifest.card.languages == ("en", "no", "pt-BR")
    assert manifest.card.training_data == "Two lines\nof text."
    assert read_manifest(text.encode()) == type(manifest).model_validate(manifest.model_dump(mode="json"))


def test_words_that_yaml_would_turn_into_something_else_stay_words() -> None:
    manifest = read_manifest(changed("name: tiny-nli", "name: 1e3").replace(b"Guesses entail", b"no # "))

    assert manifest.name == "1e3"
    assert manifest.card.summary == "no"


@pytest.mark.parametrize("nothing", ["", "~", "null"])
def test_an_empty_value_means_the_line_is_not_there(nothing: str) -> None:
    assert read_manifest(changed("handler: handler.py:Handler", f"handler: {nothing}")).handler is None


@pytest.mark.parametrize(
    ("given_licence", "kept"),
    [
        ("apache-2.0", "Apache-2.0"),
        ("cc-by-nc-4.0", "CC-BY-NC-4.0"),
        ("LicenseRef-Acme", "LicenseRef-Acme"),
        ("Proprietary", PROPRIETARY),
    ],
)
def test_licences_are_spdx_identifiers_or_say_proprietary(given_licence: str, kept: str) -> None:
    assert read_manifest(changed("mit", given_licence)).card.licence == kept


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("name: tiny-nli\n", "", "dynaboard.yaml: `name` is missing; add it."),
        ("  licence: mit", "  languages: [en]", "dynaboard.yaml: `card.licence` is missing; add it."),
        ("card:", "cart:", "dynaboard.yaml: `card` is missing; add it."),
        (
            "licence: mit",
            "licence: mine",
            "dynaboard.yaml: `card.licence` 'mine' is no SPDX licence; "
            "write for example MIT, Apache-2.0, LicenseRef-Mine or proprietary.",
        ),
        (
            "task: nli",
            "task: Chess",
            "dynaboard.yaml: `task` 'Chess' is no name of a task; write for example sentiment.",
        ),
        (
            "handler: handler.py:Handler",
            "handler: ../handler.py:Handler",
            "dynaboard.yaml: `handler` must read FILE.py:CLASS, for example handler.py:Handler.",
        ),
        (
            "card:",
            "colour: red\ncard:",
            "dynaboard.yaml: `colour` is not a known key; remove it or correct its spelling.",
        ),
        ("card:", "batch_size: 0\ncard:", "dynaboard.yaml: `batch_size` must be greater than or equal to 1."),
        (
            "card:",
            "batch_size: many\ncard:",
            "dynaboard.yaml: `batch_size` must be a valid integer, unable to parse string as an integer.",
        ),
        (
            "card:",
            "requirements: [tensorflow]\ncard:",
            f"dynaboard.yaml: `requirements.0` 'tensorflow' is not in the runtime; "
            f"name without version any of {', '.join(RUNTIME)}.",
        ),
        (
            "name: tiny-nli",
            "name: Tiny NLI",
            "dynaboard.yaml: `name` may hold at most 62 lower-case letters, digits and dashes; a dash is not first.",
        ),
        (
            "  licence: mit",
            "  licence: mit\n  source_url: javascript:alert(1)",
            "dynaboard.yaml: `card.source_url` must be an http or https address.",
        ),
        (
            "  licence: mit",
            "  licence: mit\n  languages: [English]",
            "dynaboard.yaml: `card.languages.0` must be a language code such as en, de or pt-BR.",
        ),
        (
            "summary: Guesses entailment from word overlap.",
            'summary: "a\\0b"',
            "dynaboard.yaml: `card.summary` holds invisible control characters; remove them.",
        ),
        (
            "task: nli",
            "task: nli\ntask: qa",
            "dynaboard.yaml is not valid YAML (line 2): the key 'task' stands twice.",
        ),
        ("card:\n", "card: text\nx:\n", "dynaboard.yaml: `card` must be a list of `key: value` lines."),
        ("task: nli", "task: [nli", "dynaboard.yaml is not valid YAML (line 4): expected ',' or ']', but got ':'."),
    ],
)
def test_each_mistake_is_told_in_one_sentence_that_names_the_field(old: str, new: str, sentence: str) -> None:
    assert refused(changed(old, new)) == sentence


def test_text_that_is_no_mapping_is_refused() -> None:
    assert refused(b"- a\n- b") == "dynaboard.yaml must be a list of `key: value` lines."


def test_text_that_is_not_utf8_is_refused() -> None:
    assert refused(b"\xff\xfe") == "dynaboard.yaml is not UTF-8 text; save it as UTF-8."


def test_a_huge_manifest_is_refused_unread() -> None:
    assert refused(b"a" * (64 * 1024 + 1)) == "dynaboard.yaml is larger than 64 KiB; shorten the card."


def test_deep_nesting_is_refused_not_a_crash() -> None:
    assert refused(b"[" * 60_000) == "dynaboard.yaml is nested too deeply; it needs two levels only."


def test_yaml_tags_build_nothing() -> None:
    text = changed("Guesses entailment from word overlap.", "!!python/object/apply:os.getcwd []")

    assert refused(text) == "dynaboard.yaml: `card.summary` must be a valid string."


def test_aliases_that_multiply_cost_nothing() -> None:
    lines = ["a: &a [x, x, x, x, x, x, x, x, x]"]
    lines += [f"{b}: &{b} [{', '.join([f'*{a}'] * 9)}]" for a, b in zip("abcdefghij", "bcdefghijk", strict=True)]

    assert "is missing" in refused("\n".join(lines).encode())


@settings(deadline=None)
@given(st.binary(max_size=300) | st.text(max_size=300).map(lambda text: text.encode("utf-8", "ignore")))
def test_any_bytes_are_read_or_refused(text: bytes) -> None:
    with pytest.raises(Invalid):
        read_manifest(text)
