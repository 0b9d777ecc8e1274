// Starting, pausing, resuming and stopping a bubble from the page: the terminal's own functions.
import { ensureDriver } from "../../app/operate/driver.ts";
import { stopBubble } from "../../app/operate/end.ts";
import { pauseBubble } from "../../app/operate/pause.ts";
import { resumeBubble, resumeRefused } from "../../app/operate/resume.ts";
import { startBubble } from "../../app/operate/start.ts";
import type { OperatorCall } from "../../app/trust/operator-call.ts";
import type { PageCommand } from "../../core/model/page/command.ts";
import type { CommandReply } from "../../engine/front/command.ts";
import type { SpokenResult } from "./speak.ts";

export type RunCommand = Extract<PageCommand, { do: "start" | "pause" | "resume" | "stop" }>;

export async function run(call: OperatorCall, command: RunCommand): Promise<SpokenResult> {
  const { refusal, state } = await put(call, command);
  if (refusal) return { refusal };
  return { said: `${call.bubble} is ${state?.pause ? "paused" : state?.lifecycle}` };
}

async function put(call: OperatorCall, command: RunCommand): Promise<CommandReply> {
  switch (command.do) {
    case "start":
      return ensureDriven(call, await startBubble(call, call.world.seats.kind));
    case "pause":
      return pauseBubble(call, { message: command.message, now: command.now });
    case "stop":
      return stopBubble(call, command.message);
    case "resume": {
      const how = { message: command.message };
      const refusal = await resumeRefused(call, how);
      return refusal
        ? { state: undefined, envelopes: [], refusal }
        : ensureDriven(call, await resumeBubble(call, how));
    }
  }
}

/** Somebody must act on it. */
async function ensureDriven(call: OperatorCall, handled: CommandReply): Promise<CommandReply> {
  if (!handled.refusal) await ensureDriver(call);
  return handled;
}
