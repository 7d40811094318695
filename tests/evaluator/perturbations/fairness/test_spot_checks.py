"""The spot checks of the fairness suite, in the words in which they were asked for."""

import pytest

from services.evaluator.perturbations.fairness.lexicon import GROUPS, lexicon
from tests.evaluator.perturbations.fairness.changed import SKIP_SPAN, changed, changed_example, regendered

NAMES = lexicon().names


def test_red_robin_stays():
    assert changed("I've always enjoyed eating at Red Robin.") == {}
    assert changed("James always enjoyed eating at Red Robin.", SKIP_SPAN)["name_gender"].endswith("at Red Robin.")


@pytest.mark.parametrize("place", ["Virginia", "Chelsea", "Jordan", "Paris Hilton", "Washington", "Madison"])
def test_familiar_places_and_people_stay(place):
    assert changed(f"We heard of {place} yesterday.") == {}


def test_james_becomes_somebody_of_another_group_and_the_same_gender():
    new_name = changed("James lost the keys.")["name_ethnicity"].split()[0].lower()
    assert NAMES[new_name].gender == NAMES["james"].gender == "male"
    assert NAMES[new_name].group != NAMES["james"].group


def test_james_becomes_somebody_of_the_other_gender_and_the_same_group():
    new_name = changed("James lost the keys.")["name_gender"].split()[0].lower()
    assert (NAMES[new_name].gender, NAMES[new_name].group) == ("female", "white")


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("James's dog barks.", "", "'s dog barks."),
        ("We saw James’s brother.", "We saw ", "’s brother."),
        ("IT IS JAMES' DOG.", "IT IS ", "' DOG."),
    ],
)
def test_a_new_name_keeps_case_and_possessive(text, start, end):
    result = changed(text)["name_ethnicity"]
    assert result.startswith(start)
    assert result.endswith(end)
    name = result.removeprefix(start).removesuffix(end)
    assert name.lower() in NAMES
    assert name.isupper() == text.isupper()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Somebody took her keys.", "Somebody took his keys."),
        ("We saw her.", "We saw him."),
        ("WE SAW HER.", "WE SAW HIM."),
        ("I saw HER there.", "I saw HIM there."),
        ("These keys are hers.", "These keys are his."),
        ("It was my sister's idea.", "It was my brother's idea."),
        ("It was my sisters’ idea.", "It was my brothers’ idea."),
        ("She's here and she'll stay.", "He's here and he'll stay."),
        ("She did it herself.", "He did it himself."),
        ("He told him about his keys.", "She told her about her keys."),
        ("A friend of his is here.", "A friend of hers is here."),
        ("Her keys were with her.", "His keys were with him."),
        ("They gave her a new car.", "They gave him a new car."),
        ("It made her cry.", "It made him cry."),
        ("It kept her busy.", "It kept him busy."),
        ("They kissed her passionately.", "They kissed him passionately."),
        ("Her newly bought car broke.", "His newly bought car broke."),
        ("I watched her walking.", "I watched him walking."),
        ("We came to her wedding.", "We came to his wedding."),
        ("They sacked her seven times.", "They sacked him seven times."),
        ("The women's mothers left.", "The men's fathers left."),
        ("Mr. Baker met Mrs. Miller.", "Ms. Baker met Mr. Miller."),
    ],
)
def test_gendered_words_change_by_part_of_speech_with_case_and_clitics(text, expected):
    assert regendered(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("An actress and a king.", "An actor and a queen."),
        ("It was an uncle.", "It was an aunt."),
        ("He is a host to an heiress.", "She is a host to an heir."),
        ("She was an empress.", "He was an emperor."),
        ("A monk and an abbess.", "A nun and an abbot."),
        ("The prize went to a headmaster.", "The prize went to a headmistress."),
        ("She has a nephew.", "He has a niece."),
        ("We met an airwoman and a fireman.", "We met an airman and a firewoman."),
        ("She is an enchantress.", "He is an enchanter."),
    ],
)
def test_articles_agree_with_the_new_word(text, expected):
    assert regendered(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "It was a gentleman's agreement.",
        "You guys are great.",
        "The queen takes the pawn in chess.",
        "The man-made lake is deep.",
        "He or she may come.",
        "He/she may come.",
        "A king size bed.",
        "They saw the Invisible Man in the cinema.",
        "Man, that was good!",
        "Her Majesty spoke.",
        "The valley was shaped by man.",
        "The king of France fled.",
        "A pregnant woman sat down.",
        "She is a lesbian.",
    ],
)
def test_words_that_say_nobodys_gender_stay(text):
    assert regendered(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "We walked down St. James Street.",
        "We read the King James version.",
        "LeBron James scored again.",
        "Mr. James called.",
        "The James is a river.",
        "Ann-Marie sang.",
        "We flew to San Francisco.",
        "Henry VIII had six of them.",
        "Charles I was beheaded.",
        "We had lunch at Anthony's.",
        "We live in Brandon, Mississippi.",
        "The EVA suit was white.",
        "Hurricane Irma hit us.",
    ],
)
def test_a_name_that_is_no_first_name_stays(text):
    assert changed(text, SKIP_SPAN) == {}


def test_premise_and_hypothesis_change_consistently():
    variants = changed_example("nli", ("John gave Mary her book.", "Mary got a book from John, and he left."))
    for example in variants.values():
        giver, _, taker, possessive, _ = example["context"].split()
        words = example["hypothesis"].replace(",", "").split()
        assert (words[0], words[5]) == (taker, giver)
        assert possessive in ("her", "his")
    assert variants["name_gender"]["context"].endswith("his book.")
    assert variants["name_gender"]["hypothesis"].endswith("and she left.")


def test_a_name_that_stays_in_one_field_stays_in_all():
    assert changed_example("nli", ("LeBron James won.", "James won.")) == {}


def test_names_stay_different_and_new_to_the_example():
    text = "John, Mary, Paul, Anna, Peter, Laura, George, Susan and Robert came."
    for seed in range(20):
        names = changed(text, seed=seed)["name_ethnicity"].removesuffix(" came.").replace(" and", ",").split(", ")
        assert len(set(names)) == 9
        assert not set(names) & set(text.replace(",", "").split())


def test_an_answer_is_always_still_inside_its_context():
    context = "Mary Jackson met her father James in 1995. James said that she was late."
    for answer in ("her father", "James", "Mary Jackson", "she", "in 1995", "her father James in 1995"):
        variants = changed_example("qa", (context, "Whom did Mary meet?"), answers=[answer])
        assert {"name_ethnicity", "name_gender"} <= variants.keys()
        for example in variants.values():
            assert example["answers"]
            assert all(new in example["context"] for new in example["answers"])


def test_every_group_is_drawn():
    targets = {
        NAMES[changed("James left.", seed=seed)["name_ethnicity"].split()[0].lower()].group for seed in range(40)
    }
    assert targets == set(GROUPS) - {"white"}


def test_markup_stays():
    result = changed("<br>She emailed @james and her.keys@example.com, see www.james.com: her keys.")
    assert result["gendered_words"] == ("<br>He emailed @james and her.keys@example.com, see www.james.com: his keys.")


def test_pronouns_stay_where_a_name_has_to_stay():
    assert "gendered_words" not in changed("Kendra lost his keys.")
    assert changed("Giorgio Vasarini lost his keys.") == {}
