// Handing the terminal to tmux.

import { attachCommand, attachTerminal } from "../../app/operate/attach.ts";
import { ensureDriver } from "../../app/operate/driver.ts";
import { loadCallState, type OperatorCall } from "../../app/trust/operator-call.ts";
import { isFinal } from "../../core/bubble/lifecycle.ts";
import { type Refusal, refuse } from "../../core/model/refusal.ts";
import type { Lifecycle } from "../../core/model/state.ts";
import { findSharedHostName, isSameHost } from "../../core/state/hosts.ts";
import type { CommandResult, Shell } from "../verb/declaration.ts";

export async function attachTo(shell: Shell, call: OperatorCall, onlyPrint = false): Promise<CommandResult> {
  const elsewhere = await refuseElsewhere(call);
  if (elsewhere) return { refusal: elsewhere };
  if (call.world.seats.kind !== "tmux")
    return {
      refusal: {
        code: "attach.no-panes",
        message: `${call.bubble} runs without panes`,
        hint: `pairflow bubble status --id ${call.bubble} --watch   or   pairflow bubble resume --id ${call.bubble} --tmux`,
      },
    };
  const command = attachCommand(call);
  if (onlyPrint) return { text: quoteWords(command), json: { command } };
  const { lifecycle } = await loadCallState(call);
  // A workspace that could not be made is the operator's to fix: a driver would only fail again.
  if (lifecycle !== "PREPARING_WORKSPACE") await ensureDriver(call);
  if (!(await call.world.seats.isOpen(call.bubble)))
    return {
      refusal: {
        code: "attach.no-session",
        message: `${call.bubble} has no panes now: it is ${lifecycle}`,
        hint: `pairflow bubble ${suggestWayOut(lifecycle)} --id ${call.bubble}`,
      },
    };
  if (!shell.interactive)
    return {
      refusal: { code: "attach.no-terminal", message: "attach needs a terminal", hint: quoteWords(command) },
    };
  return { exitCode: await attachTerminal(call) };
}

/** Panes are on the machine of the driver. */
async function refuseElsewhere({ world, bubble }: OperatorCall): Promise<Refusal | undefined> {
  const holder = world.offers && (await world.runtime.living(bubble));
  if (!holder || isSameHost(holder.host, world.host)) return undefined;
  const name = findSharedHostName(holder.host) ?? holder.host;
  const there =
    holder.seat === "tmux"
      ? `ssh -t ${name} pairflow bubble attach --id ${bubble}    # in the clone there`
      : "";
  return refuse(
    "attach.elsewhere",
    `${bubble} is driven on ${name}, by process ${holder.pid}${there ? "" : ", without panes"}`,
    there || `pairflow bubble status --id ${bubble} --watch`,
  );
}

function suggestWayOut(lifecycle: Lifecycle): string {
  if (lifecycle === "CREATED" || lifecycle === "PREPARING_WORKSPACE") return "start";
  return isFinal(lifecycle) ? "status" : "resume";
}

/** Words as a person can paste them; zsh would look for a program behind a leading =. */
function quoteWords(words: readonly string[]): string {
  return words.map((word) => (/^[\w@%+:,./-]+$/.test(word) ? word : `'${word}'`)).join(" ");
}
