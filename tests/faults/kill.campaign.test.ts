// A whole bubble, killed at one crash point after the other and carried on each time. In `npm test` at a spread
// sample of the points; with PAIRFLOW_SOAK=1 at every one.
import { expect, test } from "vitest";
import { type Outcome, outcomeOf, problemsOf } from "./verdict.ts";
import { type Played, play } from "./whole-bubble.ts";

const soak = process.env.PAIRFLOW_SOAK === "1";
const sampleSize = 10;
const atOnce = 2;
const hour = 3_600_000;

test("killed at any crash point and carried on, a bubble ends as if nobody had been killed", {
  timeout: soak ? 6 * hour : 180_000,
}, async () => {
  const calm = await play();
  const expected = outcomeOf(calm);
  const total = calm.points.length;
  expect(await closing(calm, expected)).toEqual([]);
  expect(total, calm.points.join("\n")).toBeGreaterThanOrEqual(100);

  const left = soak ? spread(total, total) : spread(total, sampleSize);
  const runs = left.length;
  const failures: string[] = [];
  const names = new Set<string>();
  let done = 0;
  const worker = async () => {
    for (let at = left.shift(); at !== undefined; at = left.shift()) {
      const { killedAt, problems } = await killedRun(at, expected);
      names.add(killedAt ?? "");
      if (problems.length > 0) failures.push(`point ${at} (${killedAt}): ${problems.join("\n")}`);
      done += 1;
      if (problems.length > 0) process.stderr.write(`${failures.at(-1)}\n`);
      if (soak && done % 20 === 0)
        process.stderr.write(`${done} of ${runs} runs, ${failures.length} failed\n`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  process.stderr.write(
    `${total} crash points in a whole bubble; killed at ${runs} of them (${names.size} names), ${failures.length} failed\n`,
  );
  expect(failures.join("\n\n")).toBe("");
});

/** `count` numbers between 1 and `total`, evenly spread. */
function spread(total: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => Math.ceil(((index + 0.5) * total) / count));
}

async function killedRun(
  at: number,
  expected: Outcome,
): Promise<{ killedAt: string | undefined; problems: string[] }> {
  try {
    const played = await play(at);
    const problems = await closing(played, expected);
    return { killedAt: played.killedAt, problems: played.killedAt ? problems : ["nobody was killed"] };
  } catch (error) {
    return { killedAt: undefined, problems: [(error as Error).message] };
  }
}

async function closing(played: Played, expected: Outcome): Promise<string[]> {
  try {
    return await problemsOf(played, expected);
  } finally {
    await played.tool.close();
  }
}
