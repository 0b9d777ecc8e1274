// The rule of damage on generated histories: what races, kills and short writes leave is never called damage, and a
// changed line always is, unless the same lines count as before.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Fold } from "../../src/adapters/log/fold.ts";
import { fileStorage, type HeadPosition, startPlace } from "../../src/adapters/log/head-position.ts";
import { chainLines } from "../../src/adapters/log/line.ts";
import type { Envelope } from "../../src/core/model/record/envelope.ts";
import type { LogTrouble } from "../../src/ports/record/log.ts";
import { buildMessages } from "../../src/testing/messages.ts";
import { type Mutation, mutations, splitFileLines } from "../helpers/damage.ts";

const runs = Number(process.env.RUNS ?? 150);

interface Seen {
  readonly accepted: readonly string[];
  readonly places: readonly HeadPosition[];
  readonly head: HeadPosition;
  readonly isTorn: boolean;
  readonly trouble: LogTrouble | undefined;
}

/** What a reader of these bytes makes of them. */
function read(file: Buffer): Seen {
  const fold = new Fold(fileStorage, "b1", startPlace);
  const accepted: Envelope[] = [];
  const places: HeadPosition[] = [];
  let from = 0;
  for (let to = file.indexOf(10); to !== -1; to = file.indexOf(10, from)) {
    fold.take(file.subarray(from, to), from);
    const found = fold.drain();
    if (found?.envelopes.length) places.push(fold.head);
    accepted.push(...(found?.envelopes ?? []));
    from = to + 1;
  }
  const tail = file.subarray(from);
  fold.end(tail.length > 0 ? tail : undefined);
  return {
    accepted: accepted.map((one) => JSON.stringify(one)),
    ...{ places, head: fold.head, isTorn: tail.length > 0, trouble: fold.trouble },
  };
}

/** One thing that happens: a writer looks, or writes behind what it last saw, all of its bytes or some of them. */
interface Step {
  readonly writer: number;
  readonly does: "look" | "write";
  readonly lines: number;
  /** How much of the write reaches the file; 1 is all. */
  readonly share: number;
  /** Whether the writer lives to see that nobody's line counts, and writes again. */
  readonly lives: boolean;
}

const step: fc.Arbitrary<Step> = fc.record({
  writer: fc.nat(2),
  does: fc.constantFrom("look" as const, "write" as const, "write" as const),
  lines: fc.integer({ min: 1, max: 3 }),
  share: fc.oneof(
    { weight: 3, arbitrary: fc.constant(1) },
    { weight: 1, arbitrary: fc.double({ min: 0, max: 1, noNaN: true }) },
  ),
  lives: fc.boolean(),
});

/** Every state the file goes through, also in the middle of each write. */
function play(steps: readonly Step[], onFile: (file: Buffer) => void = () => {}): Buffer {
  let file = Buffer.alloc(0);
  const views = new Map<number, Seen>();
  const append = (bytes: Buffer) => {
    for (const cut of [2, bytes.length >> 1, bytes.length - 1])
      if (cut > 1 && cut < bytes.length) onFile(Buffer.concat([file, bytes.subarray(0, cut)]));
    file = Buffer.concat([file, bytes]);
    onFile(file);
  };
  for (const [index, { writer, does, lines, share, lives }] of steps.entries()) {
    if (does === "look") views.set(writer, read(file));
    else {
      const view = views.get(writer) ?? read(file);
      const { head } = view;
      const texts = Array.from({ length: lines }, (_, i) => `${index}.${i}`);
      const made = chainLines(
        buildMessages("b1", { seq: head.seq }, `c${index}`, texts),
        head.seq,
        head.hash,
      );
      const whole = Buffer.concat(made.flatMap(({ bytes }) => [bytes, Buffer.from("\n")]));
      const put = (isTorn: boolean, part: number) => {
        const bytes = isTorn ? Buffer.concat([Buffer.from("\n"), whole]) : whole;
        const length = Math.floor(bytes.length * part);
        // A write ends in the middle at a page's end, and pages do not begin behind a torn line.
        append(bytes.subarray(0, length === 1 ? 0 : length));
      };
      put(view.isTorn, share);
      const after = read(file);
      if (share === 1 && lives && after.head.seq === head.seq) put(after.isTorn, 1);
      views.delete(writer);
    }
  }
  return file;
}

describe("what races and kills leave", () => {
  test("is never called damage, at no moment", () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 14 }), (steps) => {
        play(steps, (file) => expect(read(file).trouble, file.toString()).toBeUndefined());
      }),
      { numRuns: runs * 2 },
    );
  });
});

/** Whether a reader who had seen the whole file before would notice: the line it stood on is not there any more. */
function standsOn(seen: Seen, { head }: Seen): boolean {
  return seen.places.some((place) => place.hash === head.hash && place.offset === head.offset);
}

/** Fails unless every change of a line is seen, or the same lines count as before. `newest`: where only a cache sees it. */
function everyLine(file: Buffer, mutate: Mutation, dice: number, newest: (before: Seen) => number): void {
  const before = read(file);
  const lines = splitFileLines(file);
  for (const [at, line] of lines.entries()) {
    const changed = line.length < 3 ? undefined : mutate(lines, at, dice);
    if (!changed) continue;
    const after = read(Buffer.concat(changed));
    const isSame = after.accepted.join() === before.accepted.join();
    const isNewest = at >= newest(before);
    const isSeen = after.trouble !== undefined || (isNewest && !standsOn(after, before));
    expect(isSame || isSeen, `line ${at + 1} of\n${file}`).toBe(true);
  }
}

describe.each(Object.entries(mutations))("%s", (_name, mutate) => {
  test("is seen at every line of a history with races and kills, or the same lines count as before", () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 3, maxLength: 14 }), fc.nat(2 ** 30), (steps, dice) => {
        // Behind the newest batch stands nothing that would show it: there the cache, which knows the head, does.
        everyLine(play(steps), mutate, dice, ({ places }) => places.at(-2)?.line ?? 0);
      }),
      { numRuns: runs },
    );
  });

  test("is seen at every line of a history without races by the log alone, but for the newest line", () => {
    const steady = Array.from({ length: 9 }, (_, i) => ({
      ...{ writer: i, does: "write" as const, lines: 1 + (i % 3), share: 1, lives: true },
    }));
    const file = play(steady);
    for (let dice = 0; dice < 400; dice += 7)
      everyLine(file, mutate, dice, () => splitFileLines(file).length - 1);
  });
});
