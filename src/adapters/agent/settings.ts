// What the adapters' settings have in common: a few known words, each with its form, and no word that nobody reads.
import type { AgentSettings } from "../../core/model/config.ts";
import { isGivenLabel } from "../../core/model/value/label.ts";
import { checkVariableName } from "../../core/redaction/variables.ts";
import { suggestWord } from "../../core/text/nearest.ts";

export interface Words {
  /** Texts that must be there. */
  readonly required?: readonly string[];
  /** Texts that may be there. */
  readonly optional?: readonly string[];
  /** Words that may be there with one of a few values. */
  readonly choices?: Readonly<Record<string, readonly string[]>>;
  /** Words that may be there with a list of texts. */
  readonly lists?: readonly string[];
  /** Words that may be there with a number that is not negative. */
  readonly amounts?: readonly string[];
}

/** What every agent may have beside its adapter's own words; the rules and the composition root read these. */
const common = {
  texts: ["adapter", "fallback"],
  lists: ["variables", "home", "needs"],
  amounts: ["usd_per_million_input", "usd_per_million_output"],
} as const;

/** What is wrong with the words of these settings, or undefined. */
export function checkWords(settings: AgentSettings, words: Words): string | undefined {
  const { required = [], optional = [], choices = {} } = words;
  const lists = [...(words.lists ?? []), ...common.lists];
  const amounts = [...(words.amounts ?? []), ...common.amounts];
  const texts = [...common.texts, ...required, ...optional];
  const known = [...texts, ...Object.keys(choices), ...lists, ...amounts];
  const unknown = Object.keys(settings).find((word) => !known.includes(word));
  if (unknown !== undefined)
    return `adapter ${settings.adapter} has no setting ${unknown}${suggestWord(unknown, known)}`;
  const missing = required.find((word) => settings[word] === undefined);
  if (missing !== undefined) return `adapter ${settings.adapter} needs the setting ${missing}`;
  const given = (word: string) => settings[word] !== undefined;
  const bad = texts.find((word) => given(word) && !isText(settings[word]));
  if (bad !== undefined) return `the setting ${bad} must be a text that is not empty`;
  const noList = lists.find((word) => given(word) && !isTexts(settings[word]));
  if (noList !== undefined) return `the setting ${noList} must be a list of texts`;
  const noAmount = amounts.find((word) => given(word) && !isAmount(settings[word]));
  if (noAmount !== undefined) return `the setting ${noAmount} must be a number, 0 or more`;
  return checkChoices(settings, choices) ?? checkVariables(settings) ?? checkNeeds(settings);
}

function checkNeeds(settings: AgentSettings): string | undefined {
  const wrong = getListSetting(settings, "needs").find((label) => !isGivenLabel(label));
  return wrong === undefined
    ? undefined
    : `the setting needs: ${wrong} is no label: small letters, digits and -, and not has-…`;
}

function checkVariables(settings: AgentSettings): string | undefined {
  const problems = getListSetting(settings, "variables").map(checkVariableName);
  const problem = problems.find((one) => one !== undefined);
  return problem === undefined ? undefined : `the setting variables: ${problem}`;
}

function checkChoices(
  settings: AgentSettings,
  choices: Readonly<Record<string, readonly string[]>>,
): string | undefined {
  for (const [word, values] of Object.entries(choices)) {
    const value = settings[word];
    if (value === undefined || values.includes(value as string)) continue;
    const near = typeof value === "string" ? suggestWord(value, values) : "";
    return `the setting ${word} must be one of ${values.join(", ")}${near}`;
  }
  return undefined;
}

/** A setting that `checkWords` has found to be a text or a choice, or undefined. */
export function getTextSetting(settings: AgentSettings, word: string): string | undefined {
  const value = settings[word];
  return isText(value) ? value : undefined;
}

/** A setting that `checkWords` has found to be a list; empty where it is left out. */
export function getListSetting(settings: AgentSettings, word: string): readonly string[] {
  const value = settings[word];
  return isTexts(value) ? value : [];
}

/** A setting that `checkWords` has found to be a number, or undefined. */
export function getNumberSetting(settings: AgentSettings, word: string): number | undefined {
  const value = settings[word];
  return isAmount(value) ? value : undefined;
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}

function isAmount(value: unknown): value is number {
  return typeof value === "number" && value >= 0;
}
