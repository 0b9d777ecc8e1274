// What the panes of a bubble show now, with their colours: for people who look on from elsewhere. Nothing is searched in it.
import type { PaneScreen } from "../../ports/agent/seat.ts";
import { Failure } from "../../ports/failure.ts";
import { createTmuxClient, type TmuxServer } from "./tmux-client.ts";
import { listPanes, statusPane } from "./tmux-panes.ts";

/** Lines above the visible part that are shown too. */
const earlier = 500;

/** The screens of the agents' panes; none where there is no session, or no tmux at all. */
export async function readTmuxScreens(server: TmuxServer, bubble: string): Promise<PaneScreen[]> {
  const tmux = createTmuxClient(server);
  const panes = (await listPanes(tmux, bubble).catch(ignoreMissing)) ?? [];
  const agents = panes.filter(({ agent }) => agent !== "" && agent !== statusPane);
  return Promise.all(
    agents.map(async ({ id, agent, dead }) => {
      const capture = ["capture-pane", "-p", "-e", "-J", "-S", String(-earlier), "-t", id];
      const screen = (await tmux.runIfThere([capture])) ?? "";
      return { agent, isOver: dead, screen: screen.trimEnd() };
    }),
  );
}

function ignoreMissing(error: unknown): undefined {
  if (error instanceof Failure && error.code === "tmux.not-found") return undefined;
  throw error;
}
