// How a machine is shown to people: one that nobody has heard of for longer than a lease is not said to be at work.
import { expect, test } from "vitest";
import { renderHost } from "../../src/cli/commands/machines/hosts.ts";

const beatAt = "2026-01-02T03:04:05.000Z";
const host = {
  ...{ host: "build~1f2e3d4c", labels: ["gpu", "has-codex"], concurrency: 2, version: "0.1.0", pid: 7 },
  ...{ driving: ["fix-cart"], startedAt: beatAt, beatAt },
};
const shown = (afterMs: number) => renderHost(host, Date.parse(beatAt) + afterMs, 30_000);

test("a machine that is heard of, and one that is not", () => {
  expect(shown(4000)).toBe("build~1f2e3d4c  1 of 2, heard 4 s ago  gpu has-codex\n  fix-cart");
  expect(shown(45_000)).toContain("1 of 2, not heard of for 45 s: others take what it drove");
});
