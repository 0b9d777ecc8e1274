// Starting a bubble from a terminal: a clone or a setup may take minutes, and its last line says for how long it has.
import { type StartOptions, startBubble } from "../../app/operate/start.ts";
import type { OperatorCall } from "../../app/trust/operator-call.ts";
import type { CommandReply } from "../../engine/front/command.ts";
import { formatAge } from "../render/time.ts";
import { canDrawLastLine, createLastLine } from "../terminal/last-line.ts";
import { createInk, cut } from "../terminal/style.ts";
import type { Shell } from "../verb/declaration.ts";

const drawMs = 1000;

export async function startTelling(
  shell: Pick<Shell, "say" | "json" | "colour">,
  call: OperatorCall,
  seat: string,
  options: Omit<StartOptions, "tell"> = {},
): Promise<CommandReply> {
  if (!canDrawLastLine(shell)) return startBubble(call, seat, { ...options, tell: shell.say });
  const { clock } = call.world;
  const began = clock.now();
  const line = createLastLine(shell.say);
  const paint = createInk(shell.colour);
  const timer = setInterval(() => {
    const text = `  the workspace is made ready · ${formatAge(began, clock.now())}`;
    line.draw(paint.dim(cut(text, (process.stderr.columns ?? 80) - 1)));
  }, drawMs);
  timer.unref();
  try {
    return await startBubble(call, seat, { ...options, tell: line.say });
  } finally {
    clearInterval(timer);
    line.draw();
  }
}
