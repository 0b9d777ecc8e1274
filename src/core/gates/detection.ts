// From presets and a base commit to the gates a project seems to want. Only a proposal: a human confirms it.
import type { Gate } from "../model/gate.ts";
import { type Base, exists, holds } from "./condition.ts";
import type { Preset } from "./preset.ts";

export interface Detected {
  /** The presets that offered a gate, in the order in which they were asked. */
  readonly presets: readonly string[];
  readonly gates: readonly Gate[];
}

interface Offer {
  readonly preset: Preset;
  readonly gates: readonly Gate[];
}

/** What the presets find at the base commit. Gates of one name from two kinds of project carry the kind in theirs. */
export function detect(presets: readonly Preset[], base: Base): Detected {
  const offers = presets.map((preset) => ({ preset, gates: gatesOf(preset, base) }));
  const taken = withoutStandIns(offers).filter((offer) => offer.gates.length > 0);
  const names = taken.flatMap((offer) => offer.gates.map((gate) => gate.name));
  const shared = (name: string) => names.filter((other) => other === name).length > 1;
  return {
    presets: taken.map((offer) => offer.preset.name),
    gates: taken.flatMap(({ preset, gates }) =>
      gates.map((gate) => (shared(gate.name) ? { ...gate, name: `${preset.name}:${gate.name}` } : gate)),
    ),
  };
}

function gatesOf(preset: Preset, base: Base): Gate[] {
  if (!preset.files.some((file) => base.files.includes(file))) return [];
  const words = preset.words.find(({ file }) => !file || exists(file, base))?.say ?? {};
  const applying = preset.gates.filter(
    ({ when }) => !when || when.some((condition) => holds(condition, base)),
  );
  const first = applying.filter((gate, i) => applying.findIndex((other) => other.name === gate.name) === i);
  return first.map(({ when: _judged, ...gate }) => ({ ...gate, command: filled(gate.command, words) }));
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
