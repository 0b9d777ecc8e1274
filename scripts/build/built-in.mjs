// The presets and workflows of this package as values, by the hash of their text: src/app/files/from-build.ts finds them.
import { deepStrictEqual } from "node:assert";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";

export function readBuiltInValues(root) {
  const files = ["presets", "workflows"].flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith(".yaml"))
      .map((name) => join(root, folder, name)),
  );
  const entries = files.map((file) => {
    const text = readFileSync(file, "utf8");
    return [createHash("sha256").update(text).digest("hex"), parse(text, { merge: true })];
  });
  const values = Object.fromEntries(entries);
  const json = JSON.stringify(values);
  deepStrictEqual(JSON.parse(json), values);
  return json;
}
