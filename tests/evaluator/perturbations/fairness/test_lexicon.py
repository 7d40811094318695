"""The lexicon is what its README says."""

from collections import Counter

from services.evaluator.perturbations.fairness.lexicon import GROUPS, familiar_entities, lexicon
from services.evaluator.perturbations.robustness.words import common_words

AMBIGUOUS = frozenset(
    {"yolanda", "brenda", "dana", "tracy", "leslie", "will", "grace", "hope", "may", "in", "an", "young", "german"}
    | {"virginia", "jordan", "mark", "karen"}
)


def test_each_group_has_enough_names_of_each_gender():
    sizes = Counter((name.group, name.gender) for name in lexicon().names.values())
    assert set(sizes) == {(group, gender) for group in GROUPS for gender in ("female", "male")}
    assert min(sizes.values()) >= 30


def test_ambiguous_names_are_neither_replaced_nor_drawn():
    assert not AMBIGUOUS & lexicon().names.keys()


def test_the_papers_lists_are_kept_for_its_own_draw():
    sizes = Counter(name.group for name in lexicon().paper_names.values())
    assert sizes.total() == 743  # 745 rows of the source lists; Yolanda and Brenda are in two
    assert min(sizes.values()) >= 115
    assert {"in", "may", "james"} <= lexicon().paper_names.keys()


def test_every_gendered_word_has_one_partner_of_the_other_gender():
    for word, (partner, gender) in lexicon().partners.items():
        back = lexicon().partners.get(partner)
        assert back is None or back[1] != gender, word


def test_no_phrase_is_listed_twice_and_each_holds_a_gendered_word():
    assert sum(len(phrases) for phrases in lexicon().phrases.values()) > 300


def test_no_name_is_both_swapped_and_left_alone():
    assert not lexicon().names.keys() & lexicon().other_names


def test_few_names_are_common_words():
    words = lexicon().names.keys() & common_words()
    assert len(words) < 25, sorted(words)  # Bob, Harry, Mike: names first of all


def test_the_gazetteer_knows_the_familiar():
    entities = {entity for _, entity in familiar_entities()}
    assert {"Red Robin", "Paris Hilton", "Washington", "Jordan", "Chelsea", "Virginia", "Barack Obama"} <= entities
