// Finding a project's test commands with the presets of this package, on the base commit and nowhere else.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readsOf } from "../core/gates/condition.ts";
import { type Detected, detect } from "../core/gates/detection.ts";
import { Preset } from "../core/gates/preset.ts";
import { type ProfileParts, profileFrom as resolveProfile } from "../core/gates/profile.ts";
import type { Profile } from "../core/model/gate.ts";
import { isRefusal } from "../core/model/refusal.ts";
import { check } from "../core/model/validate.ts";
import { plainly } from "./files/plain-words.ts";
import { fileError } from "./files/problems.ts";
import { readYaml } from "./files/yaml.ts";
import { packageRoot } from "./package-root.ts";

type Read = (path: string) => Promise<string | undefined>;

/** The gates that the files of the base commit suggest. Reads only the few files the presets look into. */
export async function detectProfile(
  filesAtBase: readonly string[],
  readAtBase: Read,
  root = packageRoot(),
): Promise<Detected> {
  const presets = loadPresets(root);
  const present = new Set(filesAtBase);
  const wanted = [...new Set(presets.flatMap(readsOf))].filter((path) => present.has(path));
  const texts = new Map(
    await Promise.all(wanted.map(async (path) => [path, await readAtBase(path)] as const)),
  );
  return detect(presets, { files: filesAtBase, text: (path) => texts.get(path) });
}

/** Every preset of the package, by name. */
export function loadPresets(root = packageRoot()): Preset[] {
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
    message: plainly(path, message),
    path,
    part: "value" as const,
  }));
  throw fileError(file, problems, places);
}

/** The profile from flags, settings and detection; throws a usage error when they contradict one another. */
export function profileFrom(parts: ProfileParts): Profile {
  const profile = resolveProfile(parts);
  if (isRefusal(profile)) throw { usage: true, ...profile };
  return profile;
}
