// From presets and a base commit to the gates a project seems to want. Only a proposal: a human confirms it.
import type { Gate } from "../../model/gate.ts";
import { type BaseFiles, hasMatchingFile, isPresetConditionMet } from "./condition.ts";
import { listPresetGateNames, type Preset, type PresetGate } from "./preset.ts";
import { abbreviateFolder, guessProjectFolders, listWorkspaceFolders, selectBaseFolder } from "./projects.ts";
import { buildGate, type Override, type WrittenGate } from "./yaml-gate.ts";

export interface DetectedGates {
  /** The presets that offered a gate, in the order in which they were asked. */
  readonly presets: readonly string[];
  readonly gates: readonly Gate[];
  /** The file that declares these gates; without it they are only what the project's files suggest. */
  readonly from?: string;
}

export interface Offer {
  readonly preset: Preset;
  /** What it is called on screens; the preset's own name if left out. */
  readonly title?: string | undefined;
  readonly gates: readonly Gate[];
  /** The folders it is about; the root if left out. */
  readonly folders?: readonly string[];
}

/** What the presets find at the base commit: at its root and, for what the root does not offer, in its packages. */
export function detect(presets: readonly Preset[], base: BaseFiles): DetectedGates {
  const root = dropStandIns(listOffers(presets, base));
  const below = listFolders(presets, base, root).flatMap((folder) =>
    listFolderOffers(presets, base, folder, root),
  );
  return joinOffers([...root, ...mergeOffers(below)]);
}

/** The folders of the repository whose own gates are proposed. */
export function findProjectFolders(presets: readonly Preset[], base: BaseFiles): string[] {
  const root = dropStandIns(listOffers(presets, base));
  return listFolders(presets, base, root).filter(
    (folder) => listFolderOffers(presets, base, folder, root).length > 0,
  );
}

function listFolders(presets: readonly Preset[], base: BaseFiles, root: readonly Offer[]): string[] {
  const isProject = root.some(({ gates }) => gates.length > 0);
  const named = listWorkspaceFolders(base);
  return named.length > 0 || isProject ? named : guessProjectFolders(base, presets);
}

function listOffers(presets: readonly Preset[], base: BaseFiles): Offer[] {
  return presets.map((preset) => ({
    preset,
    title: getTitle(preset, base),
    gates: preset.files.some((file) => base.files.includes(file)) ? buildPresetGates(preset, base) : [],
  }));
}

/** The name that people know this kind of project by. */
const getTitle = ({ name, shown }: Preset, base: BaseFiles) =>
  shown.find(({ when }) => when.some((condition) => isPresetConditionMet(condition, base)))?.name ?? name;

interface Below extends Offer {
  readonly folder: string;
  readonly words: Readonly<Record<string, string>>;
}

/** What must pass in a package, as far as the root has no gate of that name and kind. */
function listFolderOffers(
  presets: readonly Preset[],
  base: BaseFiles,
  folder: string,
  root: readonly Offer[],
): Below[] {
  const own = selectBaseFolder(base, folder);
  const offers = dropStandIns(listOffers(presets, own));
  return offers.flatMap((offer) => {
    const known = new Set(
      root.find(({ preset }) => preset === offer.preset)?.gates.map(({ name }) => name) ?? [],
    );
    const gates = offer.gates
      .filter(({ name, required }) => required && !known.has(name))
      .map((gate) => ({ ...gate, working_dir: folder }));
    return gates.length > 0 ? [{ ...offer, folder, gates, words: buildWords(offer.preset, own) }] : [];
  });
}

/** More packages than this are run by the package manager's own command, where it has one. */
const mostNamed = 6;

/** The gates of packages with the package in their names, or one command for all of them. */
function mergeOffers(below: readonly Below[]): Offer[] {
  const [first] = below;
  const each = first?.words.each;
  const isMany =
    below.length > mostNamed && each !== undefined && below.every(({ words }) => words.each === each);
  if (first && isMany) {
    const names = [...new Set(below.flatMap(({ gates }) => gates.map(({ name }) => name)))];
    const all = names.flatMap((name): Gate[] => {
      const [gate] = below.flatMap(({ gates }) =>
        gates.filter((one) => one.name === name && runsScript(one)),
      );
      if (!gate) return [];
      const { working_dir: _folder, ...rest } = gate;
      return [{ ...rest, command: each.replace("{{script}}", name) }];
    });
    return [
      { preset: first.preset, title: first.title, gates: all, folders: below.map(({ folder }) => folder) },
    ];
  }
  return below.map(({ preset, title, gates, folder }) => ({
    preset,
    title,
    folders: [folder],
    gates: gates.map((gate) => ({ ...gate, name: `${abbreviateFolder(folder)}:${gate.name}`.slice(0, 40) })),
  }));
}

const runsScript = ({ name, command }: Gate) => command.endsWith(` ${name}`);

/** The gates of several presets as one list. Those of one name from two kinds of project carry the kind in theirs. */
export function joinOffers(offers: readonly Offer[]): DetectedGates {
  const taken = offers.filter((offer) => offer.gates.length > 0);
  const names = taken.flatMap((offer) => offer.gates.map((gate) => gate.name));
  const shared = (name: string) => names.filter((other) => other === name).length > 1;
  return {
    presets: listTitles(taken),
    gates: taken.flatMap(({ preset, title = preset.name, gates }) =>
      gates.map((gate) => (shared(gate.name) ? { ...gate, name: `${title}:${gate.name}` } : gate)),
    ),
  };
}

/** `typescript`, `python in api`: each kind once, with its folders. */
function listTitles(offers: readonly Offer[]): string[] {
  const kinds = new Map<string, string[]>();
  for (const { preset, title = preset.name, folders = [""] } of offers)
    kinds.set(title, [...(kinds.get(title) ?? []), ...folders]);
  return [...kinds].map(([title, folders]) => {
    const inside = folders.filter((folder) => folder !== "");
    const named = inside.length > 3 ? `${inside.length} folders` : inside.join(", ");
    return inside.length === 0 || inside.length < folders.length ? title : `${title} in ${named}`;
  });
}

/** The preset's gates at this base, patched. A gate that does not apply is brought in by an override that names it. */
export function buildPresetGates(
  preset: Preset,
  base: BaseFiles,
  patch: (name: string) => Override | undefined = () => undefined,
): Gate[] {
  const words = buildWords(preset, base);
  return listPresetGateNames(preset).flatMap((name) => {
    const named = preset.gates.filter((gate) => gate.name === name);
    const override = patch(name);
    const found = named.find((gate) => isApplicable(gate, base)) ?? (override && pickLikeliest(named, base));
    return found ? [buildGate(patchGate(found, words, override))] : [];
  });
}

/** What `{{word}}` means here: by the project's own files, or by those of the repository around it. */
function buildWords(preset: Preset, base: BaseFiles): Readonly<Record<string, string>> {
  const fits = (where: BaseFiles) =>
    preset.words.find(
      ({ file, mentions }) => (file ?? mentions) && isPresetConditionMet({ file, mentions }, where),
    );
  const found = fits(base) ?? (base.above && fits(base.above));
  return (found ?? preset.words.find(({ file, mentions }) => !file && !mentions))?.say ?? {};
}

const isApplicable = ({ when }: PresetGate, base: BaseFiles) =>
  !when || when.some((condition) => isPresetConditionMet(condition, base));

/** The most general form of a gate that is asked for although no file suggests it: the last one that the files allow. */
function pickLikeliest(named: readonly PresetGate[], base: BaseFiles): PresetGate | undefined {
  const fits = ({ when = [] }: PresetGate) => when.some(({ file }) => !file || hasMatchingFile(file, base));
  return named.findLast(fits) ?? named.at(-1);
}

function patchGate(
  { when: _judged, ...gate }: PresetGate,
  words: Readonly<Record<string, string>>,
  override: Override | undefined,
): WrittenGate {
  const said = Object.entries(override ?? {}).filter(([, value]) => value !== undefined);
  const spoken = {
    ...gate,
    command: fillCommand(gate.command, words),
    ...(gate.install === undefined ? {} : { install: fillCommand(gate.install, words) }),
  };
  return { ...spoken, ...Object.fromEntries(said), name: gate.name };
}

function fillCommand(command: string, words: Readonly<Record<string, string>>): string {
  return command.replace(/\{\{(\w+)\}\}/g, (_whole, word: string) => words[word] ?? "");
}

function dropStandIns(offers: readonly Offer[]): Offer[] {
  const offered = offers
    .filter((offer) => !offer.preset.stands_in)
    .flatMap((offer) => offer.gates.map((gate) => gate.name));
  return offers.map((offer) =>
    offer.preset.stands_in
      ? { ...offer, gates: offer.gates.filter((gate) => !offered.includes(gate.name)) }
      : offer,
  );
}
