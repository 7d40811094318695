import { expect, test } from "vitest";
import { bytes, columnDecimals, duration, interval, number, percent, signed } from "../src/format/numbers";

test("a number has as many digits as a reader can use", () => {
  expect([1234.5, 123.45, 12.345, 0.1234].map((value) => number(value))).toEqual(["1,235", "123.5", "12.35", "0.123"]);
});

test("a negative number has a minus sign, not a hyphen", () => {
  expect(signed(-0.31)).toBe("−0.310");
  expect(signed(1.2)).toBe("+1.20");
});

test("both ends of an interval have the same decimals", () => {
  expect(interval(9.5, 120)).toBe("9.50 – 120.00");
  expect(interval(null, 1)).toBe("");
});

test("a column's decimals are those of its median", () => {
  expect(columnDecimals([1000, 50, 60])).toBe(2);
});

test("shares, durations and sizes are in words", () => {
  expect(percent(0.256)).toBe("25.6 %");
  expect([0.2, 75, 7500].map(duration)).toEqual(["1 s", "1 min", "2 h 5 min"]);
  expect(bytes(12_900_000)).toBe("12 MiB");
});
