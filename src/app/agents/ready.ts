// Whether the agents a bubble names can be started at all. Asked before a bubble starts: afterwards a missing program
// would end it for good. Only files are looked at, so that a start stays quick; logins are the doctor's business.
import { isAbsolute } from "node:path";
import type { BubbleConfig } from "../../core/model/config.ts";
import { type Refusal, refuse } from "../../core/model/refusal.ts";
import { findAgent, type LostAgent } from "./startable.ts";

interface Unready extends LostAgent {
  readonly agent: string;
}

function listUnready({ agents, agent: settings, repo_path }: BubbleConfig, seat?: string): Unready[] {
  return [...new Set(Object.values(agents))].flatMap((agent) => {
    const found = findAgent(repo_path, agent, settings[agent]);
    if (!("path" in found)) return isInWorktree(found.missing) ? [] : [{ agent, ...found }];
    const problem = seat === "tmux" ? found.adapter.noPane?.(found.settings) : undefined;
    return problem === undefined ? [] : [{ agent, problem }];
  });
}

/** A program of the tree itself: it is looked for where the turn runs, which may not exist yet. */
function isInWorktree(program = ""): boolean {
  return program.includes("/") && !isAbsolute(program);
}

/** Whether every agent of the bubble can be looked at in a pane. */
export const canHavePanes = (config: BubbleConfig): boolean =>
  listUnready(config, "tmux").length === listUnready(config).length;

/** One line for each agent that cannot be started: its name, why, and how to get it. */
export function listAgentsNotReady(config: BubbleConfig): string[] {
  return listUnready(config).map(getLine);
}

/** What installs all that is missing; undefined where nothing is, or where a program is nobody's that is known. */
export const suggestInstalls = (config: BubbleConfig): string | undefined =>
  joinInstalls(listUnready(config));

function joinInstalls(lacking: readonly Unready[]): string | undefined {
  const installs = lacking.map(({ install }) => install);
  if (installs.length === 0 || installs.includes(undefined)) return undefined;
  return [...new Set(installs)].join(" && ");
}

const getLine = ({ agent, problem, install }: Unready): string =>
  `${agent}: ${problem}${install ? `; to install it: ${install}` : ""}`;

/** The refusal that says so, or undefined. `file` is where a person can fix it. */
export function checkAgentsReady(config: BubbleConfig, file: string, seat: string): Refusal | undefined {
  const lacking = listUnready(config, seat);
  const [first] = lacking;
  if (!first) return undefined;
  const names = lacking.map(({ agent }) => agent);
  return refuse(
    "agent.not-ready",
    `${names.join(" and ")} cannot be started`,
    joinInstalls(lacking) ??
      `say how in ${file} under ${getPlace(file, names[0] ?? "")}, then give the command again`,
    lacking.map(getLine),
  );
}

/** Settings of a bubble are TOML; those of the project are YAML, and count once they are committed. */
const getPlace = (file: string, agent: string): string =>
  file.endsWith(".toml") ? `[agent.${agent}]` : `agents.${agent} and commit it`;
