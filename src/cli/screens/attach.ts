// Handing the terminal to tmux.

import { attachCommand, attachTerminal } from "../../app/operate/attach.ts";
import { ensureDriver } from "../../app/operate/driver.ts";
import { type Desk, stateOf } from "../../app/trust/desk.ts";
import { isFinal } from "../../core/bubble/lifecycle.ts";
import type { Lifecycle } from "../../core/model/state.ts";
import type { Result, Shell } from "../verb/verb.ts";

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
  if (onlyPrint) return { text: asTyped(command), json: { command } };
  const { lifecycle } = await stateOf(desk);
  // A workspace that could not be made is the operator's to mend: a driver would only fail again.
  if (lifecycle !== "PREPARING_WORKSPACE") await ensureDriver(desk);
  if (!(await desk.world.seats.isOpen(desk.bubble)))
    return {
      refusal: {
        code: "attach.no-session",
        message: `${desk.bubble} has no panes now: it is ${lifecycle}`,
        hint: `pairflow bubble ${wayOut(lifecycle)} --id ${desk.bubble}`,
      },
    };
  if (!shell.interactive)
    return {
      refusal: { code: "attach.no-terminal", message: "attach needs a terminal", hint: asTyped(command) },
    };
  return { exitCode: await attachTerminal(desk) };
}

function wayOut(lifecycle: Lifecycle): string {
  if (lifecycle === "CREATED" || lifecycle === "PREPARING_WORKSPACE") return "start";
  return isFinal(lifecycle) ? "status" : "resume";
}

/** Words as a person can paste them; zsh would look for a program behind a leading =. */
function asTyped(words: readonly string[]): string {
  return words.map((word) => (/^[\w@%+:,./-]+$/.test(word) ? word : `'${word}'`)).join(" ");
}
