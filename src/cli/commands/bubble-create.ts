// pairflow bubble create: everything a bubble will run on is resolved, shown, confirmed and pinned.
import { join } from "node:path";
import { agentsNotReady } from "../../app/agents-ready.ts";
import { readCard } from "../../app/bench-reviewer/kept-cards.ts";
import { configFile, worktreeRoot } from "../../app/locate.ts";
import { givenPayload } from "../../app/workflows/run.ts";
import { cardLine } from "../../core/measure/card.ts";
import { documentWords } from "../../core/views/document.ts";
import { budgetHint, budgetText } from "../../core/views/usage.ts";
import { gateList } from "../new-bubble/confirm-profile.ts";
import { newBubbleFlags } from "../new-bubble/flags.ts";
import { makeBubble } from "../new-bubble.ts";
import { nearPath } from "../render/style.ts";
import { verb } from "../verb.ts";

export const bubbleCreate = verb({
  words: "bubble create",
  about: "Make a bubble: task, base branch, agents and test profile, pinned from the base commit",
  access: "operator",
  example: "pairflow bubble create --id fix-cart --task tasks/cart.md",
  flags: {
    id: {
      kind: "text",
      value: "<id>",
      about: "short name; becomes branch bubble/<id> and session pf-<id>",
      required: true,
    },
    task: { kind: "text", value: "<file-or-text>", about: "what is to be done", required: true },
    implementer: { kind: "text", value: "<agent>", about: "the agent that implements first" },
    reviewer: { kind: "text", value: "<agent>", about: "the agent that reviews first" },
    workflow: {
      kind: "text",
      value: "<name-or-file>",
      about: "what the bubble runs; pair if left out",
    },
    kind: { kind: "text", about: "what the bubble makes", oneOf: ["implementation", "document"] },
    document: { kind: "text", value: "<path>", about: "with --kind document: the document it writes" },
    implements: {
      kind: "text",
      value: "<bubble>",
      about: "the approved document bubble this one implements",
    },
    ...newBubbleFlags,
  },
  async run(shell, { flags }) {
    const { id, task, implementer, reviewer } = flags;
    const roles = [
      ...flags.agent,
      ...(implementer ? [`implementer=${implementer}`] : []),
      ...(reviewer ? [`reviewer=${reviewer}`] : []),
    ];
    const workflow = flags.workflow ?? (flags.kind === "document" ? "document" : undefined);
    const made = await makeBubble(
      shell,
      { ...flags, agent: roles },
      {
        id,
        task,
        settings: settingsOf(flags),
        payload: givenPayload(flags.payload, flags.set, shell.cwd),
        ...(workflow === undefined ? {} : { workflow }),
      },
    );
    if (made.refusal) return { refusal: made.refusal };
    const { repo, base, baseCommit, config, profile } = made;
    const gates = gateList(profile) || `none (${profile.not_available ?? "not confirmed"})`;
    const agents = Object.entries(config.agents).map(([role, agent]) => `${role} ${agent}`);
    const near = (path: string) => nearPath(path, shell.cwd);
    const lacking = agentsNotReady(config);
    const edit = `Next: edit ${near(configFile(repo, id))}: say under [agent.<name>] how each agent is run`;
    const text = [
      `Created ${id}: branch ${config.bubble_branch} from ${base} (${baseCommit.slice(0, 7)}), worktree ${near(join(worktreeRoot(repo, config.worktrees), id))}`,
      `  agents ${agents.join(", ")}`,
      ...lacking.map((problem) => `         ${problem}`),
      ...cardOf(repo, config.agents.reviewer),
      ...(made.document ? [`  builds ${documentWords(made.document)}`] : []),
      `  gates  ${gates}`,
      `  budget ${budgetText(config.budget)}${budgetHint(config.budget)}`,
      ...(config.setup ? [`  setup  ${config.setup}`] : []),
      ...made.repositoryNotes.map((line) => `         ${line}`),
      ...(lacking.length > 0 ? [edit] : []),
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
        budget: config.budget,
        criteria: made.task.criteria,
      },
    };
  },
});

/** What the chosen reviewer caught when it was measured here. */
function cardOf(repo: string, reviewer: string | undefined): string[] {
  const card = reviewer ? readCard(repo, reviewer) : undefined;
  return card ? [`         ${reviewer} ${cardLine(card)}`] : [];
}

/** What the bubble makes, in bubble.toml's own words. */
function settingsOf(flags: {
  readonly kind?: string;
  readonly document?: string;
  readonly implements?: string;
}): Record<string, unknown> {
  const { kind, document, implements: source } = flags;
  return Object.fromEntries(
    Object.entries({ kind, document, implements: source }).filter(([, value]) => value !== undefined),
  );
}
