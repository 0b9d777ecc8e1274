// What `init` found, before a person: one question where the tests cannot be found, and one decision about all of it.
import { findUsualAgents } from "../../app/agents/choose.ts";
import { buildConfigText, type ChosenAgents } from "../../app/config/example.ts";
import { type Proposal, proposeContent } from "../../app/trust/proposal.ts";
import { isRefusal, type Refusal } from "../../core/model/refusal.ts";
import type { World } from "../../engine/front/world.ts";
import { listProposalRows } from "../render/proposal.ts";
import { renderLabelled } from "../render/table.ts";
import { askKey, askLine } from "../terminal/ask.ts";
import { getScreenWidth } from "../terminal/style.ts";

export interface FoundProject {
  readonly agents: ChosenAgents | undefined;
  readonly typedTest: string | undefined;
  readonly proposal: Proposal | undefined;
  /** Why nothing can be proposed. */
  readonly problem?: string;
}

/** What a bubble would run here. Where no test is found, a person who can be asked is asked for it. */
export async function findProject(world: World, mayAsk: boolean): Promise<FoundProject> {
  const agents = findUsualAgents(world.repo);
  try {
    const proposal = await proposeContent(world, { agents });
    const typedTest = mayAsk && lacksTests(proposal) ? await askForTest() : undefined;
    if (typedTest === undefined) return { agents, proposal, typedTest };
    return { agents, typedTest, proposal: await proposeContent(world, { agents, test: typedTest }) };
  } catch (error) {
    // A configuration that cannot be read, or a branch without a commit: what is missing can be made all the same.
    if (!isRefusal(error)) throw error;
    return { agents, typedTest: undefined, proposal: undefined, problem: describeProblem(error) };
  }
}

const describeProblem = ({ code, message }: Refusal): string =>
  code === "git.no-base" ? "nothing is committed here yet, and a bubble begins on a commit" : message;

const lacksTests = ({ profile }: Proposal) => profile.gates.length === 0 && !profile.not_available;

async function askForTest(): Promise<string | undefined> {
  const typed = (await askLine("No test command was found. What runs the tests? (Enter: nothing) "))?.trim();
  return typed || undefined;
}

export function buildFoundConfig({ agents, typedTest, proposal }: FoundProject): string {
  const gates = typedTest === undefined ? (proposal?.profile.gates ?? []) : [];
  return buildConfigText({
    agents,
    typedTest,
    gates: Object.fromEntries(gates.map(({ name, command }) => [name, command])),
    setup: proposal?.config.setup,
  });
}

export async function renderFound(world: World, { proposal }: FoundProject): Promise<string[]> {
  if (!proposal) return [];
  const width = getScreenWidth();
  return renderLabelled(listProposalRows(proposal, await world.sandboxes.state(), width), width);
}

export type InitDecision = "commit" | "write" | "nothing";

/** One key for agents, gates, setup, budget and files together. */
export async function askForInit(mayCommit: boolean): Promise<InitDecision> {
  if (!mayCommit) return (await askKey("Use this? [Y/n] ", ["y", "n"], "y")) === "y" ? "write" : "nothing";
  const key = await askKey("Use this? [Y]es, and commit it   [w]rite only   [n]o ", ["y", "w", "n"], "y");
  return key === "y" ? "commit" : key === "w" ? "write" : "nothing";
}
