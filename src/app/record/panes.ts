// What the agents of a bubble show now: their panes where they sit in tmux, otherwise the end of what the newest turn printed.
import { basename, join } from "node:path";
import { createNodeProcesses } from "../../adapters/process/node.ts";
import { readTmuxScreens } from "../../adapters/seat/tmux-screens.ts";
import type { State } from "../../core/model/state.ts";
import type { PaneView } from "../../core/views/page/bubble/panes.ts";
import type { RecordWorld } from "../../engine/front/world.ts";
import { pickAllowedEnv } from "../host/environment.ts";
import { getTmuxSocket } from "../host/repositories/names.ts";
import { readEnd } from "./output-end.ts";

const wholeScreen = 64 * 1024;

export async function readPanes(
  world: Pick<RecordWorld, "redaction">,
  repo: string,
  state: State,
): Promise<PaneView[]> {
  const works = (agent: string) => state.turn?.status === "running" && state.turn.agent === agent;
  const role = (agent: string) => {
    const turn = [state.turn, state.lastTurn].find((one) => one?.agent === agent);
    return turn?.role ?? null;
  };
  if (state.seat === "tmux") {
    const server = {
      processes: createNodeProcesses(),
      socket: getTmuxSocket(repo),
      env: pickAllowedEnv(process.env),
    };
    const screens = await readTmuxScreens(server, state.bubbleId);
    return screens.map(({ agent, screen }) => ({
      agent,
      role: role(agent),
      works: works(agent),
      from: "pane",
      text: world.redaction.redact(screen),
    }));
  }
  // The record names the file; only its own folder is looked into.
  const folder = join(repo, ".pairflow", "runtime", state.bubbleId);
  return listNewestOutputs(state).map(({ agent, output }) => ({
    agent,
    role: role(agent),
    works: works(agent),
    from: "output",
    text: world.redaction.redact(readEnd(join(folder, basename(output)), wholeScreen)),
  }));
}

/** One for each agent, the newest first. */
function listNewestOutputs({ turn, lastTurn }: State): { agent: string; output: string }[] {
  const found = [turn, lastTurn].flatMap((one) =>
    one?.output ? [{ agent: one.agent, output: one.output }] : [],
  );
  return found.filter(({ agent }, at) => found.findIndex((other) => other.agent === agent) === at);
}
