// A project's gates from its own declaration or from the presets that fit its files, on the base commit and nowhere else.
import { type Base, readsOf } from "../../core/gates/condition.ts";
import { declaredGates } from "../../core/gates/declared.ts";
import { type Detected, detect, projectFolders } from "../../core/gates/detection.ts";
import type { Preset } from "../../core/gates/preset.ts";
import { type ProfileParts, profileFrom as resolveProfile } from "../../core/gates/profile.ts";
import { guessedFolders, workspaceFiles, workspaceFolders } from "../../core/gates/projects.ts";
import { type ProposedSetup, proposeSetup, setupReads } from "../../core/gates/setup.ts";
import type { DeclaredGates } from "../../core/gates/written.ts";
import type { Profile } from "../../core/model/gate.ts";
import { isRefusal } from "../../core/model/refusal.ts";
import { builtInPresets } from "./presets.ts";

type Read = (path: string) => Promise<string | undefined>;

/** The gates that the project declares or, if it declares none, that its files suggest. Reads only what presets look into. */
export async function detectProfile(
  filesAtBase: readonly string[],
  readAtBase: Read,
  declared?: { readonly gates: DeclaredGates; readonly from: string },
): Promise<Detected> {
  const presets = builtInPresets();
  const base = await baseWith(presets, filesAtBase, readAtBase);
  if (!declared) return detect(presets, base);
  return { ...declaredGates(declared.gates, presets, base), from: declared.from };
}

/** The files of the base, with the texts that are looked into: at the root, and in the folders of its packages. */
async function baseWith(
  presets: readonly Preset[],
  files: readonly string[],
  read: Read,
  more: readonly string[] = [],
): Promise<Base> {
  const present = new Set(files);
  const texts = new Map<string, string | undefined>();
  const load = async (paths: readonly string[]) => {
    const fresh = [...new Set(paths)].filter((path) => present.has(path) && !texts.has(path));
    await Promise.all(fresh.map(async (path) => texts.set(path, await read(path))));
  };
  const base = { files, text: (path: string) => texts.get(path) };
  const wanted = [...presets.flatMap(readsOf), ...more];
  await load([...wanted, ...workspaceFiles]);
  const folders = [...workspaceFolders(base), ...guessedFolders(base, presets)];
  await load(folders.flatMap((folder) => wanted.map((path) => `${folder}/${path}`)));
  return base;
}

/** The setup command that the lockfiles of the base commit suggest: at its root, and where gates are found below it. */
export async function detectSetup(
  filesAtBase: readonly string[],
  readAtBase: Read,
): Promise<ProposedSetup | undefined> {
  const presets = builtInPresets();
  const base = await baseWith(presets, filesAtBase, readAtBase, setupReads);
  return proposeSetup(base, projectFolders(presets, base));
}

/** The profile from flags, settings and what was declared or detected; throws a usage error when they contradict one another. */
export function profileFrom(parts: ProfileParts): Profile {
  const profile = resolveProfile(parts);
  if (isRefusal(profile)) throw { usage: true, ...profile };
  return profile;
}
