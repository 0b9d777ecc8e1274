// The test profile before a person: what was found is shown and confirmed, or said by flags.

import { findLackingGates, type LackingGate } from "../../app/config/gate-tools.ts";
import { projectFile } from "../../app/config/project.ts";
import { buildUsageError } from "../../app/host/usage.ts";
import type { ProposedSetup } from "../../core/gates/detect/setup.ts";
import type { Profile } from "../../core/model/gate.ts";
import { isUsualProgram, renderProgram, type TrustedProgram } from "../../core/trust/program.ts";
import type { SandboxState } from "../../ports/system/sandbox.ts";
import { sayPrograms } from "../operator/trust.ts";
import { describeConfinement, listGateMarks, renderGates } from "../render/bubble/gates.ts";
import { askKey } from "../terminal/ask.ts";
import { getScreenWidth, wrap } from "../terminal/style.ts";
import type { Shell } from "../verb/declaration.ts";

export interface ProfileQuestion {
  readonly yes: boolean;
  readonly setup?: ProposedSetup | undefined;
  /** What prepares a fresh tree, whoever has named it. */
  readonly prepares?: string | undefined;
  /** What confines the gates on this machine. */
  readonly sandbox: SandboxState;
  /** Everything that nobody has confirmed for this repository yet, gates included. */
  readonly open: readonly TrustedProgram[];
}

/**
 * Shows what would run and lets a person confirm it; a script says --yes, --test or --no-tests. What was confirmed for this
 * repository before is not asked about again.
 */
export async function confirmProfile(
  shell: Shell,
  profile: Profile,
  { yes, setup, prepares, sandbox, open }: ProfileQuestion,
): Promise<Profile> {
  const lacking = findLackingGates(profile.gates, shell.env.PATH, prepares);
  if (profile.gates.length === 0 && !profile.not_available) throw refuseNoProfile();
  if (open.length === 0 || yes) {
    if (open.length > 0) sayPrograms(shell, open);
    const mayAsk = shell.interactive && !yes && !profile.confirmed;
    if (mayAsk) return { ...(await confirmMissingTools(shell, profile, lacking)), confirmed: true };
    for (const line of listLackingLines(lacking)) shell.say(line);
    return { ...profile, confirmed: true };
  }
  const confirmed = open.every(isUsualProgram)
    ? await confirmGates(shell, profile, { setup, sandbox })
    : await confirmList(shell, profile, open);
  return { ...(await confirmMissingTools(shell, confirmed, lacking)), confirmed: true };
}

/** The usual case: gates, perhaps with a setup. */
async function confirmGates(
  shell: Shell,
  profile: Profile,
  { setup, sandbox }: Pick<ProfileQuestion, "setup" | "sandbox">,
): Promise<Profile> {
  const where = profile.source.replace(/^detected \((.*?)\)/, "$1");
  if (!shell.interactive) throw refuseUnconfirmedGates(profile, where, setup);
  const width = getScreenWidth();
  shell.say(wrap(`Gates found (${where}), ${describeConfinement(sandbox)}:`, width, 2));
  for (const line of renderGates(profile.gates, width - 2)) shell.say(`  ${line}`);
  if (setup) shell.say(`Setup of each fresh tree (${setup.from.join(", ")}): ${setup.command}`);
  if ((await askKey("Use them? [Y/n] ", ["y", "n"], "y")) !== "y")
    throw buildUsageError(
      "create.unconfirmed",
      `say which test commands to use${setup ? ", and how a fresh tree is set up" : ""}`,
      `add --test <command>, or --no-tests --reason "…"${setup ? ", and --setup <command> or --no-setup" : ""}`,
    );
  return profile;
}

function refuseUnconfirmedGates(profile: Profile, where: string, setup: ProposedSetup | undefined) {
  const first = setup ? `; setup (${setup.from.join(", ")}): "${setup.command}"` : "";
  return buildUsageError(
    "create.unconfirmed",
    `gates found (${where}): ${describeGateList(profile)}${first}; nobody is here to confirm them`,
    'add --yes, or --test <command>, or --no-tests --reason "…"',
  );
}

/** Programs that the repository's own settings name, and hooks: one screen, one question. */
async function confirmList(
  shell: Shell,
  profile: Profile,
  open: readonly TrustedProgram[],
): Promise<Profile> {
  if (!shell.interactive)
    throw buildUsageError(
      "create.unconfirmed",
      "this repository would run what nobody has confirmed, and nobody is here to ask",
      "look at the list, then add --yes",
      open.map(renderProgram),
    );
  sayPrograms(shell, open);
  const answer = await askKey("Run these here, as you? [Y/n] ", ["y", "n"], "y");
  if (answer !== "y")
    throw buildUsageError(
      "create.unconfirmed",
      "nothing was made",
      `change them in ${projectFile}, and commit it`,
    );
  return profile;
}

/** `test "npm test", lint "npm run lint" (optional)`. */
const describeGateList = ({ gates }: Pick<Profile, "gates">) =>
  gates.map((gate) => `${gate.name} "${gate.command}"${getMarks(gate)}`).join(", ");

/** In one line, behind the command. */
function getMarks(gate: Profile["gates"][number]): string {
  const marks = [...(gate.required ? [] : ["optional"]), ...listGateMarks(gate)];
  return marks.length > 0 ? ` (${marks.join(", ")})` : "";
}

/** Gates that could not run on this machine, one line for each tool that is missing. */
function listLackingLines(lacking: readonly LackingGate[]): string[] {
  const reasons = [...new Set(lacking.map(({ says }) => says))];
  return reasons.map((reason) => {
    const names = lacking
      .filter(({ says }) => says === reason)
      .map(({ gate }) => `${gate.name}${gate.required ? "" : " (optional)"}`);
    return `${names.length > 1 ? "Gates" : "Gate"} ${names.join(", ")} cannot run here: ${reason}`;
  });
}

/** A tool that is missing is said before anything is made, and a person says what becomes of its gate. */
async function confirmMissingTools(
  shell: Shell,
  profile: Profile,
  lacking: readonly LackingGate[],
): Promise<Profile> {
  for (const line of listLackingLines(lacking)) shell.say(line);
  const required = lacking.filter(({ gate }) => gate.required);
  if (required.length === 0) return profile;
  const names = required.map(({ gate }) => gate.name);
  const answer = await askKey(
    `Continue and install it before the start [C], make ${names.join(", ")} [o]ptional, or [a]bort? `,
    ["c", "o", "a"],
    "c",
  );
  if (answer === "a")
    throw buildUsageError(
      "create.missing-tool",
      `nothing was made: ${names.join(", ")} cannot run here`,
      required[0]?.says ?? "",
    );
  if (answer === "c") return profile;
  const gates = profile.gates.map((gate) =>
    names.includes(gate.name) ? { ...gate, required: false } : gate,
  );
  return { ...profile, gates };
}

function refuseNoProfile() {
  return buildUsageError(
    "create.no-tests",
    "no test command was found, and nothing converges without a validated test profile",
    `add --test "<command>", or --no-tests --reason "why there is nothing to run", or commit defaults.commands in ${projectFile}`,
  );
}
