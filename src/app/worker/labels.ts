// What this machine can prove to have: a label for each adapter whose program is here and answers, and those that a person gave it.
import { isGivenLabel } from "../../core/model/value/label.ts";
import { nameAdapterLabel } from "../../core/state/hosts.ts";
import { createKnownAdapters, findAgent } from "../agents/startable.ts";
import { parseProjectConfig, projectFile } from "../config/project.ts";
import { checkClis } from "../doctor/agents/clis.ts";
import { listWantedAgents } from "../doctor/agents/wanted.ts";
import { readProjectText } from "../host/shared/store-choice.ts";
import { buildUsageError } from "../host/usage.ts";

export interface ProvenLabels {
  readonly labels: readonly string[];
  /** Agents that cannot be started here, each with the reason. */
  readonly lacking: readonly string[];
}

/** Asks the program of every agent that the project or this machine knows. */
export async function proveLabels(repo: string, given: readonly string[]): Promise<ProvenLabels> {
  const adapters = createKnownAdapters();
  const project = parseProjectConfig(readProjectText(repo), projectFile);
  const wanted = listWantedAgents(repo, { project, bubbles: [] }, adapters);
  const checked = await Promise.all(
    wanted.map(async (one) => ({ one, checks: await checkClis(repo, [one], { adapters }) })),
  );
  const proven = new Set(given);
  const lacking: string[] = [];
  for (const { one, checks } of checked) {
    const [problem] = checks.filter(({ status }) => status === "error");
    const found = findAgent(repo, one.agent, one.settings, adapters);
    if (problem || !("path" in found))
      lacking.push(`${one.name}: ${problem?.says ?? "it cannot be started"}`);
    else proven.add(nameAdapterLabel(found.adapter.name));
  }
  return { labels: [...proven].sort(), lacking };
}

/** Labels as a person gives them: `gpu,eu`. What begins with has- is proven and never given. */
export function readGivenLabels(text: string): string[] {
  const labels = text
    .split(",")
    .map((label) => label.trim())
    .filter(Boolean);
  const wrong = labels.find((label) => !isGivenLabel(label));
  if (wrong === undefined) return labels;
  throw buildUsageError(
    "usage.bad-label",
    `${wrong} is no label: small letters, digits and -, and not has-…, which a machine proves itself`,
    "--labels gpu,eu",
  );
}
