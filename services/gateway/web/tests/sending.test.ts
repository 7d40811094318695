import { expect, test } from "vitest";
import { left, sampled, type Sample, speed } from "../src/submissions/pace";
import { ofFile } from "../src/submissions/unfinished";

test("speed is that of the last seconds, and what is left follows from it", () => {
  let samples: Sample[] = [];
  for (let second = 0; second <= 20; second += 1)
    samples = sampled(samples, [second, second < 10 ? 0 : (second - 10) * 100]);
  expect(speed(samples)).toBe(100);
  expect(left(samples, 2000)).toBe(10);
});

test("nothing is said of the speed before half a second", () => {
  expect(speed(sampled([[0, 0]], [0.4, 100]))).toBeNull();
});

test("a part that is sent again does not make a negative speed", () => {
  expect(sampled([[0, 500]], [1, 100])).toEqual([[1, 100]]);
});

test("a chosen file is known again by name, size and time", () => {
  const begun = { submission: "1", task: "nli", name: "a", file: "a.zip", size: 10, modified: 5 };
  expect(ofFile({ name: "a.zip", size: 10, lastModified: 5 }, [begun])).toBe(begun);
  expect(ofFile({ name: "a.zip", size: 10, lastModified: 6 }, [begun])).toBeUndefined();
});
