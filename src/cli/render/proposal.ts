// What a bubble of this repository would run, as one screen: agents, setup, gates, budget.
import { listAgentsNotReady } from "../../app/agents/ready.ts";
import type { Proposal } from "../../app/trust/proposal.ts";
import { isUsualProgram, renderProgram } from "../../core/trust/program.ts";
import { formatBudget } from "../../core/views/bubble/usage.ts";
import type { SandboxState } from "../../ports/system/sandbox.ts";
import { describeConfinement, renderGates } from "./bubble/gates.ts";
import { labelWidth } from "./table.ts";

export type ProposalRow = readonly [label: string, text: string];

export function listProposalRows(
  { config, profile, setup, open }: Proposal,
  sandbox: SandboxState,
  width: number,
): ProposalRow[] {
  const { implementer = "", reviewer = "" } = config.agents;
  const who =
    implementer === reviewer
      ? `${implementer} implements and reviews`
      : `${implementer} implements, ${reviewer} reviews`;
  const where = profile.source.replace(/^detected \((.*?)\)/, "$1");
  const gates =
    profile.gates.length > 0
      ? [`${where}; ${describeConfinement(sandbox)}`, ...renderGates(profile.gates, width - labelWidth)]
      : [profile.not_available ?? 'none found: a bubble needs --test "<command>" or --no-tests'];
  return [
    ["agents", who],
    ...listAgentsNotReady(config).map((line): ProposalRow => ["agents", line]),
    ...(config.setup
      ? [["setup", `${config.setup}${setup ? `   (${setup.from.join(", ")})` : ""}`] as const]
      : []),
    ...gates.map((line): ProposalRow => ["gates", line]),
    ["budget", `${formatBudget(config.budget)} for each bubble; then you are asked`],
    ...open
      .filter((program) => !isUsualProgram(program))
      .map((program): ProposalRow => ["runs too", renderProgram(program)]),
  ];
}
