// What can be said on a command line about a new bubble, and what it means in its settings.
import { isGateName } from "../../app/config/keys.ts";
import { buildUsageError } from "../../app/host/usage.ts";
import { readBoundAgents } from "../../app/making/agents.ts";
import { omitUndefined } from "../../core/model/value/defined.ts";
import type { Values } from "../verb/declaration.ts";

/** What can be said about a new bubble, whatever it runs. */
export const newBubbleFlags = {
  repo: { kind: "text", value: "<path>", about: "the repository; the current one if left out" },
  base: {
    kind: "text",
    value: "<branch>",
    about: "the branch to start from; the checked-out one if left out",
  },
  criterion: {
    kind: "list",
    value: '"<text>"',
    about: "an acceptance criterion, beside those in the task file",
  },
  agent: {
    kind: "list",
    value: "<role>=<agent>",
    namesBehind: "agent",
    about: "the agent for a role, or for a name that the workflow uses",
  },
  test: { kind: "list", value: "<command>", about: "a test command the referee runs on every handoff" },
  gate: {
    kind: "list",
    value: "<name>=<command>",
    about: "a gate of this bubble, beside the others or in the place of one of that name",
  },
  "no-tests": { kind: "switch", about: "there is no test command; needs --reason" },
  reason: { kind: "text", value: '"<text>"', about: "with --no-tests: why" },
  yes: { kind: "switch", about: "print what would run that is not confirmed yet, and confirm exactly that" },
  set: {
    kind: "list",
    value: "<key>=<value>",
    about: "a value of trigger.payload; JSON keeps its type, all else is text",
  },
  payload: { kind: "text", value: "<file.json>", about: "values of trigger.payload; --set wins" },
  mode: { kind: "text", about: "git worktree, or a full clone", oneOf: ["worktree", "clone"] },
  setup: { kind: "text", value: "<command>", about: "run once in each fresh tree, e.g. npm ci" },
  "no-setup": { kind: "switch", about: "run nothing there, whatever the lockfile suggests" },
  "final-gates": {
    kind: "text",
    about: "where the gates run that an approval rests on; a clean checkout if left out",
    oneOf: ["clean", "worktree"],
  },
  "base-gates": {
    kind: "text",
    about: "whether the gates run once on the base before any agent is started; they do if left out",
    oneOf: ["clean", "off"],
  },
  worktrees: { kind: "text", value: "<folder>", about: "the folder that holds the worktree" },
  "max-rounds": { kind: "number", value: "N", about: "rounds before a human is asked" },
  "max-usd": {
    kind: "number",
    value: "N",
    about: "money it and its children may cost before a human is asked",
  },
  "max-tokens": { kind: "number", value: "N", about: "tokens they may use before a human is asked" },
  "max-minutes": { kind: "number", value: "N", about: "minutes agents may work before a human is asked" },
  "no-budget": { kind: "switch", about: "no limit in tokens, money or minutes" },
  in: { kind: "list", value: "<glob>", about: "only these files may change" },
  out: { kind: "list", value: "<glob>", about: "these files are out of scope" },
  "do-not-touch": { kind: "list", value: "<glob>", about: "these files must never change" },
} as const;

export type NewBubbleFlags = Values<typeof newBubbleFlags>;

/** The flags that are settings of the bubble, in bubble.toml's own words. */
export function readFlagSettings(flags: NewBubbleFlags): Record<string, unknown> {
  const agents = readBoundAgents(flags.agent);
  const lists = { in: flags.in, out: flags.out, do_not_touch: flags["do-not-touch"] };
  const scope = Object.fromEntries(Object.entries(lists).filter(([, globs]) => globs.length > 0));
  const budget = buildBudget(flags);
  return omitUndefined({
    work_mode: flags.mode,
    setup: flags.setup,
    worktrees: flags.worktrees,
    final_gates: flags["final-gates"],
    base_gates: flags["base-gates"],
    max_rounds: flags["max-rounds"],
    ...(Object.keys(agents).length > 0 ? { agents } : {}),
    ...(Object.keys(scope).length > 0 ? { scope } : {}),
    ...(Object.keys(budget).length > 0 ? { budget } : {}),
  });
}

/** The limits that the flags name; --no-budget switches off those of the project too. */
function buildBudget(flags: NewBubbleFlags): Record<string, unknown> {
  const limits = {
    max_usd: flags["max-usd"],
    max_tokens: flags["max-tokens"],
    max_minutes: flags["max-minutes"],
  };
  const given = Object.entries(limits).filter(([, limit]) => limit !== undefined);
  if (!flags["no-budget"]) return Object.fromEntries(given);
  const [name] = given.map(([limit]) => `--${limit.replace("_", "-")}`);
  if (name)
    throw buildUsageError(
      "usage.contradiction",
      `--no-budget and ${name} contradict each other`,
      `leave ${name} out`,
    );
  return Object.fromEntries(Object.keys(limits).map((limit) => [limit, "off"]));
}

/** `--gate typecheck="npx tsc --noEmit"`: the gates that were named for one bubble. */
export function readGateFlags({ gate }: Pick<NewBubbleFlags, "gate">): Readonly<Record<string, string>> {
  const pairs = gate.map(buildGateByFlag);
  const twice = pairs.find(([name], i) => pairs.findIndex(([other]) => other === name) !== i);
  if (twice)
    throw buildUsageError(
      "usage.repeated",
      `--gate ${twice[0]} is named twice`,
      "give each gate its own name",
    );
  return Object.fromEntries(pairs);
}

function buildGateByFlag(word: string): readonly [name: string, command: string] {
  const at = word.indexOf("=");
  const [name, command] = [word.slice(0, at), word.slice(at + 1).trim()];
  if (at > 0 && command !== "" && isGateName(name)) return [name, command];
  throw buildUsageError(
    "usage.bad-value",
    `--gate ${word} is no <name>=<command>; a name has letters, digits, -, _ and :, at most 40`,
    '--gate typecheck="npx tsc --noEmit"',
  );
}
