// From presets and a base commit to the gates a project seems to want. Only a proposal: a human confirms it.
import type { Gate } from "../model/gate.ts";
import { type Base, exists, holds } from "./condition.ts";
import { gateNames, type Preset, type PresetGate } from "./preset.ts";
import { gateFrom, type Override, type WrittenGate } from "./written.ts";

export interface Detected {
  /** The presets that offered a gate, in the order in which they were asked. */
  readonly presets: readonly string[];
  readonly gates: readonly Gate[];
  /** The file that declares these gates; without it they are only what the project's files suggest. */
  readonly from?: string;
}

export interface Offer {
  readonly preset: Preset;
  readonly gates: readonly Gate[];
}

/** What the presets find at the base commit. */
export function detect(presets: readonly Preset[], base: Base): Detected {
  const offers = presets.map((preset) => ({
    preset,
    gates: preset.files.some((file) => base.files.includes(file)) ? gatesOf(preset, base) : [],
  }));
  return joined(withoutStandIns(offers));
}

/** The gates of several presets as one list. Those of one name from two kinds of project carry the kind in theirs. */
export function joined(offers: readonly Offer[]): Detected {
  const taken = offers.filter((offer) => offer.gates.length > 0);
  const names = taken.flatMap((offer) => offer.gates.map((gate) => gate.name));
  const shared = (name: string) => names.filter((other) => other === name).length > 1;
  return {
    presets: taken.map((offer) => offer.preset.name),
    gates: taken.flatMap(({ preset, gates }) =>
      gates.map((gate) => (shared(gate.name) ? { ...gate, name: `${preset.name}:${gate.name}` } : gate)),
    ),
  };
}

/** The preset's gates at this base, patched. A gate that does not apply is brought in by an override that names it. */
export function gatesOf(
  preset: Preset,
  base: Base,
  patch: (name: string) => Override | undefined = () => undefined,
): Gate[] {
  const words = preset.words.find(({ file }) => !file || exists(file, base))?.say ?? {};
  return gateNames(preset).flatMap((name) => {
    const named = preset.gates.filter((gate) => gate.name === name);
    const override = patch(name);
    const found = named.find((gate) => applies(gate, base)) ?? (override && likeliest(named, base));
    return found ? [gateFrom(patched(found, words, override))] : [];
  });
}

const applies = ({ when }: PresetGate, base: Base) =>
  !when || when.some((condition) => holds(condition, base));

/** The most general form of a gate that is asked for although nothing speaks for it: the last one that the files allow. */
function likeliest(named: readonly PresetGate[], base: Base): PresetGate | undefined {
  const fits = ({ when = [] }: PresetGate) => when.some(({ file }) => !file || exists(file, base));
  return named.findLast(fits) ?? named.at(-1);
}

function patched(
  { when: _judged, ...gate }: PresetGate,
  words: Readonly<Record<string, string>>,
  override: Override | undefined,
): WrittenGate {
  const said = Object.entries(override ?? {}).filter(([, value]) => value !== undefined);
  const spoken = {
    ...gate,
    command: filled(gate.command, words),
    ...(gate.install === undefined ? {} : { install: filled(gate.install, words) }),
  };
  return { ...spoken, ...Object.fromEntries(said), name: gate.name };
}

function filled(command: string, words: Readonly<Record<string, string>>): string {
  return command.replace(/\{\{(\w+)\}\}/g, (_whole, word: string) => words[word] ?? "");
}

function withoutStandIns(offers: readonly Offer[]): Offer[] {
  const offered = offers
    .filter((offer) => !offer.preset.stands_in)
    .flatMap((offer) => offer.gates.map((gate) => gate.name));
  return offers.map(({ preset, gates }) => ({
    preset,
    gates: preset.stands_in ? gates.filter((gate) => !offered.includes(gate.name)) : gates,
  }));
}
