// The test profile of a bubble from all that was said about it: flags, settings, detection. A human's word wins, and
// the word "there is none" needs a reason.

import type { BubbleConfig } from "../../model/config.ts";
import { Gate, type Profile } from "../../model/gate.ts";
import { type Refusal, refuse } from "../../model/refusal.ts";
import { keepStart } from "../../model/value/sizes.ts";
import { check } from "../../model/value/validate.ts";
import { buildGatesFromCommands } from "./commands.ts";
import type { DetectedGates } from "./proposal.ts";

export interface ProfileParts {
  /** What the project declares under `gates:`, or what its files suggest. */
  readonly detected?: DetectedGates;
  /** `[commands]`: gates, named by their key. */
  readonly commands?: BubbleConfig["commands"];
  /** `--gate <name>=<command>`: required gates beside the others, or in the place of one of that name. */
  readonly gates?: Readonly<Record<string, string>>;
  /** `--test`, as often as it was given. They stand instead of what was detected. */
  readonly tests?: readonly string[];
  /** `--no-tests`: the reason. */
  readonly noTests?: string;
}

/** The resolved profile. It is confirmed when a flag spoke for a human; otherwise a human is to be asked. */
export function resolveGateProfile({
  detected,
  commands = {},
  gates: flagged = {},
  tests = [],
  noTests,
}: ProfileParts): Profile | Refusal {
  const named = buildGatesFromCommands(commands);
  const asTests = buildGatesFromCommands(
    Object.fromEntries(tests.map((command, i) => [getTestName(i), command])),
  );
  const given = [...asTests, ...buildGatesFromCommands(flagged)];
  const declared = detected?.from === undefined ? [] : detected.gates;
  if (noTests !== undefined) return buildUnavailable(noTests, [...declared, ...named, ...given]);
  const found = tests.length > 0 ? [] : (detected?.gates ?? []);
  const gates = [...found, ...named, ...given].reduce<Gate[]>(replaceGate, []);
  const bad = gates.find((candidate) => !check(Gate, candidate).ok);
  if (bad)
    return refuse(
      "gates.bad-command",
      `gate ${bad.name} has no usable command: ${JSON.stringify(keepStart(bad.command, 80))}`,
      '--test "npm test"',
    );
  return {
    gates,
    source: getSource({ ...detected, gates: found }, named, given),
    confirmed: tests.length > 0,
  };
}

const getTestName = (i: number) => (i === 0 ? "test" : `test-${i + 1}`);

function buildUnavailable(reason: string, gates: readonly Gate[]): Profile | Refusal {
  if (reason.trim() === "")
    return refuse(
      "gates.no-reason",
      "saying that there are no tests needs a reason",
      '--no-tests --reason "…"',
    );
  const named = gates.map((candidate) => candidate.name).join(", ");
  if (named)
    return refuse(
      "gates.contradiction",
      `--no-tests, and yet there are commands for ${named}`,
      "leave --no-tests out, or take the commands away",
    );
  return { gates: [], source: "not available", confirmed: true, not_available: reason.trim() };
}

/** A later gate takes the place of an earlier one of its name. */
function replaceGate(gates: Gate[], next: Gate): Gate[] {
  const at = gates.findIndex((candidate) => candidate.name === next.name);
  return at < 0 ? [...gates, next] : gates.with(at, next);
}

function getSource(found: Partial<DetectedGates>, named: readonly Gate[], given: readonly Gate[]): string {
  const sources = [
    ...(found.gates?.length ? [describeSource(found)] : []),
    ...(named.length > 0 ? ["[commands]"] : []),
    ...(given.length > 0 ? ["given by flag"] : []),
  ];
  return sources.join(" and ") || "nothing found";
}

function describeSource({ from, presets = [] }: Partial<DetectedGates>): string {
  if (from === undefined) return `detected (${presets.join(", ")})`;
  return presets.length > 0 ? `${from}: ${presets.join(", ")}` : from;
}
