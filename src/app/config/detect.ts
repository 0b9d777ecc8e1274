// A project's gates from its own declaration or from the presets that fit its files, on the base commit and nowhere else.
import { type BaseFiles, listFilesRead } from "../../core/gates/detect/condition.ts";
import { resolveDeclaredGates } from "../../core/gates/detect/declaration.ts";
import type { Preset } from "../../core/gates/detect/preset.ts";
import { type ProfileParts, resolveGateProfile as resolveProfile } from "../../core/gates/detect/profile.ts";
import {
  guessProjectFolders,
  listWorkspaceFolders,
  workspaceFiles,
} from "../../core/gates/detect/projects.ts";
import { type DetectedGates, detect, findProjectFolders } from "../../core/gates/detect/proposal.ts";
import { type ProposedSetup, proposeSetup, setupReads } from "../../core/gates/detect/setup.ts";
import type { DeclaredGates } from "../../core/gates/detect/yaml-gate.ts";
import type { Profile } from "../../core/model/gate.ts";
import { isRefusal } from "../../core/model/refusal.ts";
import { loadBuiltInPresets } from "./presets.ts";

type Read = (path: string) => Promise<string | undefined>;

/** The gates that the project declares or, if it declares none, that its files suggest. Reads only what presets look into. */
export async function detectProfile(
  filesAtBase: readonly string[],
  readAtBase: Read,
  declared?: { readonly gates: DeclaredGates; readonly from: string },
): Promise<DetectedGates> {
  const presets = loadBuiltInPresets();
  const base = await readBase(presets, filesAtBase, readAtBase);
  if (!declared) return detect(presets, base);
  return { ...resolveDeclaredGates(declared.gates, presets, base), from: declared.from };
}

/** The files of the base, with the texts that are looked into: at the root, and in the folders of its packages. */
async function readBase(
  presets: readonly Preset[],
  files: readonly string[],
  read: Read,
  more: readonly string[] = [],
): Promise<BaseFiles> {
  const present = new Set(files);
  const texts = new Map<string, string | undefined>();
  const load = async (paths: readonly string[]) => {
    const fresh = [...new Set(paths)].filter((path) => present.has(path) && !texts.has(path));
    await Promise.all(fresh.map(async (path) => texts.set(path, await read(path))));
  };
  const base = { files, text: (path: string) => texts.get(path) };
  const wanted = [...presets.flatMap(listFilesRead), ...more];
  await load([...wanted, ...workspaceFiles]);
  const folders = [...listWorkspaceFolders(base), ...guessProjectFolders(base, presets)];
  await load(folders.flatMap((folder) => wanted.map((path) => `${folder}/${path}`)));
  return base;
}

/** The setup command that the lockfiles of the base commit suggest: at its root, and where gates are found below it. */
export async function detectSetup(
  filesAtBase: readonly string[],
  readAtBase: Read,
): Promise<ProposedSetup | undefined> {
  const presets = loadBuiltInPresets();
  const base = await readBase(presets, filesAtBase, readAtBase, setupReads);
  return proposeSetup(base, findProjectFolders(presets, base));
}

/** The profile from flags, settings and what was declared or detected; throws a usage error when they contradict one another. */
export function resolveProfileOrThrow(parts: ProfileParts): Profile {
  const profile = resolveProfile(parts);
  if (isRefusal(profile)) throw { usage: true, ...profile };
  return profile;
}
