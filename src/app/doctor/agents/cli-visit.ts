// Asking one agent's program which version it is and whether somebody is logged in, by its own commands. What a login
// status prints is never kept, for it may hold a part of a key; only the exit code counts.
import type { Probe } from "../../../ports/agent/adapter.ts";
import type { FoundAgent } from "../../agents/startable.ts";
import { findVersion } from "../../host/check.ts";
import { buildAgentEnv, listAgentVariables } from "../../host/environment.ts";
import { ask, describeMissingAnswer, getStdout } from "../ask.ts";

export interface Visit {
  readonly version?: string;
  /** Why there is no version. */
  readonly trouble?: { readonly isSlow: boolean; readonly says: string };
  readonly login: Login;
}

export type Login = "yes" | "no" | "slow" | "unknown" | { readonly variable: string };

/** A status command starts the whole program and may ask its keyring, so it gets longer than a version. */
const loginPatience = 2;

export async function visit(
  { path, adapter, settings }: FoundAgent,
  probe: Probe,
  env: NodeJS.ProcessEnv,
  limitMs: number,
): Promise<Visit> {
  // What this agent's process would get: a variable that is kept from it is no login.
  const question = { env: buildAgentEnv(env, listAgentVariables(adapter, settings)), limitMs };
  const [version, login] = await Promise.all([
    probe.versionArgs.length > 0 ? ask([path, ...probe.versionArgs], question) : undefined,
    buildLogin(path, probe, question),
  ]);
  if (!version) return { login };
  const words = getStdout(version);
  if (words === undefined) {
    const isSlow = "silent" in version && version.silent === "slow";
    return { login, trouble: { isSlow, says: describeMissingAnswer(version) } };
  }
  const number = findVersion(words);
  return number ? { login, version: number } : { login };
}

async function buildLogin(
  path: string,
  { loginArgs, loginVariables = [] }: Probe,
  question: { env: Record<string, string>; limitMs: number },
): Promise<Login> {
  const variable = loginVariables.find((name) => question.env[name]);
  if (variable) return { variable };
  if (!loginArgs) return "unknown";
  const answer = await ask([path, ...loginArgs], { ...question, limitMs: question.limitMs * loginPatience });
  if ("silent" in answer) return answer.silent === "slow" ? "slow" : "unknown";
  return answer.code === 0 ? "yes" : "no";
}
