// Starting, pausing, resuming and stopping a bubble from the page: the terminal's own functions.
import { ensureDriver } from "../../app/operate/driver.ts";
import { stopBubble } from "../../app/operate/end.ts";
import { pauseBubble } from "../../app/operate/pause.ts";
import { startBubble } from "../../app/operate/start.ts";
import type { OperatorCall } from "../../app/trust/operator-call.ts";
import type { PageCommand } from "../../core/model/page/command.ts";
import type { CommandReply } from "../../engine/front/command.ts";
import { resume, type SpokenResult } from "./speak.ts";

export type RunCommand = Extract<PageCommand, { do: "start" | "pause" | "resume" | "stop" }>;

export async function run(call: OperatorCall, command: RunCommand): Promise<SpokenResult> {
  if (command.do === "resume") return resume(call, command.message);
  const { refusal, state } = await put(call, command);
  if (refusal) return { refusal };
  return { said: `${call.bubble} is ${state?.pause ? "paused" : state?.lifecycle}` };
}

async function put(
  call: OperatorCall,
  command: Exclude<RunCommand, { do: "resume" }>,
): Promise<CommandReply> {
  switch (command.do) {
    case "start": {
      const handled = await startBubble(call, call.world.seats.kind);
      // Somebody must act on it.
      if (!handled.refusal) await ensureDriver(call);
      return handled;
    }
    case "pause":
      return pauseBubble(call, { message: command.message, now: command.now });
    case "stop":
      return stopBubble(call, command.message);
  }
}
