// Making a clean checkout ready: whoever waits sees how far a long copy is and what setup prints, and nothing afterwards.
import { expect, it } from "vitest";
import type { State } from "../../../src/core/model/state.ts";
import { runInCleanCheckout } from "../../../src/engine/gates/clean/checkout.ts";
import type { World } from "../../../src/engine/world/world.ts";
import { pair } from "../pair.ts";

it("shows the progress of .worktreeinclude and of setup", async () => {
  const notes: string[] = [];
  const discarded: string[] = [];
  const world = {
    tag: "tag",
    clock: { now: () => "2026-01-01T00:00:00.000Z" },
    crashPoint: () => undefined,
    gateEnv: {},
    repo: "/repo",
    paths: {
      worktree: () => "/work/cart",
      clean: () => "/clean/cart",
      output: (_bubble: string, name: string) => `/out/${name}`,
    },
    runtime: { note: async (_bubble: string, _name: string, text: string) => void notes.push(text) },
    scratch: { clear: async () => undefined },
    processes: { run: async () => ({ status: "exited", exitCode: 0, durationMs: 1 }) },
    workspace: {
      clean: {
        make: async () => undefined,
        changed: async () => [],
        discard: async (path: string) => void discarded.push(path),
        include: async (_place: unknown, _path: string, progress: (text: string) => void) => {
          progress(".worktreeinclude: 200 of 400 files copied, 3 MB");
          return { included: [], notes: [] };
        },
      },
    },
    sandboxes: { state: async () => ({ kind: "none" }) },
  } as unknown as World;
  const state: State = pair({ config: { setup: "npm ci" } }).started().state;
  const job = { tree: "T1", signal: new AbortController().signal };
  expect(await runInCleanCheckout(world, state, job, async ({ clean }) => clean)).toEqual({
    included: [],
    setup: "npm ci",
  });
  const shown = notes.map((text) =>
    JSON.parse(text || "[]").map(({ name, says, output }: never) => [name, says ?? output]),
  );
  expect(shown).toEqual([
    [["clean checkout", ".worktreeinclude: 200 of 400 files copied, 3 MB"]],
    [],
    [["setup", "/out/setup-clean.log"]],
    [],
  ]);
  expect(discarded).toEqual(["/clean/cart"]);
});
