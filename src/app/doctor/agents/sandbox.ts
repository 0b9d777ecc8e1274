// What an agent's own sandbox needs of this machine. Without it the agent's commands are not confined, so a person
// should know before an agent works through the night.
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { createNodeProcesses } from "../../../adapters/process/node.ts";
import { findAgent, type Startables } from "../../agents/startable.ts";
import { type Check, reportOk, reportWarning } from "../../host/check.ts";
import { findProgram, installLine } from "../../host/programs.ts";
import { createSandboxes } from "../../world/sandbox.ts";
import { ask, describeMissingAnswer, getStdout } from "../ask.ts";
import type { WantedAgent } from "./wanted.ts";

type Needed = readonly (readonly [program: string, from: string])[];

/** Programs by the adapter that needs them, with their packages; codex brings its own along. */
const helpers: Readonly<Record<string, Needed>> = {
  claude: [
    ["bwrap", "bubblewrap"],
    ["socat", "socat"],
  ],
};

export async function checkSandboxes(
  repo: string,
  wanted: readonly WantedAgent[],
  adapters: Startables,
  platform = process.platform,
): Promise<Check[]> {
  // Other systems have a sandbox of their own.
  if (platform !== "linux") return [];
  const confined = wanted.filter(({ settings }) => settings?.sandbox !== "off");
  const checks = new Map<string, Promise<Check>>();
  for (const one of confined) {
    const found = findAgent(repo, one.agent, one.settings, adapters);
    const needed = "path" in found ? helpers[found.adapter.name] : undefined;
    const name = `sandbox ${one.agent}`;
    if (needed && !checks.has(name)) checks.set(name, checkSandbox(name, one, needed));
  }
  return Promise.all(checks.values());
}

/** Whether gates, setup, hooks and agents without a sandbox of their own can be confined. */
export async function checkConfinement(env = process.env): Promise<Check> {
  const name = "confinement";
  const found = await createSandboxes(createNodeProcesses(), tmpdir(), env).state();
  if (found.kind === "none") {
    const says = `gates, setup, hooks and agents without a sandbox of their own run with your rights: ${found.why}`;
    return reportWarning(name, says, describeConfinementFix(found.why));
  }
  const copies = found.copies
    ? ""
    : "; without overlays: caches are read-only, or empty where a setup fills them";
  return reportOk(name, `bubblewrap ${found.version}${copies}`);
}

function describeConfinementFix(why: string): string {
  if (why.includes("PAIRFLOW_SANDBOX")) return "unset PAIRFLOW_SANDBOX";
  if (why.includes("not installed")) return installLine("bubblewrap");
  return process.platform === "linux" ? suggestKernelSwitch() : "export PAIRFLOW_SANDBOX=off";
}

/** Where programs are missing the agent works unconfined; where they cannot work it does not work at all. */
async function checkSandbox(name: string, { agent, status }: WantedAgent, needed: Needed): Promise<Check> {
  const missing = needed.filter(([program]) => !findProgram(program, "/")).map(([, from]) => from);
  if (missing.length > 0) {
    const says = `the commands of ${agent} are not confined without ${missing.join(" and ")}`;
    return reportWarning(name, says, installLine(...missing));
  }
  const answer = await ask(["bwrap", "--ro-bind", "/", "/", "--dev", "/dev", "--unshare-net", "true"]);
  if (getStdout(answer) !== undefined) return reportOk(name, needed.map(([, from]) => from).join(" and "));
  const says = `bubblewrap cannot make a sandbox for ${agent} here: ${describeMissingAnswer(answer)}`;
  return { name, status, says, fix: suggestKernelSwitch() };
}

/** Some systems forbid what bubblewrap does unless it is allowed by a switch of the kernel, each by another one. */
function suggestKernelSwitch(): string {
  const switches = [
    ["apparmor_restrict_unprivileged_userns", "0"],
    ["unprivileged_userns_clone", "1"],
  ] as const;
  const known = switches.find(([name]) => existsSync(`/proc/sys/kernel/${name}`));
  return known ? `sudo sysctl -w kernel.${known[0]}=${known[1]}` : 'sudo chmod u+s "$(command -v bwrap)"';
}
