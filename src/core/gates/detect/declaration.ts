// What a project declares under `gates:`: presets by name, patched by overrides, and gates of its own. It stands
// instead of what the files suggest; a human still confirms the list.
import { suggestWord } from "../../text/nearest.ts";
import { checkPattern } from "../output/patterns.ts";
import type { BaseFiles } from "./condition.ts";
import { listPresetGateNames, type Preset } from "./preset.ts";
import { buildPresetGates, type DetectedGates, joinOffers } from "./proposal.ts";
import { buildGate, type DeclaredGates, type Override } from "./yaml-gate.ts";

export interface DeclaredProblem {
  readonly code: "gates.unknown-preset" | "gates.unknown-gate" | "gates.name-taken" | "gates.bad-pattern";
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** The gates that the declaration means at this base commit. */
export function resolveDeclaredGates(
  declared: DeclaredGates,
  presets: readonly Preset[],
  base: BaseFiles,
): Omit<DetectedGates, "from"> {
  const chosen = listWords(declared).flatMap((word) => findPreset(word, presets) ?? []);
  const offers = chosen.map((preset) => ({
    preset,
    gates: buildPresetGates(preset, { ...base, named: true }, (name) =>
      declared.overrides.find((override) => isNameOf(override, preset, name)),
    ),
  }));
  const { presets: names, gates } = joinOffers(offers);
  return { presets: names, gates: [...gates, ...declared.additional.map(buildGate)] };
}

/** Names in a declaration that mean nothing or two things and patterns that cannot be used, each with its place. */
export function checkDeclaredGates(declared: DeclaredGates, presets: readonly Preset[]): DeclaredProblem[] {
  const chosen = listWords(declared).flatMap((word) => findPreset(word, presets) ?? []);
  return [
    ...listPresetProblems(declared, presets),
    ...declared.overrides.flatMap(({ name }, i) => overrideProblems(name, i, declared, chosen)),
    ...declared.additional.flatMap(({ name }, i) => listAdditionalProblems(name, i, declared, chosen)),
    ...(["overrides", "additional"] as const).flatMap((list) =>
      declared[list].flatMap((gate, i) => listPatternProblems(gate, [list, i])),
    ),
  ];
}

const listWords = ({ preset = [] }: DeclaredGates): string[] => [preset].flat();

const listTitles = (preset: Preset): string[] => [preset.name, ...preset.also];

function findPreset(word: string, presets: readonly Preset[]): Preset | undefined {
  return presets.find((preset) => listTitles(preset).includes(word));
}

/** `coverage`, or `go:coverage` where several presets have one. */
function isNameOf({ name }: Pick<Override, "name">, preset: Preset, gate: string): boolean {
  return name === gate || listTitles(preset).some((title) => name === `${title}:${gate}`);
}

function listPresetProblems(declared: DeclaredGates, presets: readonly Preset[]): DeclaredProblem[] {
  const seen = new Set<Preset>();
  return listWords(declared).flatMap((word, i): DeclaredProblem[] => {
    const path = typeof declared.preset === "string" ? ["preset"] : ["preset", i];
    const preset = findPreset(word, presets);
    if (!preset) {
      const message = `there is no preset ${JSON.stringify(word)}${suggestWord(word, presets.flatMap(listTitles))}`;
      return [{ code: "gates.unknown-preset", path, message }];
    }
    if (seen.has(preset))
      return [{ code: "gates.name-taken", path, message: `preset ${word} is named twice` }];
    seen.add(preset);
    return [];
  });
}

function overrideProblems(
  name: string,
  at: number,
  declared: DeclaredGates,
  chosen: readonly Preset[],
): DeclaredProblem[] {
  const path = ["overrides", at, "name"];
  const meant = chosen.filter((preset) =>
    listPresetGateNames(preset).some((gate) => isNameOf({ name }, preset, gate)),
  );
  const [preset] = meant;
  if (!preset) return [{ code: "gates.unknown-gate", path, message: describeUnknownGate(name, chosen) }];
  if (meant.length > 1) {
    const full = meant.map((one) => `${one.name}:${name}`).join(" or ");
    return [{ code: "gates.name-taken", path, message: `several presets have a gate ${name}; say ${full}` }];
  }
  const same = (other: string) =>
    listPresetGateNames(preset).some((gate) => areNamesOf(name, other, preset, gate));
  const first = declared.overrides.findIndex((other) => same(other.name));
  return first === at
    ? []
    : [{ code: "gates.name-taken", path, message: `gate ${name} is overridden twice` }];
}

const areNamesOf = (one: string, other: string, preset: Preset, gate: string) =>
  isNameOf({ name: one }, preset, gate) && isNameOf({ name: other }, preset, gate);

function describeUnknownGate(name: string, chosen: readonly Preset[]): string {
  if (chosen.length === 0)
    return `there is no gate ${name} to override: no preset is named; write it under additional`;
  return `there is no gate ${name} to override${suggestWord(name, chosen.flatMap(listPresetGateNames))}`;
}

function listAdditionalProblems(
  name: string,
  at: number,
  declared: DeclaredGates,
  chosen: readonly Preset[],
): DeclaredProblem[] {
  const path = ["additional", at, "name"];
  if (name.startsWith("hook:"))
    return [
      { code: "gates.name-taken", path, message: `${name}: hook: is for the repository's own commit hooks` },
    ];
  const preset = chosen.find((one) => listPresetGateNames(one).some((gate) => isNameOf({ name }, one, gate)));
  if (preset) {
    const message = `preset ${preset.name} has a gate ${name} already; write it under overrides`;
    return [{ code: "gates.name-taken", path, message }];
  }
  const first = declared.additional.findIndex((other) => other.name === name);
  return first === at ? [] : [{ code: "gates.name-taken", path, message: `there are two gates ${name}` }];
}

function listPatternProblems(gate: Partial<Override>, path: readonly (string | number)[]): DeclaredProblem[] {
  return (["success_pattern", "failure_pattern"] as const).flatMap((key): DeclaredProblem[] => {
    const pattern = gate[key];
    const problem = pattern === undefined ? undefined : checkPattern(pattern);
    if (pattern === undefined || problem === undefined) return [];
    const message = `${key} ${JSON.stringify(pattern)} cannot be used: ${problem}`;
    return [{ code: "gates.bad-pattern", path: [...path, key], message }];
  });
}
