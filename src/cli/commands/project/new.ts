// pairflow new: one sentence, one screen, one key. It proposes a door and hands over to the command behind it.
import { findUsualAgents } from "../../../app/agents/choose.ts";
import { listAgentsNotReady } from "../../../app/agents/ready.ts";
import type { ChosenAgents } from "../../../app/config/example.ts";
import { requireRepo } from "../../../app/host/locate.ts";
import { buildUsageError } from "../../../app/host/usage.ts";
import { nameAfterWords } from "../../../app/making/names.ts";
import { readEarlierRuns } from "../../../app/plans/earlier-runs.ts";
import { confirmProposal, type Proposal, proposeContent } from "../../../app/trust/proposal.ts";
import { createWorld } from "../../../app/world/world.ts";
import { type DoorChoice, type DoorName, doorNames, doors, proposeDoor } from "../../../core/plan/door.ts";
import { slugifyTitle } from "../../../core/plan/slug.ts";
import type { World } from "../../../engine/front/world.ts";
import { quoteForPaste } from "../../plan/content.ts";
import { listDoorRows, renderDoors } from "../../render/door.ts";
import { listProposalRows } from "../../render/proposal.ts";
import { renderLabelled } from "../../render/table.ts";
import { askKey, askLine } from "../../terminal/ask.ts";
import { getScreenWidth } from "../../terminal/style.ts";
import { bubbleFlags } from "../../verb/agent-flags.ts";
import { type CommandResult, defineVerb, type Shell, type Verb } from "../../verb/declaration.ts";
import { parseArguments } from "../../verb/parse.ts";
import { bubbleCreate } from "../bubble/create.ts";
import { bubbleStart } from "../bubble/start.ts";
import { pipeline } from "../pipeline/start.ts";
import { auto } from "../plan/auto.ts";

export const newWork = defineVerb({
  words: "new",
  about: "Say what you want done in one sentence; it proposes one bubble, auto or pipeline, and starts it",
  access: "operator",
  takes: '["<what you want done>"]',
  example: 'pairflow new "Fix the cart total"',
  flags: {
    repo: bubbleFlags.repo,
    door: { kind: "text", about: "take this door, whatever would be proposed", oneOf: doorNames },
    yes: { kind: "switch", about: "confirm what is shown and start it, without asking" },
    headless: { kind: "switch", about: "one bubble without panes, driven from this terminal" },
  },
  notes: ["Which door", ...renderDoors()],
  async run(shell, { flags, words }) {
    const wish = await readWish(shell, words);
    const repo = requireRepo(flags.repo, shell.cwd, shell.env);
    const world = createWorld(repo, "process");
    const choice = flags.door
      ? { door: flags.door as DoorName, because: "you asked for it" }
      : proposeDoor(wish);
    const agents = await findAgentsHere(world);
    const proposal = await proposeContent(world, { agents });
    const id = await nameWish(world, choice.door, wish);
    const screen = await renderWish(world, { id, choice, proposal });
    const commands = listCommands(choice.door, { wish, id });
    if (!shell.interactive && !flags.yes) return describeUnasked({ screen, commands, choice, id });
    for (const line of screen) shell.say(line);
    const door = flags.yes ? choice.door : await askForDoor(choice.door);
    if (door === "nothing")
      return { text: "Nothing was made", json: { bubble: null, door: choice.door, because: choice.because } };
    await confirmProposal(world, proposal);
    const name = door === choice.door ? id : await nameWish(world, door, wish);
    return startWish(shell, { door, wish, id: name, repo, headless: flags.headless, agents });
  },
});

async function readWish(shell: Shell, words: readonly string[]): Promise<string> {
  const typed = words.join(" ").trim();
  if (typed !== "") return typed;
  const said = shell.interactive ? (await askLine("What do you want done? "))?.trim() : undefined;
  if (said) return said;
  throw buildUsageError(
    "usage.missing-flag",
    "new needs what you want done",
    'pairflow new "what you want done"',
  );
}

/** Those that this machine has, where the ones of the project cannot be started; undefined: the project's own. */
async function findAgentsHere(world: World): Promise<ChosenAgents | undefined> {
  const { config } = await proposeContent(world, {});
  return listAgentsNotReady(config).length > 0 ? findUsualAgents(world.repo) : undefined;
}

/** A plan and its run are called by the plan's short name. */
const nameWish = (world: World, door: DoorName, wish: string): Promise<string> =>
  door === "auto" ? Promise.resolve(slugifyTitle(wish)) : nameAfterWords(world, wish, "work");

interface ProposedWish {
  readonly id: string;
  readonly choice: DoorChoice;
  readonly proposal: Proposal;
}

async function renderWish(world: World, { id, choice, proposal }: ProposedWish): Promise<string[]> {
  const width = getScreenWidth();
  const earlier = await readEarlierRuns(world, choice.door, world.clock.now());
  const rows = [
    ...listDoorRows(choice, earlier),
    ...listProposalRows(proposal, await world.sandboxes.state(), width),
  ];
  return [id, ...renderLabelled(rows, width)];
}

/** The same without `new`, to learn from and for scripts. */
function listCommands(
  door: DoorName,
  { wish, id }: { readonly wish: string; readonly id: string },
): string[] {
  const said = quoteForPaste(wish);
  if (door === "bubble") return [`pairflow create ${said} --id ${id}`, `pairflow start ${id}`];
  return [`pairflow ${door} ${said}`];
}

interface UnaskedWish {
  readonly screen: readonly string[];
  readonly commands: readonly string[];
  readonly choice: DoorChoice;
  readonly id: string;
}

function describeUnasked({ screen, commands, choice, id }: UnaskedWish): CommandResult {
  const text = [
    ...screen,
    "Nobody is here to decide, so nothing was made",
    "Next",
    ...commands.map((line) => `  ${line}`),
  ];
  return { text: text.join("\n"), json: { bubble: null, proposed: id, ...choice, commands } };
}

/** Enter takes what is proposed. */
async function askForDoor(proposed: DoorName): Promise<DoorName | "nothing"> {
  const others = doorNames.filter((name) => name !== proposed);
  const keys = others.map((name) => `[${name[0]}]${name.slice(1)}`).join("   ");
  const key = await askKey(
    `Start it? [Y]es   ${keys}   [n]o `,
    ["y", ...others.map((name) => name[0] ?? ""), "n"],
    "y",
  );
  if (key === "n") return "nothing";
  return key === "y" ? proposed : (others.find((name) => name[0] === key) ?? proposed);
}

interface StartedWish {
  readonly door: DoorName;
  readonly wish: string;
  readonly id: string;
  readonly repo: string;
  readonly headless: boolean;
  readonly agents: ChosenAgents | undefined;
}

/** Hands over to the command that a person could have typed. */
async function startWish(
  shell: Shell,
  { door, wish, id, repo, headless, agents }: StartedWish,
): Promise<CommandResult | undefined> {
  const bound = Object.entries(agents ?? {}).flatMap(([role, agent]) => ["--agent", `${role}=${agent}`]);
  const common = ["--repo", repo, ...bound];
  if (door !== "bubble") {
    const verb = door === "auto" ? auto : pipeline;
    shell.say(doors[door].command.replace("…", wish));
    return runVerb(shell, verb, [wish, ...(door === "auto" ? ["--slug", id] : ["--id", id]), ...common]);
  }
  const made = await runVerb(shell, bubbleCreate, ["--task", `${wish}\n`, "--id", id, ...common]);
  if (made?.refusal) return made;
  shell.say(`Created ${id}`);
  return runVerb(shell, bubbleStart, ["--id", id, "--repo", repo, ...(headless ? ["--headless"] : [])]);
}

const runVerb = (shell: Shell, verb: Verb, words: readonly string[]) =>
  verb.run(shell, parseArguments(verb, words));
