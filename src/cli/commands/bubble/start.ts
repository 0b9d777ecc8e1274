// pairflow bubble start: workspace, panes, first turn.
import { ensureDriver } from "../../../app/operate/driver.ts";
import { startBubble } from "../../../app/operate/start.ts";
import { refuse } from "../../../core/model/refusal.ts";
import { openCall, operatorFlags } from "../../operator/operator-call.ts";
import { yesFlag } from "../../operator/trust.ts";
import { driveHere } from "../../screens/drive-here.ts";
import { shortenPath } from "../../terminal/style.ts";
import { defineVerb, type Shell } from "../../verb/declaration.ts";
import { checkDrivesHere, exitCodeFlag } from "../../verb/exit-codes.ts";

export const bubbleStart = defineVerb({
  words: "bubble start",
  also: ["start"],
  about: "Make the workspace and start the first turn, in tmux panes or headless",
  access: "operator",
  suits: ["CREATED"],
  example: "pairflow bubble start --id fix-cart",
  flags: {
    ...operatorFlags,
    ...yesFlag,
    headless: {
      kind: "switch",
      about: "no panes: run the turns as plain processes and drive them from this terminal",
    },
    detach: { kind: "switch", about: "with --headless: drive in the background" },
    ...exitCodeFlag,
    attach: { kind: "switch", about: "attach to the panes at once" },
  },
  async run(shell, { flags }) {
    checkDrivesHere(flags, flags.headless && !flags.detach);
    const isAlone = !flags.headless && !shell.interactive;
    if (isAlone && isBuildMachine(shell.env)) return { refusal: refuseNoTerminal(flags.id) };
    const call = await openCall(shell, flags, flags.headless ? "process" : "tmux");
    const started = await startBubble(call, call.world.seats.kind, (line) => shell.say(line));
    if (started.refusal) return { refusal: started.refusal };
    const id = call.bubble;
    const where = `Started ${id} in ${shortenPath(started.state?.workspace?.path ?? "", shell.cwd)}`;
    const json = { bubble: id, worktree: started.state?.workspace?.path, seat: call.world.seats.kind };
    if (flags.headless && !flags.detach) {
      shell.say(where);
      return driveHere(shell, call, flags);
    }
    if (isAlone)
      shell.say("No terminal here: its panes are in tmux, in the background; --headless drives it from here");
    await ensureDriver(call);
    const watch = flags.headless
      ? `pairflow bubble status --id ${id} --watch`
      : `pairflow bubble attach --id ${id}`;
    if (flags.attach && !flags.headless) {
      const { attachTo } = await import("../../screens/attach.ts");
      return attachTo(shell, call);
    }
    return { text: `${where}\nNext: ${watch}`, json };
  },
});

/** As every common build service says it. */
const isBuildMachine = ({ CI = "" }: Shell["env"]): boolean => !["", "0", "false"].includes(CI);

/** A job that ends takes the tmux server with it, or leaves it behind with nobody who looks. */
const refuseNoTerminal = (id: string | undefined) =>
  refuse(
    "start.no-terminal",
    "there is no terminal here and CI is set: nobody would see the panes",
    `pairflow bubble start${id === undefined ? "" : ` --id ${id}`} --headless --exit-code`,
  );
