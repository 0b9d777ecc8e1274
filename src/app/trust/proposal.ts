// What a bubble of this repository would run, before anybody wants one: shown by `init` and `new`, confirmed once.
import type { TrustedProgram } from "../../core/trust/program.ts";
import { collectPrograms, proposeNetwork } from "../../engine/front/trust.ts";
import type { World } from "../../engine/front/world.ts";
import type { ChosenAgents } from "../config/example.ts";
import { type Content, proposeBubble } from "../making/make.ts";

export interface Proposal extends Content {
  /** Everything that would run and that nobody has confirmed for this repository. */
  readonly open: readonly TrustedProgram[];
}

interface ProposalSources {
  /** Agents for the roles of the pair, where the project names none. */
  readonly agents?: ChosenAgents | undefined;
  /** A test command that a person has just typed. */
  readonly test?: string | undefined;
}

/** Throws what a new bubble would be refused for, such as a configuration that cannot be read or a branch without a commit. */
export async function proposeContent(world: World, { agents, test }: ProposalSources): Promise<Proposal> {
  const found = await proposeBubble(world, {
    ...{ task: "An example\n", cwd: world.repo, settings: agents ? { agents } : {} },
    gates: { tests: [], gates: test === undefined ? {} : { test } },
  });
  const profile = await proposeNetwork(world, found.profile);
  const open = await world.trust.unconfirmed(await collectFound(world, { ...found, profile }));
  return { ...found, profile, open };
}

const collectFound = (world: World, { config, profile }: Content) =>
  collectPrograms(world, { config, gates: profile.gates });

/** A person has seen all of it and said yes. */
export async function confirmProposal(world: World, proposal: Proposal): Promise<void> {
  await world.trust.remember(await collectFound(world, proposal), world.clock.now());
}
