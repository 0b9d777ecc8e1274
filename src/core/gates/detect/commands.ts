// `[commands]` of bubble.toml: gates by name, each a command line or a table. The file that `bubble create` writes lists
// every confirmed gate here, so that a person sees and may change what will run.
import { buildDocumentGates } from "../../document/gates.ts";
import { type BubbleConfig, CommandGate } from "../../model/config.ts";
import type { Gate } from "../../model/gate.ts";

type Commands = BubbleConfig["commands"];

const usualSeconds = 600;

export function buildGatesFromCommands(commands: Commands): Gate[] {
  return Object.entries(commands).map(([name, said]) => {
    const { command, required = true, timeout = usualSeconds, ...options } = buildTable(said);
    return { name, command: command.trim(), required, timeout_seconds: timeout, ...options };
  });
}

const buildTable = (said: Commands[string]): CommandGate =>
  typeof said === "string" ? { command: said } : said;

/** The same list as it is written: a gate about which there is nothing else to say is its command line. */
export const buildCommandsFromGates = (gates: readonly Gate[]): Commands =>
  Object.fromEntries(gates.map((gate) => [gate.name, writeGate(gate)]));

function writeGate({ name: _name, required, timeout_seconds, ...options }: Gate): string | CommandGate {
  const table: CommandGate = {
    ...options,
    ...(required ? {} : { required }),
    ...(timeout_seconds === usualSeconds ? {} : { timeout: timeout_seconds }),
  };
  // In the order of the schema, as a reader of the file gets it: an unchanged file is no change.
  const keys = Object.keys(CommandGate.entries).filter((key) => Object.hasOwn(table, key));
  const ordered = Object.fromEntries(keys.map((key) => [key, table[key as keyof CommandGate]]));
  return keys.length === 1 ? table.command : (ordered as CommandGate);
}

/** The whole list that settings mean: the checks of a document are Pairflow's own and are not written there. */
export const listConfiguredGates = (config: Pick<BubbleConfig, "commands" | "document">): Gate[] => [
  ...listOwnGates(config),
  ...buildGatesFromCommands(config.commands),
];

/** The confirmed gates as settings; what is Pairflow's own is left out. */
export function listProfileCommands(
  config: Pick<BubbleConfig, "document">,
  gates: readonly Gate[],
): BubbleConfig["commands"] {
  const own = new Set(listOwnGates(config).map(({ command }) => command));
  return buildCommandsFromGates(gates.filter(({ command }) => !own.has(command)));
}

const listOwnGates = ({ document }: Pick<BubbleConfig, "document">): Gate[] =>
  document === undefined ? [] : buildDocumentGates(document);
