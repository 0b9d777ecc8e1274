// A project's gates from its own declaration or from the presets that fit its files, on the base commit and nowhere else.
import { readsOf } from "../core/gates/condition.ts";
import { declaredGates } from "../core/gates/declared.ts";
import { type Detected, detect } from "../core/gates/detection.ts";
import { type ProfileParts, profileFrom as resolveProfile } from "../core/gates/profile.ts";
import type { DeclaredGates } from "../core/gates/written.ts";
import type { Profile } from "../core/model/gate.ts";
import { isRefusal } from "../core/model/refusal.ts";
import { builtInPresets } from "./config/presets.ts";
import { projectFile } from "./config/project.ts";

type Read = (path: string) => Promise<string | undefined>;

/** The gates that the project declares or, if it declares none, that its files suggest. Reads only what presets look into. */
export async function detectProfile(
  filesAtBase: readonly string[],
  readAtBase: Read,
  declared?: DeclaredGates,
): Promise<Detected> {
  const presets = builtInPresets();
  const present = new Set(filesAtBase);
  const wanted = [...new Set(presets.flatMap(readsOf))].filter((path) => present.has(path));
  const texts = new Map(
    await Promise.all(wanted.map(async (path) => [path, await readAtBase(path)] as const)),
  );
  const base = { files: filesAtBase, text: (path: string) => texts.get(path) };
  return declared ? { ...declaredGates(declared, presets, base), from: projectFile } : detect(presets, base);
}

/** The profile from flags, settings and what was declared or detected; throws a usage error when they contradict one another. */
export function profileFrom(parts: ProfileParts): Profile {
  const profile = resolveProfile(parts);
  if (isRefusal(profile)) throw { usage: true, ...profile };
  return profile;
}
