// Every call that every command makes to the disk fails once with each code. The suite has a sample of these.
import { expect, it } from "vitest";
import { codes, kinds, problemsOf, stageOf } from "../attacks/disk/one-call-fails.ts";

it.each(Object.keys(kinds))(
  "%s: every word of it is so, and nothing counts twice",
  async (verb) => {
    const stage = await stageOf(verb);
    try {
      const { calls } = await stage.type();
      const found: string[] = [];
      for (let nth = 1; nth <= calls.length; nth += 1)
        for (const code of codes) {
          if (code === "SHORT" && !calls[nth - 1]?.startsWith("write")) continue;
          found.push(...(await problemsOf(stage, { nth, code })));
        }
      expect(found).toEqual([]);
    } finally {
      await stage.close();
    }
  },
  7_200_000,
);
