// Making a bubble at this terminal: its flags say what is wanted, a person here confirms what will run, and app/making does
// the rest. Every command that makes a bubble stands on it.
import { completeConfigValues } from "../../app/config/bubble-file.ts";
import { resolveProfileOrThrow } from "../../app/config/detect.ts";
import { requireRepo } from "../../app/host/locate.ts";
import { type MadeBubbleResult, makeBubble } from "../../app/making/make.ts";
import type { Content, Person } from "../../app/making/settle.ts";
import type { AskedBubble, AskedGates } from "../../app/making/wanted.ts";
import { createWorld } from "../../app/world/world.ts";
import type { ProposedSetup } from "../../core/gates/detect/setup.ts";
import type { BubbleConfig } from "../../core/model/config.ts";
import type { Profile } from "../../core/model/gate.ts";
import type { Refusal } from "../../core/model/refusal.ts";
import { getProgramKey, listUnknownPrograms, type TrustedProgram } from "../../core/trust/program.ts";
import { listTrustedPrograms } from "../../core/trust/programs.ts";
import { formatBudget, suggestBudgetFlags } from "../../core/views/bubble/usage.ts";
import { collectPrograms, proposeNetwork } from "../../engine/front/trust.ts";
import type { World } from "../../engine/front/world.ts";
import { getScreenWidth, wrap } from "../terminal/style.ts";
import type { Shell } from "../verb/declaration.ts";
import { confirmProfile } from "./confirm-profile.ts";
import { type NewBubbleFlags, readFlagSettings, readGateFlags } from "./flags.ts";

/** What a command wants beside what its flags say. */
export interface Request
  extends Pick<
    AskedBubble,
    "id" | "workflow" | "task" | "payload" | "profile" | "startsIn" | "baseCommit" | "work" | "continues"
  > {
  /** Settings that count more than the flags. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Test commands that its task names, for a project where none is found. */
  readonly namedTests?: AskedGates["named"];
}

export async function makeBubbleHere(
  shell: Shell,
  flags: NewBubbleFlags,
  request: Request,
): Promise<(MadeBubbleResult & { readonly world: World }) | { readonly refusal: Refusal }> {
  const world = createWorld(requireRepo(flags.repo, shell.cwd, shell.env), "process");
  const made = await makeBubble(
    world,
    buildAskedBubble(shell, flags, request),
    createPerson(shell, world, flags, request),
  );
  return made.refusal ? made : { ...made, world };
}

function buildAskedBubble(
  shell: Shell,
  flags: NewBubbleFlags,
  { namedTests, ...request }: Request,
): AskedBubble {
  return {
    ...request,
    cwd: shell.cwd,
    base: flags.base,
    criteria: flags.criterion,
    settings: { ...buildUserSettings(shell.env), ...readFlagSettings(flags), ...request.settings },
    gates: {
      tests: flags.test,
      gates: readGateFlags(flags),
      noTests: flags["no-tests"] ? { reason: flags.reason } : undefined,
      named: namedTests,
    },
    noSetup: flags["no-setup"],
  };
}

/** What a person wants for all of their repositories. */
const buildUserSettings = ({ PAIRFLOW_WORKTREES: worktrees }: Shell["env"]) =>
  worktrees ? { worktrees } : {};

function createPerson(shell: Shell, world: World, flags: NewBubbleFlags, { startsIn }: Request): Person {
  return {
    say: (line) => shell.say(line),
    async confirm(content) {
      const typed = listTypedPrograms(flags, content.config);
      const profile = await confirmContent(shell, world, { ...content, yes: flags.yes, typed });
      if (content.setup) shell.say(describeSetup(content.setup));
      // `bubble create` shows the budget in its result.
      if (startsIn) shell.say(describeBudget(content.config));
      return profile;
    },
  };
}

/** What nobody asked for and everybody should know before it runs. */
const describeSetup = ({ command, from }: ProposedSetup) =>
  `Setup of each fresh tree (${from.join(", ")}): ${command}   (--no-setup leaves it out)`;

const describeBudget = ({ budget }: BubbleConfig) =>
  wrap(`Budget: ${formatBudget(budget)}${suggestBudgetFlags(budget)}`, getScreenWidth(), 2);

/** What was typed on the command line was seen by the person who typed it. */
function listTypedPrograms(flags: NewBubbleFlags, { agents }: BubbleConfig): TrustedProgram[] {
  const typed = completeConfigValues({
    ...readFlagSettings(flags),
    ...{ id: "typed", repo_path: "/", base_branch: "-", bubble_branch: "-", agents },
  });
  const { gates } = resolveProfileOrThrow({ tests: flags.test, gates: readGateFlags(flags) });
  return listTrustedPrograms({ config: typed, gates });
}

// Everything a new bubble will run, before a person: confirmed once, and remembered in the user's folder.
interface Question extends Content {
  readonly yes: boolean;
  /** What the person at the terminal has typed. */
  readonly typed: readonly TrustedProgram[];
}

/** The profile as confirmed. */
async function confirmContent(
  shell: Shell,
  world: World,
  { config, profile: found, setup, yes, typed }: Question,
): Promise<Profile> {
  const profile = await proposeNetwork(world, found);
  const programs = await collectPrograms(world, { config, gates: profile.gates });
  const seen = new Set(typed.map(getProgramKey));
  const open = await world.trust.unconfirmed(listUnknownPrograms(programs, seen));
  const sandbox = await world.sandboxes.state();
  const confirmed = await confirmProfile(shell, profile, {
    ...{ yes, setup, sandbox, open },
    prepares: config.setup,
  });
  await world.trust.remember(programs, world.clock.now());
  return confirmed;
}
