// Every key of bubble.toml is read by somebody: with another value something that people or agents meet is different.
// The list of keys comes from the schema, so a key that nobody reads fails here.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { packageRoot } from "../../src/app/host/package-root.ts";
import { BubbleConfig } from "../../src/core/model/config.ts";
import { readers, withKey } from "./bubble-readers.ts";
import { keysOf } from "./keys.ts";

/** Keys that are read where a test in memory does not reach, with the test that does; or that have one value only. */
const elsewhere: Readonly<Record<string, { readonly because: string; readonly test?: string }>> = {
  quality_mode: { because: "has one value; the other one of the specification is refused with the reason" },
  commit_requires_approval: { because: "has one value; the other one is refused with the reason" },
  sandbox_home: {
    because: "is mounted for confined programs",
    test: "tests/attacks/a-lying-test-in-a-gate-cannot-approve.test.ts",
  },
  implements: { because: "reads another bubble's record", test: "tests/cli/implements.test.ts" },
  require_document: {
    because: "is asked when a bubble is created",
    test: "tests/cli/create-confirm.test.ts",
  },
  "review.min_confidence": {
    because: "is compared with what a verdict says",
    test: "tests/core/review/integrity.test.ts",
  },
  "review.context_chars": {
    because: "bounds what a critic is told, with the project's SOPs",
    test: "tests/cli/implements.test.ts",
  },
};

describe("every key of bubble.toml", () => {
  it("has a reader, or says why not", () => {
    const known = [...Object.keys(readers), ...Object.keys(elsewhere)];
    expect(keysOf(BubbleConfig).toSorted()).toEqual([...new Set(known)].toSorted());
  });

  it.each(Object.entries(readers))("%s changes something", (key, { values: [one, other], see }) => {
    expect(JSON.stringify(see(withKey(key, one)))).not.toBe(JSON.stringify(see(withKey(key, other))));
  });

  it.each(Object.entries(elsewhere).filter(([, { test }]) => test !== undefined))(
    "%s is read elsewhere, and its test says so",
    (key, { test = "" }) => {
      expect(readFileSync(join(packageRoot(), test), "utf8")).toContain(key.split(".").at(-1));
    },
  );
});
