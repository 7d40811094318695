import { describe, expect, it, vi } from "vitest";

vi.stubGlobal("window", { location: { origin: "http://localhost" } });
const { actions, moves } = await import("../src/tasks/useBackfill");
type View = Parameters<typeof actions>[0];

function view(mode: View["mode"], states: string[] = [], held: string[] = []): View {
  const items = states.map((state) => ({ state }));
  return { mode, held, items } as unknown as View;
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
});
