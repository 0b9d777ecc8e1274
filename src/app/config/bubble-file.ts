// bubble.toml: read strictly, with every problem at its line, and written so that a person can edit it.
import { parse, TomlError } from "smol-toml";
import { BubbleConfig, changeableWhileRunning, pinnedAtCreation } from "../../core/model/config.ts";
import { assertInvariant } from "../../core/model/refusal.ts";
import { check } from "../../core/model/value/validate.ts";
import { isDeepValue, tooDeep } from "../../core/text/json.ts";
import { buildFileError, formatFileSpot, type LocateProblem } from "../files/problems.ts";
import { locateTomlKeys } from "../files/toml-places.ts";
import { buildUsageError } from "../host/usage.ts";
import { settings } from "./keys.ts";
import { checkConfig, type Setting } from "./problems.ts";

/** The configuration a file spells, defaults filled in. Throws one usage error that lists every problem. */
export function parseBubbleToml(text: string, file: string): BubbleConfig {
  const values = parseToml(text, file);
  return complete(values, file, () => locateTomlKeys(text), "correct it and give the command again");
}

/** The same for values from flags and defaults, which have no lines. */
export function completeConfigValues(values: Readonly<Record<string, unknown>>): BubbleConfig {
  return complete(values, "configuration", () => () => undefined, "pairflow bubble create --help");
}

function complete(
  given: Readonly<Record<string, unknown>>,
  file: string,
  places: () => LocateProblem,
  hint: string,
): BubbleConfig {
  // Leaving the table out must not switch the demands of a review off.
  const values = { review: {}, ...given };
  const problems = checkConfig(values);
  if (problems.length > 0) throw buildFileError(file, problems, places(), hint);
  const checked = check(BubbleConfig, values);
  assertInvariant(checked.ok, "a configuration without problems is valid");
  return structuredClone(checked.value);
}

function parseToml(text: string, file: string): Record<string, unknown> {
  try {
    const values = parse(text);
    if (!isDeepValue(values)) return values;
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    if (/excessively nested/.test(error.message))
      throw buildUsageError("config.syntax", `${formatFileSpot(file, error)}: ${tooDeep}`);
    const what = (error.message.split("\n")[0] ?? "").replace(/^Invalid TOML document: /, "");
    throw buildUsageError(
      "config.syntax",
      `${formatFileSpot(file, error)}: ${what}`,
      undefined,
      listSnippet(error.codeblock),
    );
  }
  throw buildUsageError("config.syntax", `${file}: ${tooDeep}`);
}

const listSnippet = (block: string): string[] => block.split("\n").filter((line) => line.trim() !== "");

/** The file `bubble create` writes: every setting, in the specification's order, with what it is for. */
export function renderBubbleToml(config: BubbleConfig): string {
  const tables = Object.keys(settings).filter((key) => isTable(config[key as Setting]));
  const plain = Object.keys(settings).filter((key) => !tables.includes(key));
  return [
    `# Bubble ${config.id}. Pinned since it was created: ${pinnedAtCreation.join(", ")}.`,
    "# The rest may be changed until it starts; once it has started, only",
    `# ${changeableWhileRunning.join(", ")}.`,
    ...plain.map((key) => writePlainLine(key as Setting, config)),
    ...tables.flatMap((key) => listTableLines(key as Setting, config)),
    "",
  ].join("\n");
}

const isTable = (value: unknown) => typeof value === "object" && !Array.isArray(value);

function writePlainLine(key: Setting, config: BubbleConfig): string {
  const { about, example } = settings[key];
  const value = config[key];
  return value === undefined
    ? `# ${key} = ${toToml(example)} # ${about}`
    : `${key} = ${toToml(value)} # ${about}`;
}

/** What a table could also hold, as comments, so that nobody has to look the words up. */
const samples: Readonly<Partial<Record<Setting, Readonly<Record<string, string>>>>> = {
  commands: { test: "npm test" },
  notifications: {
    waiting_human_sound: "/System/Library/Sounds/Ping.aiff",
    converged_sound: "/System/Library/Sounds/Glass.aiff",
    command: "notify-my-phone",
    webhook: "https://chat.example/hooks/pairflow",
  },
};

function listTableLines(key: Setting, config: BubbleConfig): string[] {
  const table = config[key] as Readonly<Record<string, unknown>>;
  if (key === "agent") return listAgentLines(config);
  const unset = Object.entries(samples[key] ?? {}).filter(([name]) => table[name] === undefined);
  const shown = key === "commands" && Object.keys(table).length > 0 ? [] : unset;
  return [
    "",
    `# ${settings[key].about}`,
    `[${key}]`,
    ...listPairs(table),
    ...shown.map(([name, value]) => `# ${name} = ${toToml(value)}`),
  ];
}

function listAgentLines({ agent, agents }: BubbleConfig): string[] {
  const names = Object.keys(agent);
  const lines = names.flatMap((name) => [`[agent.${getTomlKey(name)}]`, ...listPairs(agent[name] ?? {})]);
  const sample = Object.values(agents)[0] ?? "codex";
  const none = [`# [agent.${getTomlKey(sample)}]`, `# adapter = ${toToml(sample)}`];
  return ["", `# ${settings.agent.about}`, ...(names.length > 0 ? lines : none)];
}

function listPairs(table: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(table).flatMap(([key, value]) =>
    value === undefined ? [] : [`${getTomlKey(key)} = ${toToml(value)}`],
  );
}

const getTomlKey = (key: string): string => (/^[\w-]+$/.test(key) ? key : toToml(key));

/** A value on one line. Tables stay inline, so that the order of their keys survives reading the file again. */
function toToml(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toToml).join(", ")}]`;
  if (typeof value === "string") return JSON.stringify(value).replaceAll("\u007f", "\\u007f");
  if (typeof value !== "object" || value === null) return String(value);
  const inside = listPairs(value as Readonly<Record<string, unknown>>);
  return inside.length > 0 ? `{ ${inside.join(", ")} }` : "{}";
}
