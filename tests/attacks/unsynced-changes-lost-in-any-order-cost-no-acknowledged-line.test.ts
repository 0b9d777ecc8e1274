// Every change that the commands make to the records is journaled, then the power is cut between any two of them, and any
// part of what was not synced is lost. Whatever is left has every acknowledged line, and all that the lines name.
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Journaled, playJournaled } from "./disk/journaled.ts";
import { dieOf, type Moment, problemsAfter } from "./disk/power-cut.ts";
import type { Change } from "./disk/volume.ts";

let played: Journaled;
beforeAll(async () => {
  played = await playJournaled();
}, 180_000);
afterAll(() => played?.tool.close());

/** What the first moment that goes wrong shows. */
async function firstProblem(journaled: Journaled, moments: readonly Moment[]): Promise<unknown> {
  for (const moment of moments) {
    const problems = await problemsAfter(journaled, moment);
    if (problems.length > 0) return { ...moment, change: journaled.changes[moment.at - 1], problems };
  }
  return undefined;
}

const without = (isLeftOut: (change: Change) => boolean): Journaled => ({
  ...played,
  changes: played.changes.filter((change) => !isLeftOut(change)),
});

it.each([
  "bubble create",
  "bubble start",
  "bubble reply",
  "bubble request-rework",
  "bubble approve",
  "bubble commit",
  "bubble stop",
  "bubble delete",
])("%s: what it acknowledged is there, whatever was not synced", async (command) => {
  const ends = played.typed.filter((one) => one.command === command);
  expect(ends.length).toBeGreaterThan(0);
  const moments = ends.flatMap(({ at }) =>
    (["none", "all", 1, 2, 3, 4] as const).map((kept) => ({ at, kept })),
  );
  expect(await firstProblem(played, moments)).toBeUndefined();
});

it("agents' verbs: what each acknowledged is there, whatever was not synced", async () => {
  const said = played.changes.flatMap(({ op }, index) => (op === "say" ? [index + 1] : []));
  const agents = said.filter((at) => !played.typed.some((one) => one.at === at));
  expect(agents.length).toBeGreaterThan(6);
  const moments = agents.filter((_, index) => index % 4 === 0).map((at) => ({ at, kept: "none" as const }));
  expect(await firstProblem(played, moments)).toBeUndefined();
}, 120_000);

it("between any two changes, a sample: the record verifies, and the next command can build on it", async () => {
  const dice = dieOf(12);
  const moments = Array.from({ length: 40 }, (_, index) => ({
    at: 1 + Math.floor(dice() * played.changes.length),
    kept: index,
  }));
  expect(await firstProblem(played, moments)).toBeUndefined();
}, 120_000);

it("would see a transcript that is not synced", async () => {
  const unsynced = without(
    ({ op, ...rest }) => op === "fsync" && "path" in rest && rest.path.endsWith(".ndjson"),
  );
  const at = unsynced.changes.length;
  expect(await firstProblem(unsynced, [{ at, kept: "none" }])).toMatchObject({
    problems: expect.arrayContaining([expect.stringContaining("acknowledged and lost")]),
  });
});

it("would see artifacts whose names are not synced", async () => {
  const unsynced = without(
    ({ op, ...rest }) => op === "fsync" && "path" in rest && rest.path.endsWith("/messages"),
  );
  const at = unsynced.changes.length;
  expect(await firstProblem(unsynced, [{ at, kept: "none" }])).toMatchObject({
    problems: expect.arrayContaining([expect.stringContaining("which is not there")]),
  });
});

it("would see artifacts whose bytes are not synced", async () => {
  const unsynced = without(
    ({ op, ...rest }) => op === "fsync" && "path" in rest && rest.path.includes("/.tmp-"),
  );
  const at = unsynced.changes.length;
  expect(await firstProblem(unsynced, [{ at, kept: "none" }])).toMatchObject({
    problems: expect.arrayContaining([expect.stringContaining("with another hash")]),
  });
});

it("would see settings and records put away whose names are not synced", async () => {
  const isFolder = (path: string) => /\/(?:bubbles\/b1|bubbles|archive)$/.test(path);
  const unsynced = without(({ op, ...rest }) => op === "fsync" && "path" in rest && isFolder(rest.path));
  const at = unsynced.changes.length;
  expect(await firstProblem(unsynced, [{ at, kept: "none" }])).toMatchObject({
    problems: expect.arrayContaining([expect.stringMatching(/acknowledged and lost|no bubble\.toml/)]),
  });
});
