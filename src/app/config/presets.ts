// The gate presets of this package, read from their files.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Preset } from "../../core/gates/detect/preset.ts";
import { check } from "../../core/model/value/validate.ts";
import { buildFileError } from "../files/problems.ts";
import { addSubject } from "../files/sentence.ts";
import { readYaml } from "../files/yaml.ts";
import { findPackageRoot } from "../host/package-root.ts";

let builtIn: readonly Preset[] | undefined;

/** The presets of this package, read once: they do not change while it runs. */
export function loadBuiltInPresets(): readonly Preset[] {
  builtIn ??= loadPresets();
  return builtIn;
}

/** Every preset in a folder, by name. */
export function loadPresets(root = findPackageRoot()): Preset[] {
  const folder = join(root, "presets");
  const files = readdirSync(folder).filter((file) => file.endsWith(".yaml"));
  return files.sort().map((file) => loadPreset(join(folder, file)));
}

function loadPreset(file: string): Preset {
  const { value, places } = readYaml(readFileSync(file, "utf8"), file, "gates.bad-preset");
  const checked = check(Preset, value);
  if (checked.ok) return checked.value;
  const problems = checked.issues.map(({ path, message }) => ({
    code: "gates.bad-preset",
    message: addSubject(path, message),
    path,
    part: "value" as const,
  }));
  throw buildFileError(file, problems, places);
}
