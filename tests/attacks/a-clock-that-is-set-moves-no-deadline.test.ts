// The wall clock may be wrong, and may be set while a turn runs. What was waited is measured; a log that lies in the future
// is said to, and is not waited for.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { formatTime, parseTime } from "../../src/core/model/value/time.ts";
import { Stopwatch, sleepFor } from "../../src/engine/world/stopwatch.ts";
import { type Rig, rig } from "../acceptance/rig.ts";
import { hangingTurn } from "../faults/scene.ts";

const day = 86_400_000;
const start = parseTime("2026-01-05T09:00:00.000Z");

/** A clock of two hands: the one that is set, and the one that continues. */
function handClock() {
  let [wall, steady] = [start, 1000];
  return {
    now: () => formatTime(wall),
    steady: () => steady,
    sleep: async (ms: number) => {
      wall += ms;
      steady += ms;
    },
    set: (ms: number) => {
      wall += ms;
    },
  };
}

describe("what is measured", () => {
  const age = (watch: Stopwatch, seen: string, moment: number, now: number) =>
    watch.since("turn", { seen, moment, now });

  it.each([400 * day, -400 * day])(
    "grows by what has passed when the clock is set by %i ms",
    async (jump) => {
      const clock = handClock();
      const watch = new Stopwatch(clock);
      expect(age(watch, "t1", start - 5000, start)).toBe(5000);
      clock.set(jump);
      await clock.sleep(60_000);
      expect(age(watch, "t1", start - 5000, parseTime(clock.now()))).toBe(65_000);
    },
  );

  it("is never longer ago than the last look, when it is new since then", async () => {
    const clock = handClock();
    const watch = new Stopwatch(clock);
    age(watch, "t1", start, start);
    await clock.sleep(1000);
    clock.set(400 * day);
    expect(age(watch, "t2", start + 500, parseTime(clock.now()))).toBe(1000);
  });

  it("is nothing for a moment that lies in the future, and grows from then on", async () => {
    const clock = handClock();
    const watch = new Stopwatch(clock);
    expect(age(watch, "t1", start + 400 * day, start)).toBe(0);
    await clock.sleep(60_000);
    expect(age(watch, "t1", start + 400 * day, parseTime(clock.now()))).toBe(60_000);
  });

  it("a sleep ends when its time has passed, however the clock is set meanwhile", async () => {
    for (const jump of [day, -day]) {
      const clock = handClock();
      const before = clock.steady();
      let slices = 0;
      const sleep = async (ms: number) => {
        if (slices++ === 1) clock.set(jump);
        await clock.sleep(ms);
      };
      await sleepFor({ clock: { ...clock, sleep } }, 3_600_000, new AbortController().signal);
      expect(clock.steady() - before).toBe(3_600_000);
    }
  });
});

describe("a bubble that was started while the clock was 400 days ahead", () => {
  let tool: Rig;
  afterEach(() => tool.close());

  it("keeps its watchdog's time, and status, verify and doctor say that its log lies in the future", async () => {
    const plain = rig();
    const shift = join(plain.folder, "clock-shift");
    writeFileSync(shift, String(400 * day));
    tool = plain.with({ PAIRFLOW_CLOCK_SHIFT_FILE: shift });
    await hangingTurn(tool);
    writeFileSync(shift, "0");
    const status = await tool.status("b1");
    expect(status.watchdog?.fires_in_ms).toBeLessThanOrEqual(60 * 60_000);
    expect(status.log_ahead_ms).toBeGreaterThan(399 * day);
    const { stdout } = await tool.run("bubble", "status", "--id", "b1");
    expect(stdout).toMatch(
      /the newest line lies 399 d .*in the future|the newest line lies 400 d.*in the future/,
    );
    expect(stdout).not.toMatch(/watchdog in \d{3,}:/);
    const verified = await tool.run("verify", "--id", "b1");
    expect(verified.stdout + verified.stderr).toMatch(/in the future by the clock of this machine/);
    expect(verified.code).toBe(0);
    expect((await tool.run("doctor")).stdout).toMatch(/record of b1 continues to .* in the future/);
  });
});
