// pairflow init: finds what a repository has, lets a person confirm it once, writes the first configuration; tells agents' CLIs
// about Pairflow, and makes operator keys for automation.
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import {
  type AgentFile,
  describeInstalledFiles,
  type SkilledAgent,
  skilledAgents,
  writeAgentFiles,
} from "../../../app/agents/skill-files.ts";
import { registerKey } from "../../../app/caller/operator-key.ts";
import {
  checkCommittable,
  commitPrepared,
  listNotCommitted,
  suggestCommit,
} from "../../../app/config/commit-prepared.ts";
import { ignoreNotes, initialise, planInitialisation } from "../../../app/config/init.ts";
import { projectFile } from "../../../app/config/project.ts";
import { requireRepo } from "../../../app/host/locate.ts";
import { rememberRepository } from "../../../app/host/repositories/list.ts";
import { confirmProposal } from "../../../app/trust/proposal.ts";
import { createWorld } from "../../../app/world/world.ts";
import {
  askForInit,
  buildFoundConfig,
  type FoundProject,
  findProject,
  type InitDecision,
  renderFound,
} from "../../new-bubble/propose-here.ts";
import { bubbleFlags } from "../../verb/agent-flags.ts";
import { type CommandResult, defineVerb, type Shell } from "../../verb/declaration.ts";

export const init = defineVerb({
  words: "init",
  about:
    "Prepare this repository: find agents, gates and setup, confirm them once, write a short configuration",
  access: "operator",
  example: "pairflow init",
  flags: {
    repo: bubbleFlags.repo,
    "dry-run": { kind: "switch", about: "show what is found and what would be written; write nothing" },
    yes: { kind: "switch", about: "confirm and commit what is shown, without asking" },
    private: { kind: "switch", about: "write the ignore rules into .git/info/exclude instead of .gitignore" },
    agent: {
      kind: "list",
      value: skilledAgents.join("|"),
      about: "write the skill file by which this agent's CLI knows Pairflow",
      oneOf: skilledAgents,
    },
    "operator-key": {
      kind: "text",
      value: "<file>",
      about: "make a key that speaks for you where there is no terminal, and register it here",
    },
  },
  async run(shell, { flags }) {
    const repo = requireRepo(flags.repo, shell.cwd, shell.env);
    const folder = join(repo, ".pairflow");
    const isFirst = !existsSync(folder);
    // Commands that only look at a repository keep notes in that folder; where nothing is to be written they go again.
    const leaveNothing = () => isFirst && rmSync(folder, { recursive: true, force: true });
    const leave = (error: unknown) => {
      leaveNothing();
      throw error;
    };
    const world = createWorld(repo, "process");
    const found = await findProject(world, shell.interactive && !flags.yes && !flags["dry-run"]).catch(leave);
    const options = { isPrivate: flags.private, config: buildFoundConfig(found) };
    const steps = planInitialisation(repo, options);
    const screen = await renderFound(world, found);
    if (flags["dry-run"]) {
      leaveNothing();
      return renderDryRun(repo, screen, steps, options.config);
    }
    const files = steps.flatMap(({ commits }) => commits ?? []);
    const obstacle = files.length > 0 ? await checkCommittable(world, files) : "nothing is new";
    const isNews = steps.length > 0 || (found.proposal?.open.length ?? 0) > 0;
    const decision = await decideInit(shell, {
      ...{ isYes: flags.yes, mayCommit: obstacle === undefined, isNews, found },
      screen: [`${repo} would begin with`, ...screen],
    }).catch(leave);
    if (decision === "nothing") {
      leaveNothing();
      return { text: "Nothing was written", json: { repo, did: [] } };
    }
    const done = initialise(repo, options);
    rememberRepository(repo);
    if (decision !== "unasked" && found.proposal) await confirmProposal(world, found.proposal);
    const commit = decision === "commit" ? await commitPrepared(repo, done.toCommit) : undefined;
    const key = makeKey(repo, flags["operator-key"], shell.cwd);
    const skills = [...new Set(flags.agent)].flatMap((agent) => writeAgentFiles(repo, agent as SkilledAgent));
    const after = await describeInstalledFiles(repo, skills);
    const did = [
      ...done.did,
      ...skills.filter(isWritten).map(({ fate, file }) => `${fate} ${file}`),
      ...(key ? [describeKey(key)] : []),
      ...(commit?.commit ? [`committed ${done.toCommit.join(" and ")} (${commit.commit})`] : []),
    ];
    const failed = commit?.problem && `git did not commit: ${commit.problem}`;
    const notes = [found.problem, ...(await ignoreNotes(repo)), ...after.notes, failed].filter(isText);
    const own = flags.private ? [projectFile] : [".gitignore", projectFile];
    const toCommit = [...(await listNotCommitted(repo, own)), ...after.toCommit];
    return {
      text: describe({ repo, did, toCommit, screen: decision === "unasked" ? screen : [] }, notes, skills),
      json: { repo, did, notes, agent_files: skills, operator_key: key ?? null, found: toJson(found) },
    };
  },
});

const makeKey = (repo: string, file: string | undefined, cwd: string) =>
  file === undefined ? undefined : registerKey(repo, file, cwd);

const isText = (text: string | undefined): text is string => Boolean(text);

const isWritten = ({ fate }: AgentFile): boolean => fate === "wrote" || fate === "updated";

interface InitQuestion {
  readonly isYes: boolean;
  readonly mayCommit: boolean;
  /** Something is missing here, or would run that nobody has confirmed. */
  readonly isNews: boolean;
  readonly found: FoundProject;
  readonly screen: readonly string[];
}

/** `unasked`: nobody is here; what is missing is made, and nothing is confirmed. */
async function decideInit(
  shell: Shell,
  { isYes, mayCommit, isNews, found, screen }: InitQuestion,
): Promise<InitDecision | "unasked"> {
  const isShown = isYes || (shell.interactive && found.proposal !== undefined);
  if (!isShown || !isNews) return "unasked";
  for (const line of screen) shell.say(line);
  if (isYes) return mayCommit ? "commit" : "write";
  return askForInit(mayCommit);
}

function toJson({ proposal, agents }: FoundProject) {
  if (!proposal) return null;
  const { config, profile } = proposal;
  return { agents: agents ?? null, gates: profile.gates, setup: config.setup ?? null, budget: config.budget };
}

function renderDryRun(
  repo: string,
  screen: readonly string[],
  steps: ReturnType<typeof planInitialisation>,
  config: string,
): CommandResult {
  const isNew = steps.some(({ path }) => path.endsWith("config.yaml"));
  const text = [
    `Found in ${repo}`,
    ...screen,
    ...(steps.length > 0 ? ["It would", ...steps.map(({ does }) => `  ${does}`)] : []),
    ...(isNew ? ["", config.trimEnd()] : []),
    "Nothing was written",
  ].join("\n");
  return { text, json: { repo, would: steps.map(({ does }) => does), config: isNew ? config : null } };
}

/** What a person gets by calling it. */
function describeCall(call: string): string {
  const words: Readonly<Record<string, string>> = {
    "multi-ai": "runs a request through the whole pipeline",
    "review-codex": "has the final gate review, and tells what it says",
    "cancel-loop": "cancels the pipeline",
  };
  return words[call.slice(1)] ?? "starts, watches and answers bubbles with you";
}

function describeKey({ file, made, registered }: ReturnType<typeof registerKey>): string {
  if (!registered) return `knew ${file} already`;
  return made
    ? `made the operator key ${file} (only you can read it)`
    : `registered the operator key ${file}`;
}

/** What to type, and beside it what it does; a long line without words of its own moves nobody else's. */
function renderCommandRows(rows: readonly (readonly string[])[]): string[] {
  const widest = Math.max(...rows.map(([command = "", does = ""]) => (does ? command.length : 0)));
  return rows.map(([command = "", does = ""]) => `  ${command.padEnd(does ? widest + 3 : 0)}${does}`);
}

interface Described {
  readonly repo: string;
  readonly did: readonly string[];
  readonly toCommit: readonly string[];
  readonly screen: readonly string[];
}

function describe(
  { repo, did, toCommit, screen }: Described,
  notes: readonly string[],
  files: readonly AgentFile[],
): string {
  const head = did.length > 0 ? `Prepared ${repo}` : `${repo} is prepared already; nothing was changed`;
  const next = [
    ...(toCommit.length > 0 ? [[suggestCommit(toCommit), ""]] : []),
    ["pairflow new", "asks what you want done, and proposes how"],
    ["pairflow doctor", "checks that everything is there"],
    ...files.map(({ call, program }) => [`${call} in ${program}`, describeCall(call)]),
  ];
  return [
    head,
    ...did.map((line) => `  ${line}`),
    ...(screen.length > 0 ? ["A bubble would begin with", ...screen] : []),
    ...notes.map((note) => `Note: ${note}`),
    "Next",
    ...renderCommandRows(next),
  ].join("\n");
}
