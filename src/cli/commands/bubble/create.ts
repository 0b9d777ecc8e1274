// pairflow bubble create: everything a bubble will run on is resolved, shown, confirmed and pinned.
import { join } from "node:path";
import { listAgentsNotReady, suggestInstalls } from "../../../app/agents/ready.ts";
import { readCard } from "../../../app/agents/reviewer-cards.ts";
import { projectFile } from "../../../app/config/project.ts";
import { getConfigFile, getWorktreeRoot, requireRepo } from "../../../app/host/locate.ts";
import { buildUsageError } from "../../../app/host/usage.ts";
import type { MadeBubbleResult } from "../../../app/making/make.ts";
import { nameAfterWords } from "../../../app/making/names.ts";
import { readPayload } from "../../../app/making/payload.ts";
import { listRepositoryNotes } from "../../../app/making/repository-notes.ts";
import { readTask } from "../../../app/task/file.ts";
import { readIssue } from "../../../app/task/issue.ts";
import { createWorld } from "../../../app/world/world.ts";
import { describeCard } from "../../../core/measure/card.ts";
import type { Profile } from "../../../core/model/gate.ts";
import { omitUndefined } from "../../../core/model/value/defined.ts";
import { describeImplementedDocument } from "../../../core/signing/document.ts";
import { formatBudget, suggestBudgetFlags } from "../../../core/views/bubble/usage.ts";
import type { SandboxState } from "../../../ports/system/sandbox.ts";
import { newBubbleFlags, readGateFlags } from "../../new-bubble/flags.ts";
import { makeBubbleHere } from "../../new-bubble/new-bubble.ts";
import { describeConfinement, type GateOrigins, renderGates } from "../../render/bubble/gates.ts";
import { labelWidth, renderLabelled } from "../../render/table.ts";
import { askLine } from "../../terminal/ask.ts";
import { getScreenWidth, shortenPath, wrapSentences } from "../../terminal/style.ts";
import { defineVerb, type Shell } from "../../verb/declaration.ts";

export const bubbleCreate = defineVerb({
  words: "bubble create",
  also: ["create"],
  about: "Make a bubble: task, base branch, agents and test profile, pinned from the base commit",
  access: "operator",
  takes: '["<what is to be done>"]',
  example: 'pairflow bubble create "Fix the cart total" --test "npm test"',
  flags: {
    id: {
      kind: "text",
      value: "<id>",
      about: "short name; becomes branch bubble/<id> and session pf-<id>; made from the task if left out",
    },
    task: { kind: "text", value: "<file-or-text>", about: "what is to be done, also without the flag" },
    issue: {
      kind: "text",
      value: "<file|number|url|->",
      about: "take the task from an issue: a file, standard input, or GitHub by way of gh",
    },
    implementer: { kind: "text", value: "<agent>", names: "agent", about: "the agent that implements first" },
    reviewer: { kind: "text", value: "<agent>", names: "agent", about: "the agent that reviews first" },
    workflow: {
      kind: "text",
      value: "<name-or-file>",
      names: "workflow",
      about: "what the bubble runs; pair if left out",
    },
    kind: { kind: "text", about: "what the bubble makes", oneOf: ["implementation", "document"] },
    document: { kind: "text", value: "<path>", about: "with --kind document: the document it writes" },
    implements: {
      kind: "text",
      value: "<bubble>",
      names: "bubble",
      about: "the approved document bubble this one implements",
    },
    ...newBubbleFlags,
  },
  async run(shell, { flags, words }) {
    const { implementer, reviewer } = flags;
    const task = await readTaskWords(shell, flags, words);
    const id = flags.id ?? (await nameAfterTask(shell, flags.repo, task));
    const roles = [
      ...flags.agent,
      ...(implementer ? [`implementer=${implementer}`] : []),
      ...(reviewer ? [`reviewer=${reviewer}`] : []),
    ];
    const workflow = flags.workflow ?? (flags.kind === "document" ? "document" : undefined);
    const made = await makeBubbleHere(
      shell,
      { ...flags, agent: roles },
      {
        id,
        task,
        settings: buildSettings(flags),
        payload: readPayload(flags.payload, flags.set, shell.cwd),
        workflow,
      },
    );
    if (made.refusal) return { refusal: made.refusal };
    const { world, baseCommit, config, profile } = made;
    const { repo_path: repo, base_branch: base } = config;
    const agents = Object.entries(config.agents).map(([role, agent]) => `${role} ${agent}`);
    const near = (path: string) => shortenPath(path, shell.cwd);
    const lacking = listAgentsNotReady(config);
    const file = near(getConfigFile(repo, id));
    const mend = suggestInstalls(config) ?? `edit ${file}: say under [agent.<name>] how each agent is run`;
    const sandbox = await world.sandboxes.state();
    const notes = await listRepositoryNotes(world, made);
    const width = getScreenWidth();
    const rows: Row[] = [
      ["worktree", near(join(getWorktreeRoot(repo, config.worktrees), id))],
      ["agents", agents.join(", ")],
      ...lacking.map((problem): Row => ["agents", problem]),
      ...listCard(repo, config.agents.reviewer),
      ...(made.document ? [["builds", describeImplementedDocument(made.document)] as const] : []),
      ...renderGateRows({ profile, sandbox, origins: buildOrigins(flags, made), width: width - labelWidth }),
      ["budget", `${formatBudget(config.budget)}${suggestBudgetFlags(config.budget)}`],
      ...(config.setup ? [["setup", config.setup] as const] : []),
      ...notes.map((line): Row => ["note", line]),
    ];
    const text = [
      wrapSentences(
        `Created ${id}: branch ${config.bubble_branch} from ${base} (${baseCommit.slice(0, 7)})`,
        width,
      ),
      ...renderLabelled(rows, width),
      ...(lacking.length > 0 ? [wrapSentences(`Next: ${mend}`, width)] : []),
      `Next: pairflow bubble start --id ${id}`,
    ].join("\n");
    return {
      text,
      json: {
        bubble: id,
        base,
        base_commit: baseCommit,
        branch: config.bubble_branch,
        gates: profile.gates,
        gates_from: profile.source,
        sandbox: sandbox.kind,
        budget: config.budget,
        criteria: made.task.criteria,
      },
    };
  },
});

/** The words behind the command, or the flag; a person at a terminal is asked. */
async function readTaskWords(
  shell: Shell,
  { task: flag, issue }: { readonly task?: string; readonly issue?: string },
  words: readonly string[],
): Promise<string> {
  const said = [
    ...(words.length > 0 ? [words.join(" ")] : []),
    ...(flag === undefined ? [] : [`--task ${flag}`]),
    ...(issue === undefined ? [] : [`--issue ${issue}`]),
  ];
  if (said.length > 1)
    throw buildUsageError(
      "usage.repeated",
      `the task is named twice: ${said.join(" and ")}`,
      "leave one of them out",
    );
  if (issue !== undefined) return readIssue(issue, shell.cwd, shell.env);
  if (flag !== undefined) return flag;
  if (words.length > 0) return words.join(" ");
  const typed = shell.interactive ? (await askLine("What is to be done? "))?.trim() : undefined;
  if (typed) return typed;
  throw buildUsageError(
    "usage.missing-flag",
    "bubble create needs what is to be done",
    'pairflow bubble create "what is to be done"',
  );
}

function nameAfterTask(shell: Shell, repo: string | undefined, task: string): Promise<string> {
  const world = createWorld(requireRepo(repo, shell.cwd, shell.env), "process");
  return nameAfterWords(world, readTask(task, shell.cwd).title, "work");
}

type Row = readonly [label: string, text: string];

/** What the chosen reviewer caught when it was measured here. */
function listCard(repo: string, reviewer: string | undefined): Row[] {
  const card = reviewer ? readCard(repo, reviewer) : undefined;
  return card ? [["agents", `${reviewer} ${describeCard(card)}`]] : [];
}

interface ShownGates {
  readonly profile: Profile;
  readonly sandbox: SandboxState;
  readonly origins: GateOrigins;
  readonly width: number;
}

/** The gates as they will run: where they come from and what confines them, then one below the other. */
function renderGateRows({ profile, sandbox, origins, width }: ShownGates): Row[] {
  if (profile.gates.length === 0) return [["gates", `none (${profile.not_available ?? "not confirmed"})`]];
  const lines = [
    `${profile.source}; ${describeConfinement(sandbox)}`,
    ...renderGates(profile.gates, width, origins),
  ];
  return lines.map((line) => ["gates", line]);
}

/** Which gates were named by a flag or by the project's settings, where not all come from one place. */
function buildOrigins(
  flags: { readonly gate: readonly string[] },
  { profile, config }: Pick<MadeBubbleResult, "profile" | "config">,
): GateOrigins {
  if (!profile.source.includes(" and ")) return {};
  const named = Object.keys(config.commands).map((name) => [name, projectFile] as const);
  const flagged = Object.keys(readGateFlags(flags)).map((name) => [name, "--gate"] as const);
  return Object.fromEntries([...named, ...flagged]);
}

/** What the bubble makes, in bubble.toml's own words. */
function buildSettings(flags: {
  readonly kind?: string;
  readonly document?: string;
  readonly implements?: string;
}): Record<string, unknown> {
  const { kind, document, implements: source } = flags;
  return omitUndefined({ kind, document, implements: source });
}
