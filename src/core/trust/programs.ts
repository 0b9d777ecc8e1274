// What a bubble runs with the rights of the person who starts it: every setting that names a program, as one list. A person
// confirms it once; what is the same is not asked about again, whichever bubble it belongs to.
import { buildDocumentGates } from "../document/gates.ts";
import { buildGatesFromCommands } from "../gates/detect/commands.ts";
import type { AgentSettings, BubbleConfig } from "../model/config.ts";
import type { Gate } from "../model/gate.ts";
import { listGatePrograms, type TrustedProgram } from "./program.ts";

export interface ProgramSources {
  readonly config: Pick<
    BubbleConfig,
    | "agent"
    | "agents"
    | "commands"
    | "document"
    | "git_filters"
    | "notifications"
    | "open_command"
    | "setup"
    | "try_command"
  >;
  readonly gates: readonly Gate[];
  /** Hooks of the repository that are run as gates. */
  readonly hooks?: readonly { readonly name: string; readonly path: string }[];
  /** The hash of a file of the repository that a setting names; undefined for everything else. */
  readonly fileHash?: ((value: string) => string | undefined) | undefined;
}

/** The default of `open_command`, which comes with Pairflow and not with a repository. */
const ownOpenCommand = "cursor {{worktree_path}}";

/** Settings of an agent that name no program and hand nothing on. */
const harmless = new Set(["adapter", "model"]);

export function listTrustedPrograms({
  config,
  gates,
  hooks = [],
  fileHash,
}: ProgramSources): TrustedProgram[] {
  const { setup, open_command, try_command, notifications, git_filters = [] } = config;
  const bound = new Set(Object.values(config.agents));
  const agents = Object.entries(config.agent).filter(([name]) => bound.has(name));
  return [
    ...(setup ? [{ setting: "setup", runs: setup }] : []),
    ...listGates(config, gates),
    ...hooks.map(({ name, path }) => ({ setting: `hook ${name}`, runs: path })),
    // The program is the user's own; that a repository may have it run is the user's word too.
    ...git_filters.map((name) => ({
      setting: `filter ${name}`,
      runs: `filter=${name} of your git configuration`,
    })),
    ...agents.flatMap(([name, settings]) => listAgentProgram(name, settings, fileHash)),
    ...(open_command === ownOpenCommand ? [] : [{ setting: "open_command", runs: open_command }]),
    ...(try_command ? [{ setting: "try_command", runs: try_command }] : []),
    ...listNotices(notifications),
  ];
}

/** The checks of a document are Pairflow's own and need no confirmation. */
function listGates(
  { commands, document }: ProgramSources["config"],
  gates: readonly Gate[],
): TrustedProgram[] {
  const own = new Set(
    document === undefined ? [] : buildDocumentGates(document).map(({ command }) => command),
  );
  const pinned = listGatePrograms(gates.filter(({ command }) => !own.has(command)));
  const known = new Set(pinned.map(({ runs }) => runs));
  const written = listGatePrograms(buildGatesFromCommands(commands));
  return [...pinned, ...written.filter(({ runs }) => !known.has(runs))];
}

/** An agent of which only the adapter is said runs a CLI that the person has installed. */
function listAgentProgram(
  name: string,
  settings: AgentSettings,
  fileHash: ProgramSources["fileHash"],
): TrustedProgram[] {
  const said = Object.entries(settings).filter(([key]) => !harmless.has(key));
  if (said.length === 0) return [];
  const parts = said
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => {
      const hash = typeof value === "string" ? fileHash?.(value) : undefined;
      return `${key} = ${JSON.stringify(value)}${hash ? ` (sha256 ${hash.slice(0, 16)})` : ""}`;
    });
  return [{ setting: `agent ${name}`, runs: [settings.adapter, ...parts].join(" · ") }];
}

function listNotices(notifications: BubbleConfig["notifications"]): TrustedProgram[] {
  const { command, waiting_human_sound, converged_sound, webhook } = notifications;
  return Object.entries({ command, waiting_human_sound, converged_sound, webhook }).flatMap(([key, runs]) =>
    runs === undefined ? [] : [{ setting: `notifications.${key}`, runs }],
  );
}
