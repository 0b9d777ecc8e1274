// The agents' own programs: is each one there, is it a version that was tried, is somebody logged in.
import { dirname } from "node:path";
import { quoteShellWord } from "../../../core/model/value/shell-word.ts";
import type { Probe } from "../../../ports/agent/adapter.ts";
import {
  createKnownAdapters,
  type FoundAgent,
  findAgent,
  type LostAgent,
  type Startables,
} from "../../agents/startable.ts";
import { type Check, editLine, isOlder, reportOk, reportWarning } from "../../host/check.ts";
import { findBubbleWorktree, getWorktreeRoot } from "../../host/locate.ts";
import { usualLimitMs } from "../ask.ts";
import { type Login, type Visit, visit } from "./cli-visit.ts";
import type { WantedAgent } from "./wanted.ts";

export interface CliOptions {
  readonly adapters?: Startables;
  readonly env?: NodeJS.ProcessEnv;
  readonly limitMs?: number;
}

/** All at once; agents that share a program and a login ask for them once. */
export async function checkClis(
  repo: string,
  wanted: readonly WantedAgent[],
  options: CliOptions = {},
): Promise<Check[]> {
  const { adapters = createKnownAdapters(), env = process.env, limitMs = usualLimitMs } = options;
  const visits = new Map<string, Promise<Visit>>();
  const visitOnce = (found: FoundAgent, probe: Probe) => {
    const key = JSON.stringify([found.adapter.name, found.path, probe, found.settings.variables]);
    const visited = visits.get(key) ?? visit(found, probe, env, limitMs);
    visits.set(key, visited);
    return visited;
  };
  const checks = wanted.map(async (one) => {
    const found = findAgent(repo, one.agent, one.settings, adapters);
    if ("problem" in found) return [reportLost(one, found)];
    if (!found.probe || isOfRepository(repo, found.path)) return [reportOk(one.name, found.path)];
    return judge(one, found.path, found.probe, await visitOnce(found, found.probe));
  });
  return (await Promise.all(checks)).flat();
}

/** A program that a repository brings along is not run by a mere look at the repository. */
function isOfRepository(repo: string, path: string): boolean {
  const isBelow = [repo, getWorktreeRoot(repo)].some((folder) => path.startsWith(`${folder}/`));
  return isBelow || findBubbleWorktree(repo, dirname(path)) !== undefined;
}

function reportLost({ name, status, file }: WantedAgent, { problem, install }: LostAgent): Check {
  return { name, status, says: problem, fix: install ?? editLine(file) };
}

/** One line when all is well; otherwise a line for each thing to fix. */
function judge({ name, status }: WantedAgent, path: string, probe: Probe, visited: Visit): Check[] {
  const { program, install, since, versionArgs, loginArgs = [] } = probe;
  const { version, trouble, login } = visited;
  const byHand = (args: readonly string[]) => [`time ${quoteShellWord(path)}`, ...args].join(" ");
  if (trouble?.isSlow) return [reportWarning(name, trouble.says, byHand(versionArgs))];
  // A program nobody tried may know no such flag; it is there, and that is all there is to know.
  if (trouble && since)
    return [{ name, status, says: `${program} does not run: ${trouble.says}`, fix: install }];
  const problems: Check[] = [];
  if (version && since && isOlder(version, since)) {
    const says = `${version} is older than ${since}, the oldest version that was tried`;
    problems.push(reportWarning(name, says, install));
  }
  if (login === "no") {
    const fix = probe.login ?? byHand(loginArgs);
    const doubt = probe.loginDoubt ? ` (${probe.loginDoubt})` : "";
    const says = `nobody is logged in to ${program}${doubt}`;
    problems.push({ name, status: probe.loginDoubt ? "warning" : status, says, fix });
  }
  if (login === "slow") {
    const says = `${program} does not say in time whether somebody is logged in`;
    problems.push(reportWarning(name, says, byHand(loginArgs)));
  }
  const well = [version, path, describeLogin(login), describeTriedVersions(version, probe)]
    .filter(Boolean)
    .join(" · ");
  return problems.length > 0 ? problems : [reportOk(name, well)];
}

/** Which versions this Pairflow was tried with, unless it is one of them. */
function describeTriedVersions(version: string | undefined, { tried = [] }: Probe): string {
  if (tried.length === 0) return "";
  return version !== undefined && tried.includes(version)
    ? "a version that was tried"
    : `tried with ${tried.join(", ")}`;
}

function describeLogin(login: Login): string {
  if (typeof login === "object") return `login by ${login.variable}`;
  return login === "yes" ? "logged in" : "";
}
