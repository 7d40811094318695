import { describe, expect, it, vi } from "vitest";

vi.stubGlobal("window", { location: { origin: "http://localhost" } });
const { actions, moves, state } = await import("../src/tasks/useBackfill");
type View = Parameters<typeof actions>[0];

function view(mode: View["mode"], states: string[] = [], held: string[] = []): View {
  const items = states.map((state) => ({ state }));
  const words = {
    sentence: states.length ? "1 model × 1 dataset" : "Nothing is missing.",
    waiting: "2 models × 1 dataset",
  };
  return { mode, held, items, ...words } as unknown as View;
}

describe("a back-fill", () => {
  it("can be paused while it goes by itself", () => {
    expect(actions(view("auto", ["running"]))).toEqual(["pause"]);
  });

  it("can be started where data was held, or a model failed", () => {
    expect(actions(view("auto", [], ["films"]))).toEqual(["start", "pause"]);
    expect(actions(view("auto", ["failed"]))).toEqual(["start", "pause"]);
  });

  it("can be taken up again when it is paused", () => {
    expect(actions(view("paused", ["waits"]))).toEqual(["start", "resume"]);
  });

  it("is looked at again while something runs or will", () => {
    expect(moves(view("auto", ["waits", "queued"]))).toBe(true);
    expect(moves(view("auto", ["waits", "failed"]))).toBe(false);
  });

  it("says what goes on, what waits, or that nothing is missing", () => {
    expect(state(view("auto"))).toBe("Nothing is missing.");
    expect(state(view("paused"))).toBe("Paused. Nothing is missing.");
    expect(state(view("auto", ["running"]))).toBe("1 model × 1 dataset.");
    const waiting = "Waiting for somebody’s word: 2 models × 1 dataset.";
    expect(state(view("auto", ["waits"], ["films"]))).toBe(`${waiting} Held: films.`);
    expect(state(view("auto", ["running", "waits"]))).toBe(`1 model × 1 dataset. ${waiting}`);
  });
});
