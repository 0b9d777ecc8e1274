// A preset says how projects of one kind are checked. It is data, so that a new kind is a file and no code; the few
// conditions it may use are judged in condition.ts.
import * as v from "valibot";
import { WrittenGate } from "./yaml-gate.ts";

const text = v.pipe(v.string(), v.minLength(1));
const word = v.pipe(v.string(), v.regex(/^[a-z][a-z0-9-]*$/, "must be a short word"));

/** All that are given must hold. */
export const PresetCondition = v.strictObject({
  /** A file matching one of these globs exists. */
  file: v.optional(v.array(text)),
  /** package.json has this script, and it is more than npm's placeholder. */
  script: v.optional(text),
  /** That script only looks: it has no flag by which linters and formatters write. */
  checks: v.optional(v.literal(true)),
  /** package.json depends on this package. */
  dependency: v.optional(text),
  /** One of these files contains the text outside of comments. */
  mentions: v.optional(v.strictObject({ in: v.array(text), text })),
  /** The makefile has a rule for this target. */
  target: v.optional(text),
  /** The project asks for this preset by name; its files alone do not. */
  named: v.optional(v.literal(true)),
});
export type PresetCondition = v.InferOutput<typeof PresetCondition>;

export const PresetGate = v.strictObject({
  ...WrittenGate.entries,
  when: v.optional(v.array(PresetCondition)),
});
export type PresetGate = v.InferOutput<typeof PresetGate>;

export const Preset = v.strictObject({
  name: word,
  /** Further names of the same preset. */
  also: v.optional(v.array(word), []),
  /** The project is of this kind when one of these files stands at its root. */
  files: v.pipe(v.array(text), v.minLength(1)),
  /** Gates of this preset stand in only where no other preset offers one of that name. */
  stands_in: v.optional(v.boolean(), false),
  /** What `{{word}}` in commands means; the first entry that applies says all of them. */
  words: v.optional(
    v.array(
      v.strictObject({
        file: v.optional(v.array(text)),
        mentions: PresetCondition.entries.mentions,
        say: v.record(text, v.string()),
      }),
    ),
    [],
  ),
  /**
   * What such projects need of a person's machine inside the sandbox: programs, read-only, and caches, which are written to
   * without being changed. `~/…`, or a variable with what stands for it: `${GOPATH:-~/go}/bin`.
   */
  tools: v.optional(v.array(text), []),
  caches: v.optional(v.array(text), []),
  /** Variables that tell its tools that there is no network, so that they do not try for minutes. */
  offline: v.optional(v.record(text, text), {}),
  /** Another of its names is shown where one of these conditions holds. */
  shown: v.optional(v.array(v.strictObject({ name: word, when: v.array(PresetCondition) })), []),
  /** Of several with one name, the first that applies counts; `when` lists alternatives. */
  gates: v.pipe(v.array(PresetGate), v.minLength(1)),
});
export type Preset = v.InferOutput<typeof Preset>;

/** Every name a gate of this preset can go by, each once, in the preset's order. */
export function listPresetGateNames(preset: Preset): string[] {
  return [...new Set(preset.gates.map((gate) => gate.name))];
}
