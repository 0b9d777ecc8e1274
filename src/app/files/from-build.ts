// The values of the presets and workflows that come with Pairflow, read when it was built: reading all of them anew was a
// quarter of the time of `bubble create`. They are found by the hash of their text, so that a changed file is read itself.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { tryOr } from "../../core/model/value/try-or.ts";
import { findPackageRoot } from "../host/package-root.ts";

let known: Readonly<Record<string, unknown>> | undefined;

/** The value of this text, if it was parsed when Pairflow was built. The caller gets a copy of its own. */
export function findBuiltValue(text: string): unknown {
  known ??= readKnown();
  const value = known[createHash("sha256").update(text).digest("hex")];
  return value === undefined ? undefined : structuredClone(value);
}

function readKnown(): Readonly<Record<string, unknown>> {
  // A checkout that was not built reads the files themselves.
  return tryOr(() => JSON.parse(readFileSync(join(findPackageRoot(), "dist", "built-in.json"), "utf8")), {});
}
