import { describe, expect, it, vi } from "vitest";

vi.stubGlobal("window", { location: { origin: "http://localhost" } });
const { wantedIn } = await import("../src/examples/useExamples");

const wanted = (query: string) => wantedIn(new URLSearchParams(query));

describe("the examples that an address asks for", () => {
  it("are all, from the first, where nothing is named", () => {
    expect(wanted("dataset=films")).toEqual({ dataset: "films", version: null, filter: "all", other: "", page: 1 });
  });

  it("differ from another model's only where one is named", () => {
    expect(wanted("dataset=films&filter=differs").filter).toBe("all");
    expect(wanted("dataset=films&filter=differs&other=abc").filter).toBe("differs");
  });

  it("are sound whatever somebody typed", () => {
    expect(wanted("filter=nonsense&page=-3&version=x")).toMatchObject({ filter: "all", page: 1, version: null });
  });
});
