"""What holds for any example of the fairness suite."""

from hypothesis import given
from hypothesis import strategies as st

from dynaboard.nlp_tasks import TASKS
from services.evaluator.perturbations.edits import apply_edits
from services.evaluator.perturbations.fairness import FAIRNESS, builtin, warm
from services.evaluator.perturbations.fairness.lexicon import lexicon
from services.evaluator.perturbations.variants import variants
from tests.evaluator.perturbations.fairness.changed import RULES_ONLY, regendered

PARTNERS = lexicon().partners
# Titles and pronouns have rules of their own; a bachelor's is a degree.
RULED = {"mr", "ms", "he", "she", "himself", "herself", "sir", "bachelor", "bachelorette"}
SYMMETRIC = sorted(
    word for word, (partner, _) in PARTNERS.items() if PARTNERS.get(partner, ("", ""))[0] == word and word not in RULED
)
NAMES = sorted(name.text for name in lexicon().names.values())
FRAMES = ["The {} was here.", "We saw the {}.", "THE {} LEFT.", "They like the {}'s car."]

sentences = st.builds(
    str.format,
    st.sampled_from(["{0} met {1}.", "I saw {0} and {1}’s dog.", "{0} lost her keys. {1} saw him.", "{0}, {1}: hello"]),
    st.sampled_from([*NAMES, "Will", "May", "Grace", "Red Robin"]),
    st.sampled_from([*NAMES, "the woman", "LeBron James", "Obama"]),
)


@given(st.sampled_from(SYMMETRIC), st.sampled_from(FRAMES))
def test_swapping_twice_gives_the_original_where_the_pair_is_symmetric(word, frame):
    text = frame.format(word.upper() if frame.isupper() else word)
    assert regendered(regendered(text)) == text


@given(st.sampled_from(["{} took {} keys.", "{} says it is {} own fault.", "Then {} lost {} way."]), st.booleans())
def test_swapping_pronouns_twice_gives_the_original(frame, feminine):
    text = frame.format(*("she", "her") if feminine else ("he", "his"))
    assert regendered(text) != text
    assert regendered(regendered(text)) == text


@given(sentences, st.integers(0, 2**32))
def test_the_same_example_and_seed_give_the_same_variants(text, seed):
    task, example = TASKS["sentiment"], {"id": "7", "statement": text}
    assert variants(task, example, FAIRNESS.values(), seed) == variants(task, example, FAIRNESS.values(), seed)


@given(st.lists(sentences, min_size=1, max_size=5), st.randoms(use_true_random=False))
def test_neither_order_nor_batch_matters(texts, random):
    task, suite = TASKS["sentiment"], builtin(RULES_ONLY)
    examples = [{"id": str(number), "statement": text} for number, text in enumerate(texts)]
    one_by_one = {example["id"]: variants(task, example, suite.values(), 0) for example in examples}
    random.shuffle(examples)
    warm(task, examples, RULES_ONLY)
    assert {example["id"]: variants(task, example, suite.values(), 0) for example in examples} == one_by_one


@given(sentences, st.integers(0, 1000))
def test_new_names_are_injective_and_new(text, seed):
    example = {"id": "7", "statement": text}
    for variant in variants(TASKS["sentiment"], example, [FAIRNESS["name_ethnicity"]], seed):
        mapping = {
            text[edit.start : edit.end]: edit.text
            for edit in variant.edits["statement"]
            if edit.text not in ("a", "an")
        }
        assert len(set(mapping.values())) == len(mapping)
        assert all(new not in text.split() for new in mapping.values())


@given(st.text())
def test_any_text_can_be_read(text):
    example = {"id": "7", "statement": text}
    for variant in variants(TASKS["sentiment"], example, FAIRNESS.values(), 0):
        assert apply_edits(text, variant.edits["statement"]) != text
