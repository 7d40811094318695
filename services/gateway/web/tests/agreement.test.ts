import { expect, test } from "vitest";
import { agree, inOriginal, normalised, placesOf } from "../src/talk/agreement";

const same = (text: string) => ({ original: text, variant: text, edited: false });
const edit = (original: string, variant: string) => ({ original, variant, edited: true });

test("labels agree when they are equal", () => {
  expect(agree("positive", "positive")).toBe(true);
  expect(agree("positive", "neutral")).toBe(false);
});

test("an answer with a slip in it is read as what it was", () => {
  const context = [same("It was "), edit("opened", "opneed"), same(" in 1987.")];
  expect(inOriginal(context, "opneed in 1987")).toEqual(["opened in 1987"]);
  expect(agree("opened in 1987", "opneed in 1987", context)).toBe(true);
  expect(agree("1987", "opneed in 1987", context)).toBe(false);
});

test("edits before an answer move it, and one that it touches counts as inside", () => {
  const context = [edit("The", "Teh"), same(" bridge by "), edit("James", "Jamal"), same(" Hill")];
  expect(inOriginal(context, "Jamal Hill")).toEqual(["James Hill"]);
  expect(inOriginal(context, "mal Hill")).toEqual(["James Hill"]);
});

test("an answer that is not in the text stands for itself", () => {
  expect(inOriginal([same("Nothing here")], "42")).toEqual(["42"]);
});

test("answers are compared as SQuAD does", () => {
  expect(normalised("The  bridge, in 1987!")).toBe("bridge in 1987");
  expect(agree("the Bridge", "bridge.", [same("Bridge.")])).toBe(true);
});

test("a piece is found without regard to case and blanks only if it does not stand there exactly", () => {
  expect(placesOf("One one", "one")).toEqual([[4, 7]]);
  expect(placesOf("In New\nYork", "new york")).toEqual([[3, 11]]);
  expect(placesOf("abc", " ")).toEqual([]);
});
