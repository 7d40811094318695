import { expect, test } from "vitest";
import { isRight } from "../src/components/isRight";

test("an answer is right if it is among those accepted", () => {
  expect(isRight("negative", ["positive", "negative"])).toBe(true);
  expect(isRight("neutral", ["positive", "negative"])).toBe(false);
});

test("neither case, punctuation, articles nor blanks count", () => {
  expect(isRight("the  Eiffel Tower.", ["Eiffel tower"])).toBe(true);
  expect(isRight("sunset", ["after sunset"])).toBe(false);
});

test("signs and nothing at all are right only to the letter", () => {
  expect(isRight("+", ["-"])).toBe(false);
  expect(isRight("+", ["+"])).toBe(true);
  expect(isRight("", ["the"])).toBe(false);
});
