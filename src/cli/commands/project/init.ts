// pairflow init: prepares a repository, tells agents' CLIs about Pairflow, and makes operator keys for automation.
import {
  type AgentFile,
  describeInstalledFiles,
  type SkilledAgent,
  skilledAgents,
  writeAgentFiles,
} from "../../../app/agents/skill-files.ts";
import { registerKey } from "../../../app/caller/operator-key.ts";
import { type InitResult, ignoreNotes, initialise } from "../../../app/config/init.ts";
import { requireRepo } from "../../../app/host/locate.ts";
import { rememberRepository } from "../../../app/host/repositories/list.ts";
import { bubbleFlags } from "../../verb/agent-flags.ts";
import { defineVerb } from "../../verb/declaration.ts";

export const init = defineVerb({
  words: "init",
  about: "Prepare this repository: the .pairflow folder, ignore rules, a configuration to fill in",
  access: "operator",
  example: "pairflow init",
  flags: {
    repo: bubbleFlags.repo,
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
    const done = initialise(repo, flags.private);
    rememberRepository(repo);
    const file = flags["operator-key"];
    const key = file === undefined ? undefined : registerKey(repo, file, shell.cwd);
    const files = [...new Set(flags.agent)].flatMap((agent) => writeAgentFiles(repo, agent as SkilledAgent));
    const written = files.filter(({ fate }) => fate === "wrote" || fate === "updated");
    const did = [
      ...done.did,
      ...written.map(({ fate, file }) => `${fate} ${file}`),
      ...(key ? [describeKey(key)] : []),
    ];
    const after = await describeInstalledFiles(repo, files);
    const toCommit = [...done.toCommit, ...after.toCommit];
    const notes = [...(await ignoreNotes(repo)), ...after.notes];
    return {
      text: describe({ repo, did, toCommit }, notes, files),
      json: { repo, did, notes, agent_files: files, operator_key: key ?? null },
    };
  },
});

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

function describe(
  { repo, did, toCommit }: InitResult,
  notes: readonly string[],
  files: readonly AgentFile[],
): string {
  const head = did.length > 0 ? `Prepared ${repo}` : `${repo} is prepared already; nothing was changed`;
  const next = [
    ...(toCommit.length > 0
      ? [[`git add ${toCommit.join(" ")} && git commit -m "Prepare Pairflow"`, ""]]
      : []),
    ["pairflow doctor", "checks that everything is there"],
    ['pairflow create "what is to be done"', "makes a bubble"],
    ...files.map(({ call, program }) => [`${call} in ${program}`, describeCall(call)]),
  ];
  return [
    head,
    ...did.map((line) => `  ${line}`),
    ...notes.map((note) => `Note: ${note}`),
    "Next",
    ...renderCommandRows(next),
  ].join("\n");
}
