// The simulation sees what it is there for: with one rule taken out of the source it finds what the rule prevents.
import { expect, test } from "vitest";
import { bundleSimulation, type PlantedFault } from "./bundle.ts";
import type { SimulationOptions } from "./simulate.ts";

const notReplaced: PlantedFault = {
  file: "core/permission/driver-place.ts",
  rule: 'if (actor.kind !== "driver" || driver === undefined || actor.id === driver.id) return undefined;',
  instead: "return undefined;",
};
const stays: readonly PlantedFault[] = [
  {
    file: "engine/drive/round.ts",
    rule: 'if (isReplaced(known, driver, driving.hasClaimed)) return { state: known, lost: "replaced" };',
    instead: "",
  },
  {
    file: "engine/drive/round.ts",
    rule: 'if (!(await driving.place.beat(beat))) return { state, lost: "replaced" };',
    instead: "await driving.place.beat(beat);",
  },
  {
    file: "engine/drive/place.ts",
    rule: "const { leaseMs = Number.POSITIVE_INFINITY } = runtime;",
    instead: "const leaseMs = Number.POSITIVE_INFINITY + 0 * (runtime.leaseMs ?? 0);",
  },
];
const keepsTheTurn: PlantedFault = {
  file: "core/bubble/decide/driver/turn-end.ts",
  rule: 'if (!turn?.host || !driver || turn.status === "due" || isSameHost(turn.host, driver.host)) return;',
  instead: "return;",
};
const keepsTheWorktree: PlantedFault = {
  file: "core/bubble/due.ts",
  rule: 'if (state.lifecycle === "RUNNING" && isWorktreeElsewhere(state))',
  instead: "if (false as boolean)",
};

/** Machines that only stop for a while and go on: what they say then is what counts. */
const pauses = { faults: ["pausedUntil"] } as const;

const cases: readonly (readonly [string, readonly PlantedFault[], Partial<SimulationOptions>, RegExp])[] = [
  ["a replaced driver's word counts", [notReplaced], pauses, /of a replaced driver on \S+ counts/],
  ["a replaced driver does not leave", stays, {}, /after it lost its place|prompt after prompt|without end/],
  ["a turn outlives its host", [keepsTheTurn], {}, /made tree-\S+ and handed over tree-|made undefined/],
  ["a worktree of an earlier stay is taken as it stands", [keepsTheWorktree], {}, /changes that nobody made/],
  ["machines share an id", [], { planted: "one-host-id" }, /made tree-\S+ and handed over tree-/],
  [
    "reads come from a replica that lags",
    [],
    { planted: "lagging-reads" },
    /is asked, and the answer is refused/,
  ],
];

test.each(cases)("%s: it is seen", { timeout: 120_000 }, async (_title, faults, options, seen) => {
  const { simulate } = await bundleSimulation(faults);
  const found: string[] = [];
  for (let seed = 1; seed <= 8 && !seen.test(found.join("\n")); seed += 1)
    found.push(...(await simulate({ seed, bubbles: 20, hosts: 6, ...options })).violations);
  expect(found.join("\n")).toMatch(seen);
});

test("a fault that is planted nowhere is an error", async () => {
  const nowhere = { file: "core/bubble/due.ts", rule: "no such line", instead: "" };
  await expect(bundleSimulation([nowhere])).rejects.toThrow(/the rule is not once in core\/bubble\/due.ts/);
});
