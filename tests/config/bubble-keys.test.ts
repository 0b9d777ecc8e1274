// Every key of bubble.toml is read by somebody: with another value something that people or agents meet is different.
// The list of keys comes from the schema, so a key that nobody reads fails here.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findPackageRoot } from "../../src/app/host/package-root.ts";
import { BubbleConfig } from "../../src/core/model/config.ts";
import { elsewhere, readers, withKey } from "./bubble-readers.ts";
import { keysOf } from "./keys.ts";

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
      expect(readFileSync(join(findPackageRoot(), test), "utf8")).toContain(key.split(".").at(-1));
    },
  );
});
