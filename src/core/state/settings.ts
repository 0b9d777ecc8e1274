// Which settings differ between two configurations, each with its value before and after, in words that fit a line.
import type { BubbleConfig } from "../model/config.ts";
import type { State } from "../model/state.ts";
import { clip } from "../model/value/sizes.ts";
import { isObject } from "../schema/absent.ts";

export interface SettingChange {
  /** `agent.codex.command`. */
  readonly setting: string;
  readonly from: string;
  readonly to: string;
}

const longestName = 200;
const longestValue = 300;

export function listSettingChanges(before: BubbleConfig, after: BubbleConfig): SettingChange[] {
  return listChangesBetween(before, after, "");
}

function listChangesBetween(before: unknown, after: unknown, path: string): SettingChange[] {
  if (isObject(before) && isObject(after)) {
    const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...keys].flatMap((key) =>
      listChangesBetween(before[key], after[key], path === "" ? key : `${path}.${key}`),
    );
  }
  const [from, to] = [describeValue(before), describeValue(after)];
  return from === to
    ? []
    : [{ setting: clip(path, longestName), from: clip(from, longestValue), to: clip(to, longestValue) }];
}

const describeValue = (value: unknown): string => (value === undefined ? "not set" : JSON.stringify(value));

/** `agent.codex.command: "a" → "b"`. */
export const describeChange = ({ setting, from, to }: SettingChange): string => `${setting}: ${from} → ${to}`;

/** Where a change came from, as far as the record knows. */
export const readFrom = (readAt: string | undefined): string =>
  `read from bubble.toml${readAt ? ` at ${readAt}` : ""}; who edited it is not known`;

/** Changes after the start that decide who judges the work and what a judge sees. */
export const listJudgingSettings = ({ settings = [] }: Pick<State, "settings">): SettingChange[] =>
  settings.filter(({ setting }) => /^(?:agent\.|reviewer_)/.test(setting));
