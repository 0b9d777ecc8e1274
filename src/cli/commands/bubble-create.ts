// pairflow bubble create: everything a bubble will run on is resolved, shown, confirmed and pinned.
import { join } from "node:path";
import { agentsNotReady } from "../../app/agents-ready.ts";
import { readCard } from "../../app/bench-reviewer/kept-cards.ts";
import { completeConfig } from "../../app/config-file.ts";
import { checkBranch, checkDocument, checkKind, create, taken } from "../../app/create.ts";
import { detectProfile, profileFrom } from "../../app/detect.ts";
import { readKnowledge } from "../../app/knowledge.ts";
import { checkId, configFile, repoOf, worktreeRoot } from "../../app/locate.ts";
import { mergeDefaults, readProjectConfig } from "../../app/project-config.ts";
import { readTask } from "../../app/task-file.ts";
import { worldOf } from "../../app/world.ts";
import { cardLine } from "../../core/measure/card.ts";
import { confirmProfile, documentProfile } from "../confirm-profile.ts";
import { usage } from "../outcome.ts";
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
    repo: { kind: "text", value: "<path>", about: "the repository; the current one if left out" },
    base: {
      kind: "text",
      value: "<branch>",
      about: "the branch to start from; the checked-out one if left out",
    },
    task: { kind: "text", value: "<file-or-text>", about: "what is to be done", required: true },
    criterion: {
      kind: "list",
      value: '"<text>"',
      about: "an acceptance criterion, beside those in the task file",
    },
    implementer: { kind: "text", value: "<agent>", about: "the agent that implements first" },
    reviewer: { kind: "text", value: "<agent>", about: "the agent that reviews first" },
    test: { kind: "list", value: "<command>", about: "a test command the referee runs on every handoff" },
    "no-tests": { kind: "switch", about: "there is no test command; needs --reason" },
    reason: { kind: "text", value: '"<text>"', about: "with --no-tests: why" },
    yes: { kind: "switch", about: "take the detected test commands without asking" },
    workflow: { kind: "text", value: "<name>", about: "what the bubble runs; pair if left out" },
    kind: { kind: "text", about: "what the bubble makes", oneOf: ["implementation", "document"] },
    document: { kind: "text", value: "<path>", about: "with --kind document: the document it writes" },
    implements: {
      kind: "text",
      value: "<bubble>",
      about: "the approved document bubble this one implements",
    },
    mode: { kind: "text", about: "git worktree, or a full clone", oneOf: ["worktree", "clone"] },
    setup: { kind: "text", value: "<command>", about: "run once in the fresh tree, e.g. npm ci" },
    "max-rounds": { kind: "number", value: "N", about: "rounds before a human is asked" },
    in: { kind: "list", value: "<glob>", about: "only these files may change" },
    out: { kind: "list", value: "<glob>", about: "these files are out of scope" },
    "do-not-touch": { kind: "list", value: "<glob>", about: "these files must never change" },
  },
  async run(shell, { flags }) {
    const id = checkId(flags.id, "choose another one, such as --id fix-cart");
    const repo = repoOf(flags.repo, shell.cwd, shell.env);
    const world = worldOf(repo, "process");
    if (await taken(world, id))
      return {
        refusal: {
          code: "bubble.exists",
          message: `bubble ${id} exists already`,
          hint: `pairflow bubble status --id ${id}`,
        },
      };
    const task = readTask(flags.task, shell.cwd, flags.criterion);
    const base = flags.base ?? (await world.workspace.defaultBranch(repo));
    const baseCommit = await world.workspace.resolve(repo, base);
    const read = (path: string) => world.workspace.fileAt(repo, baseCommit, path);
    const project = await readProjectConfig(read);
    const config = completeConfig(mergeDefaults(project, settingsOf(flags, id, repo, base)));
    checkKind(config);
    await checkBranch(config);
    await checkDocument(world, config);
    const files = await world.workspace.filesAt(repo, baseCommit);
    const given = {
      commands: config.commands,
      tests: flags.test,
      ...(flags["no-tests"] ? { noTests: noTestsReason(flags.reason) } : {}),
    };
    const profile =
      config.document === undefined
        ? await confirmProfile(
            shell,
            profileFrom({ detected: await detectProfile(files, read, project.gates), ...given }),
            flags.yes,
          )
        : documentProfile(config.document, profileFrom(given));
    const knowledge = await readKnowledge(world, repo, baseCommit);
    const handled = await create(world, { config, profile, task, baseCommit, knowledge });
    if (handled.refusal) return { refusal: handled.refusal };
    const gates =
      profile.gates.map((gate) => `${gate.name} "${gate.command}"`).join(", ") ||
      `none (${profile.not_available ?? "not confirmed"})`;
    const agents = Object.entries(config.agents).map(([role, agent]) => `${role} ${agent}`);
    const near = (path: string) => nearPath(path, shell.cwd);
    const lacking = agentsNotReady(config);
    const edit = `Next: edit ${near(configFile(repo, id))}: say under [agent.<name>] how each agent is run`;
    const text = [
      `Created ${id}: branch ${config.bubble_branch} from ${base} (${baseCommit.slice(0, 7)}), worktree ${near(join(worktreeRoot(repo), id))}`,
      `  agents ${agents.join(", ")}`,
      ...lacking.map((problem) => `         ${problem}`),
      ...cardOf(repo, config.agents.reviewer),
      `  gates  ${gates}`,
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
        criteria: task.criteria,
      },
    };
  },
});

/** What the chosen reviewer caught when it was measured here. */
function cardOf(repo: string, reviewer: string | undefined): string[] {
  const card = reviewer ? readCard(repo, reviewer) : undefined;
  return card ? [`         ${reviewer} ${cardLine(card)}`] : [];
}

function noTestsReason(reason: string | undefined): string {
  if (!reason?.trim())
    throw usage(
      "usage.missing-flag",
      "--no-tests needs --reason",
      'add --reason "why there is nothing to run"',
    );
  return reason;
}

/** The flags that are settings of the bubble, in bubble.toml's own words. */
function settingsOf(
  flags: { readonly [key: string]: unknown },
  id: string,
  repo: string,
  base: string,
): Record<string, unknown> {
  const agents = {
    ...(flags.implementer ? { implementer: flags.implementer } : {}),
    ...(flags.reviewer ? { reviewer: flags.reviewer } : {}),
  };
  const lists = {
    in: flags.in as string[],
    out: flags.out as string[],
    do_not_touch: flags["do-not-touch"] as string[],
  };
  const scope = Object.fromEntries(Object.entries(lists).filter(([, globs]) => globs.length > 0));
  const named = {
    workflow: "workflow",
    kind: "kind",
    implements: "implements",
    document: "document",
    mode: "work_mode",
    setup: "setup",
    "max-rounds": "max_rounds",
  };
  const values = Object.entries(named).flatMap(([flag, key]) =>
    flags[flag] === undefined ? [] : [[key, flags[flag]]],
  );
  return {
    ...(flags.kind === "document" ? { workflow: "document" } : {}),
    id,
    repo_path: repo,
    base_branch: base,
    bubble_branch: `bubble/${id}`,
    ...Object.fromEntries(values),
    ...(Object.keys(agents).length > 0 ? { agents } : {}),
    ...(Object.keys(scope).length > 0 ? { scope } : {}),
  };
}
