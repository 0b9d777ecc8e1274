// The power is cut behind every single change of the records of two bubbles: nothing unsynced kept, all of it, and eight
// random parts of it. The suite has a sample of these.
import { expect, it } from "vitest";
import { playJournaled } from "../attacks/disk/journaled.ts";
import { problemsAfter } from "../attacks/disk/power-cut.ts";

it("every acknowledged line is there, and everything that lines name, at every moment", async () => {
  const played = await playJournaled();
  try {
    const found: unknown[] = [];
    for (let at = 1; at <= played.changes.length; at += 1)
      for (const kept of ["none", "all", 1, 2, 3, 4, 5, 6, 7, 8] as const) {
        const problems = await problemsAfter(played, { at, kept });
        if (problems.length > 0) found.push({ at, kept, change: played.changes[at - 1], problems });
      }
    expect(found).toEqual([]);
  } finally {
    await played.tool.close();
  }
}, 3_600_000);
