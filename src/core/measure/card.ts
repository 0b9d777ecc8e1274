// The card of a reviewer: what it caught and its false alarms, with the counts themselves, since they are small.
import * as v from "valibot";
import { Usage } from "../model/record/usage.ts";
import { type DefectClass, defectClasses } from "./case.ts";
import type { MeasuredCase } from "./judge.ts";

const count = v.pipe(v.number(), v.integer(), v.minValue(0));

const Counts = v.strictObject({
  /** Valid reviews of changes with a defect, and how many of them caught it. */
  planted: count,
  caught: count,
  /** Valid reviews of changes without one, and how many of them raised an alarm. */
  controls: count,
  false_alarms: count,
  /** Reviews that were refused, or never came: in none of the other counts. */
  invalid: count,
});
export type Counts = v.InferOutput<typeof Counts>;

export const Card = v.strictObject({
  agent: v.string(),
  adapter: v.string(),
  model: v.nullable(v.string()),
  at: v.pipe(v.string(), v.isoTimestamp()),
  /** Which set of cases: cards of different sets cannot be compared. */
  cases: v.string(),
  /** False: only some of the cases were used. */
  whole: v.boolean(),
  runs: count,
  classes: v.record(v.picklist(defectClasses), Counts),
  ...Counts.entries,
  /** By the CLI's own figures; null when it reports none. */
  usage: v.nullable(Usage),
  /** Reviews without figures: the sum does not know them. */
  unmetered: count,
});
export type Card = v.InferOutput<typeof Card>;

export type CardHead = Pick<Card, "agent" | "adapter" | "model" | "at" | "cases" | "whole" | "runs">;

/** The card of all these reviews. */
export function tally(head: CardHead, measured: readonly MeasuredCase[]): Card {
  const ofClass = (name: DefectClass) => measured.filter((one) => one.class === name);
  const used = defectClasses.filter((name) => ofClass(name).length > 0);
  return {
    ...head,
    classes: Object.fromEntries(used.map((name) => [name, countMeasured(ofClass(name))])),
    ...countMeasured(measured),
    usage: sumUsage(measured.flatMap(({ usage }) => usage ?? [])),
    unmetered: measured.filter(({ usage }) => usage === undefined).length,
  };
}

function countMeasured(measured: readonly MeasuredCase[]): Counts {
  const number = (...judgements: MeasuredCase["judgement"][]) =>
    measured.filter(({ judgement }) => judgements.includes(judgement)).length;
  return {
    planted: number("caught", "missed"),
    caught: number("caught"),
    controls: number("clean", "false-alarm"),
    false_alarms: number("false-alarm"),
    invalid: number("invalid"),
  };
}

function sumUsage(all: readonly Usage[]): Usage | null {
  if (all.length === 0) return null;
  const add = (of: (usage: Usage) => number | undefined) =>
    all.reduce((sum, usage) => sum + (of(usage) ?? 0), 0);
  return {
    input: add(({ input }) => input),
    output: add(({ output }) => output),
    ...(all.some(({ cached }) => cached !== undefined) ? { cached: add(({ cached }) => cached) } : {}),
    ...(all.some(({ usd }) => usd !== undefined) ? { usd: add(({ usd }) => usd) } : {}),
  };
}

/** The card in one line, for the place where a reviewer is chosen. */
export function describeCard(card: Card): string {
  const { planted, caught, controls, false_alarms: alarms, invalid } = card;
  const parts = [
    planted > 0 ? `caught ${caught} of ${pluralize(planted, "planted defect")}` : "",
    controls > 0
      ? `${alarms === 0 ? "no" : alarms} ${alarms > 1 ? "false alarms" : "false alarm"} in ${pluralize(controls, "clean change")}`
      : "",
    invalid > 0 ? `${pluralize(invalid, "review")} not valid` : "",
  ].filter(Boolean);
  return `${parts.join(", ") || "nothing was measured"} · ${card.at.slice(0, 10)}`;
}

const pluralize = (number: number, what: string) => `${number} ${what}${number === 1 ? "" : "s"}`;

/** The Wilson interval at 95 %: where the true share may lie when so few were tried. */
export function estimateShare(hits: number, of: number): { readonly low: number; readonly high: number } {
  if (of === 0) return { low: 0, high: 1 };
  const z = 1.959964;
  const share = hits / of;
  const middle = share + z ** 2 / (2 * of);
  const spread = z * Math.sqrt((share * (1 - share)) / of + z ** 2 / (4 * of ** 2));
  const scale = 1 + z ** 2 / of;
  return { low: Math.max(0, (middle - spread) / scale), high: Math.min(1, (middle + spread) / scale) };
}
