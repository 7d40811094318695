import { expect, test } from "vitest";
import { machineName, machineWords } from "../src/format/machine";

test("a machine is told in words", () => {
  const hardware = { cpu: "A CPU", cores: 2, memory_gib: 24, limits: { threads: 1, memory_bytes: 2 ** 32 } };
  expect(machineWords(hardware)).toBe("A CPU, 2 cores, 24 GiB; 1 thread and 4 GiB for the model");
  expect(machineWords(undefined)).toBe("");
});

test("graphics cards belong to a machine", () => {
  expect(machineName({ cpu: "A CPU", cores: 1, gpus: ["A card"] })).toBe("A CPU, 1 core, A card");
});
