// .pairflow/config.yaml: what a project's bubbles have in common. It is read from the base commit, so that it is as
// reviewed as the code it stands beside, and no agent can change it for its own bubble.
import type { DeclaredGates } from "../../core/gates/detect/yaml-gate.ts";
import { defaultBudget } from "../../core/limits/budget.ts";
import type { AgentSettings } from "../../core/model/config.ts";
import { suggestWord } from "../../core/text/nearest.ts";
import { buildFileError, type FileProblem, show } from "../files/problems.ts";
import { isTable } from "../files/schema-keys.ts";
import { readYaml } from "../files/yaml.ts";
import { checkGatesValue, parseDeclaredGates } from "./gates.ts";
import { checkSetting, isSetting, type Setting } from "./problems.ts";
import { checkStoreValue, parseStoreValue, type StoreSettings } from "./store.ts";

export interface ProjectConfig {
  /** How agents are run, by name. */
  readonly agents: Readonly<Record<string, AgentSettings>>;
  /** Settings of bubble.toml that a new bubble starts with. */
  readonly defaults: Readonly<Record<string, unknown>>;
  /** The gates of every bubble; what the files suggest if left out. */
  readonly gates?: DeclaredGates;
  /** The server that keeps the records; in files of this machine if left out. */
  readonly store?: StoreSettings;
}

/** A project that says nothing of its own. */
export const noProject: ProjectConfig = { agents: {}, defaults: {} };

export const projectFile = ".pairflow/config.yaml";

/** The settings that make sense for all bubbles of a project; the others are one bubble's own. */
const shareable = [
  "work_mode",
  "reviewer_context_mode",
  "reviewer_sees_summary",
  "watchdog_timeout_minutes",
  "turn_timeout_minutes",
  "wait_for_quota",
  "max_rounds",
  "budget",
  "open_command",
  "try_command",
  "setup",
  "setup_needs",
  "final_gates",
  "base_gates",
  "approval",
  "second_person",
  "worktrees",
  "git_filters",
  "sandbox_home",
  "require_document",
  "agents",
  "commands",
  "scope",
  "severity",
  "review",
  "notifications",
] as const satisfies readonly Setting[];

/** Who plays the roles of the pair when neither project nor flags say so. */
const usualAgents = { implementer: "codex", reviewer: "claude" } as const;

type Read = (path: string) => Promise<string | undefined>;

/** The project's configuration at the base commit; empty when there is no such file. */
export async function readProjectConfig(read: Read): Promise<ProjectConfig> {
  return parseProjectConfig((await read(projectFile)) ?? "", projectFile);
}

export function parseProjectConfig(text: string, file: string): ProjectConfig {
  const { value, places } = readYaml(text, file, "config.syntax");
  const problems = isTable(value ?? {})
    ? listProblemsIn((value ?? {}) as Record<string, unknown>)
    : [reportNotATable([], value)];
  if (problems.length > 0)
    throw buildFileError(file, problems, places, "correct it, commit it, and create the bubble again");
  const { agents, defaults, gates, store } = (value ?? {}) as Partial<ProjectConfig>;
  const declared = parseDeclaredGates(gates);
  return {
    ...{ agents: agents ?? {}, defaults: defaults ?? {} },
    ...(declared ? { gates: declared } : {}),
    ...(store ? { store: parseStoreValue(store) } : {}),
  };
}

function listProblemsIn(value: Readonly<Record<string, unknown>>): FileProblem[] {
  return Object.entries(value).flatMap(([key, inside]) => {
    if (key === "agents") return checkSetting("agent", inside ?? {}, ["agents"]);
    if (key === "gates") return checkGatesValue(inside);
    if (key === "store") return checkStoreValue(inside);
    if (key !== "defaults")
      return [
        reportUnknown(
          [key],
          `there is no key ${key}${suggestWord(key, ["agents", "defaults", "gates", "store"])}`,
        ),
      ];
    return isTable(inside ?? {})
      ? listDefaultsProblems(inside ?? {})
      : [reportNotATable(["defaults"], inside)];
  });
}

function listDefaultsProblems(defaults: object): FileProblem[] {
  return Object.entries(defaults).flatMap(([key, value]) => {
    const path = ["defaults", key];
    if (shareable.some((name) => name === key)) return checkSetting(key as Setting, value, path);
    if (isSetting(key))
      return [
        reportUnknown(path, `${key} is each bubble's own and has no default; it is set in bubble.toml`),
      ];
    return [reportUnknown(path, `there is no default ${key}${suggestWord(key, shareable)}`)];
  });
}

const reportUnknown = (path: readonly string[], message: string): FileProblem => ({
  code: "config.unknown-key",
  message,
  path,
  part: "key",
});

function reportNotATable(path: readonly string[], value: unknown): FileProblem {
  const what = path.length > 0 ? path.join(".") : "the file";
  return {
    code: "config.bad-value",
    message: `${what} must be a table of settings, not ${show(value)}`,
    path,
    part: "value",
  };
}

/** What a new bubble is made of: flags win over the project's defaults, table by table and key by key. */
export function mergeDefaults(
  { agents, defaults }: ProjectConfig,
  flags: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const usual = { agents: usualAgents, budget: defaultBudget };
  const merged = mergeOver(mergeOver(usual, defaults), flags);
  const bound = Object.values(merged.agents as Record<string, string>);
  const settings = Object.fromEntries(Object.entries(agents).filter(([name]) => bound.includes(name)));
  return mergeOver({ agent: settings }, merged);
}

function mergeOver(
  under: Readonly<Record<string, unknown>>,
  upper: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const entries = Object.entries(upper).map(([key, value]) => {
    const below = under[key];
    return [key, isTable(below) && isTable(value) ? { ...below, ...value } : value];
  });
  return { ...under, ...Object.fromEntries(entries) };
}
