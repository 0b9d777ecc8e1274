// Which machine something is on. A host is named by an id that was made once on it, `name~id`: two machines may share a name.
// Records of earlier versions have the name alone. And what a machine must have to continue a bubble: a label is proven by the
// machine that offers it, so `has-codex` means that the program was found there and answers.
import type { BubbleConfig } from "../model/config.ts";
import type { State } from "../model/state.ts";

/** Whether two hosts on the record are one machine, as far as the record can tell. */
export function isSameHost(one: string, other: string): boolean {
  if (one === other) return true;
  const [first, second] = [splitHost(one), splitHost(other)];
  return first.name === second.name && (first.id === undefined || second.id === undefined);
}

/** The bubble is driven on a machine where no worktree holds the recorded tree yet. */
export function isWorktreeElsewhere(state: Pick<State, "workspace" | "driver">): boolean {
  return (
    state.workspace !== undefined && state.driver !== undefined && !isWorktreeOn(state, state.driver.host)
  );
}

/** The worktree that holds the recorded tree is on this machine. */
export function isWorktreeOn({ workspace }: Pick<State, "workspace">, host: string): boolean {
  return workspace !== undefined && (workspace.host === undefined || isSameHost(workspace.host, host));
}

/** The name of a host as people know it; undefined where the record is one machine's own, whose name says nothing. */
export function findSharedHostName(host: string | undefined): string | undefined {
  const { name, id } = splitHost(host ?? "");
  return id === undefined ? undefined : name;
}

/** The machine that drives it, or else the one with its worktree, where several share the records. */
export const findHost = (
  { workspace }: Pick<State, "workspace">,
  driver: { readonly host?: string } | undefined,
): string | null => findSharedHostName(driver?.host ?? workspace?.host) ?? null;

function splitHost(host: string): { readonly name: string; readonly id: string | undefined } {
  const at = host.lastIndexOf("~");
  return at === -1 ? { name: host, id: undefined } : { name: host.slice(0, at), id: host.slice(at + 1) };
}

/** The label of a machine on which this adapter's program answers. */
export const nameAdapterLabel = (adapter: string): string =>
  `has-${adapter.toLowerCase().replace(/[^a-z0-9]+/g, "-")}`;

/** What a machine must have for the turns of one agent: its program, and what its settings say. */
export function listAgentLabels({ agent: settings }: Pick<BubbleConfig, "agent">, agent: string): string[] {
  const { adapter, needs } = settings[agent] ?? { adapter: agent, needs: undefined };
  const given = Array.isArray(needs) ? needs.filter((one) => typeof one === "string") : [];
  return [nameAdapterLabel(adapter), ...given];
}
