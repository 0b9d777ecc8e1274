// What the adapters' settings have in common: a few known words, each a text, and no word that nobody reads.
import type { AgentSettings } from "../../core/model/config.ts";
import { nearest } from "../../core/workflow/nearest.ts";

export interface Words {
  readonly required: readonly string[];
  readonly optional?: readonly string[];
}

/** What is wrong with the words of these settings, or undefined. */
export function checkWords(settings: AgentSettings, { required, optional = [] }: Words): string | undefined {
  const known = ["adapter", ...required, ...optional];
  const unknown = Object.keys(settings).find((word) => !known.includes(word));
  if (unknown !== undefined) {
    return `adapter ${settings.adapter} has no setting ${unknown}${nearest(unknown, known)}`;
  }
  const missing = required.find((word) => settings[word] === undefined);
  if (missing !== undefined) return `adapter ${settings.adapter} needs the setting ${missing}`;
  const bad = known.find((word) => settings[word] !== undefined && !isText(settings[word]));
  return bad === undefined ? undefined : `the setting ${bad} must be a text that is not empty`;
}

/** A setting that `checkWords` has found to be a text, or undefined. */
export function textSetting(settings: AgentSettings, word: string): string | undefined {
  const value = settings[word];
  return isText(value) ? value : undefined;
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}
