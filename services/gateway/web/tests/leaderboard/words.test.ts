import { describe, expect, it } from "vitest";
import { threeDigits, worth } from "../../src/leaderboard/exchange";
import { paretoFront, placedNames, type Point } from "../../src/tradeoffs/front";
import { inside, middle, weightsAt } from "../../src/tradeoffs/plane";

describe("exchange rates in words", () => {
  it("take a unit that makes a number of everyday size", () => {
    expect(worth("throughput", "performance", 4.9)).toBe(
      "1 example a second more is worth 0.204 points of performance",
    );
    expect(worth("throughput", "performance", 5320)).toBe(
      "1,000 examples a second more are worth 0.188 points of performance",
    );
    expect(worth("memory", "performance", 12)).toBe("1 GiB less is worth 0.083 points of performance");
    expect(worth("memory", "performance", 0.000213)).toBe("1 MiB less is worth 4.58 points of performance");
    expect(worth("fairness", "performance", 1)).toBe("1 point of fairness is worth 1.00 point of performance");
  });

  it("have three digits", () => {
    expect([1234.5, 56.78, 1.234, 0.0123, 0.00012, 0].map(threeDigits)).toEqual([
      "1,235",
      "56.8",
      "1.23",
      "0.012",
      "0.00012",
      "0.000",
    ]);
  });
});

describe("trade-offs", () => {
  const point = (id: string, x: number, y: number): Point => ({
    id,
    name: id,
    x,
    y,
    xLow: null,
    xHigh: null,
    yLow: null,
    yHigh: null,
  });
  const points = [point("a", 1, 9), point("b", 2, 8), point("c", 1, 8), point("d", 3, 1)];

  it("keep the models that nobody beats", () => {
    expect(paretoFront(points, 1, 1).map(({ id }) => id)).toEqual(["a", "b", "d"]);
    expect(paretoFront(points, -1, 1).map(({ id }) => id)).toEqual(["a"]);
  });

  it("name points only where names cover no other", () => {
    const spots = Array.from({ length: 9 }, () => ({ name: "a-long-name", px: 200, py: 100 }));
    expect(placedNames(spots, 600)).toHaveLength(4);
  });
});

describe("the plane of two weights", () => {
  it("keeps a place within the weights there are", () => {
    expect(inside([0.8, 0.8])).toEqual([0.5, 0.5]);
    expect(inside([-1, 0.3])).toEqual([0, 0.3]);
  });

  it("shares the rest as the others do", () => {
    expect(weightsAt([0.5, 0.1], ["performance", "memory"], { fairness: 0.75, robustness: 0.25 })).toEqual({
      performance: 5,
      memory: 1,
      fairness: 3,
      robustness: 1,
    });
  });

  it("finds the middle of a region", () => {
    expect(
      middle([
        [0, 0],
        [1, 0],
        [1, 1],
        [0, 1],
      ]),
    ).toEqual([0.5, 0.5]);
  });
});
