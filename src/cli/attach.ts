// Handing the terminal to tmux.

import { attachCommand, attachTerminal } from "../app/attach.ts";
import { type Desk, ensureDriver } from "../app/operate.ts";
import type { Result, Shell } from "./verb.ts";

export async function attachTo(shell: Shell, desk: Desk, onlyPrint = false): Promise<Result> {
  if (desk.world.seats.kind !== "tmux") {
    return {
      refusal: {
        code: "attach.no-panes",
        message: `${desk.bubble} runs without panes`,
        hint: `pairflow bubble status --id ${desk.bubble} --watch   or   pairflow bubble resume --id ${desk.bubble} --tmux`,
      },
    };
  }
  const command = attachCommand(desk);
  if (onlyPrint) return { text: command.join(" "), json: { command } };
  await ensureDriver(desk);
  if (!(await desk.world.seats.isOpen(desk.bubble)))
    return {
      refusal: {
        code: "attach.no-session",
        message: `${desk.bubble} has no panes now`,
        hint: `pairflow bubble resume --id ${desk.bubble}`,
      },
    };
  if (!shell.interactive)
    return {
      refusal: { code: "attach.no-terminal", message: "attach needs a terminal", hint: command.join(" ") },
    };
  return { exitCode: await attachTerminal(desk) };
}
