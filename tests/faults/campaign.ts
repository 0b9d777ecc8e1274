// Many plays of one bubble, each with its own misfortune, some at the same time; and what went wrong in them.
import { type Outcome, problemsOf } from "./verdict.ts";
import { type Played, type Playing, play } from "./whole-bubble.ts";

const atOnce = 2;

export interface Campaign {
  readonly runs: number;
  /** The different crash points at which somebody was killed. */
  readonly killedAt: ReadonlySet<string>;
  /** One text for each run that did not end as it should. */
  readonly failures: readonly string[];
}

/** The numbers of `count` points, one in each stretch of equal length, of different names where a stretch has one. */
export function spread(points: readonly string[], count: number): number[] {
  const taken = new Set<string>();
  return Array.from({ length: count }, (_, index) => {
    const from = Math.floor((index * points.length) / count);
    const stretch = points.slice(from, Math.floor(((index + 1) * points.length) / count));
    const fresh = Math.max(
      0,
      stretch.findIndex((name) => !taken.has(name)),
    );
    taken.add(stretch[fresh] ?? "");
    return from + fresh + 1;
  });
}

/** Plays them all and tells on stderr how far it is. */
export async function campaign(
  name: string,
  plays: readonly Playing[],
  expected: Outcome,
  /** What else may be wrong with a play. */
  also: (played: Played) => string[] = () => [],
): Promise<Campaign> {
  const waiting = [...plays];
  const failures: string[] = [];
  const killedAt = new Set<string>();
  let done = 0;
  const worker = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const run = await oneRun(next, expected, also);
      if (run.killedAt) killedAt.add(run.killedAt);
      if (run.problems.length > 0)
        failures.push(`point ${next.crashAt} (${run.killedAt}): ${run.problems.join("\n")}`);
      if (run.problems.length > 0) process.stderr.write(`${failures.at(-1)}\n`);
      done += 1;
      if (done % 20 === 0)
        process.stderr.write(`${name}: ${done} of ${plays.length} runs, ${failures.length} failed\n`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return { runs: plays.length, killedAt, failures };
}

async function oneRun(
  playing: Playing,
  expected: Outcome,
  also: (played: Played) => string[],
): Promise<{ killedAt: string | undefined; problems: string[] }> {
  try {
    const played = await play(playing);
    const { killedAt } = played;
    const others = also(played);
    const problems = [...others, ...(await closing(played, expected))];
    const spared = playing.crashAt && !killedAt ? ["nobody was killed"] : [];
    return { killedAt, problems: [...spared, ...problems] };
  } catch (error) {
    return { killedAt: undefined, problems: [(error as Error).message] };
  }
}

/** What is wrong with a play, and an end to its rig. */
export async function closing(played: Played, expected: Outcome): Promise<string[]> {
  try {
    return await problemsOf(played, expected);
  } finally {
    await played.tool.close();
  }
}
