"""The contractions of English, and where their long and short forms may stand. Facts of grammar as data. Pure."""

import re


def _list(words: str) -> list[str]:
    return words.split()


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


SUBJECTS = _list("I you he she it we they that there here what who where when why how")
LONG = {"m": "am", "re": "are", "s": "is", "ll": "will", "d": "would", "ve": "have"}
SHORT = {"am": "'m", "are": "'re", "is": "'s", "will": "'ll", "would": "'d", "have": "'ve"}
# Which of these forms English has for each subject.
FORMS = {
    "am": frozenset(["i"]),
    "are": _set("you we they"),
    "is": _set("he she it that there here what who where when why how"),
    "will": _set("i you he she it we they that there who"),
    "would": _set("i you he she it we they that there who"),
    "have": _set("i you we they"),
}
# TextFlint 0.1.0 has no phrase with these.
OURS = frozenset(["will", "have"])
NEGATED = _list("are could did do does had has have is might must need should was were would")
IRREGULAR = {"wo": "will", "ca": "can", "sha": "shall"}

# A blank may stand before a clitic: treebanks write "is n't".
EXPANDABLE = re.compile(
    rf"\b(?:(?P<verb>{'|'.join([*NEGATED, *IRREGULAR])})[ ]?n['’]t"
    rf"|(?P<subject>{'|'.join(SUBJECTS)})[ ]?['’](?P<form>m|re|s|ll|d|ve)"
    rf"|(?P<modal>would|could|should|might|must)[ ]?['’]ve)\b",
    re.IGNORECASE,
)
# What comes second in a phrase that can be contracted, and what may come first.
SECOND = re.compile(r"[ ](?P<word>not|am|are|is|will|would|have)\b|(?<=can)(?P<joined>not)\b", re.IGNORECASE)
FIRST = re.compile(rf"\b(?:(?P<verb>{'|'.join([*NEGATED, 'will', 'can'])})|(?P<subject>{'|'.join(SUBJECTS)}))\Z", re.I)
LONGEST_FIRST = max(map(len, [*NEGATED, *SUBJECTS])) + 1
NEXT_WORDS = re.compile(r"[ ]+(\w+)(?:['’]\w+)?(?:[ ]+(\w+))?")

# Participles after which 'd was "had"; those that are also a present tense (come, put) say nothing.
PARTICIPLES = _set(
    "been begun better bought broken brought built caught chosen done driven eaten fallen felt forgotten found given "
    "gone got gotten grown had heard held kept known learned left lost made meant met paid seen sent shown spoken "
    "stolen taken taught thought told understood won written"
)
# After 's these take "has"; other participles may as well follow "is" ("it's made of wood").
HAS = _set("been got gotten had become")
ADVERBS = _set("already also always ever just long never not now often only once really since still")
PRONOUNS = _set("i you he she it we they this that")
QUESTION_WORDS = _set("why where when how and but so or then")
# After these a clause may have lost a part, and its verb keeps its stress: "than I am", "what it is like".
GAPS = _set("than as what whatever who whoever how however where wherever which")
