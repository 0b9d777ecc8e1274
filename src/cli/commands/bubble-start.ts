// pairflow bubble start: workspace, panes, first turn.
import { ensureDriver } from "../../app/operate/driver.ts";
import { start } from "../../app/operate/start.ts";
import { openDesk, operatorFlags } from "../desk.ts";
import { driveHere } from "../drive-here.ts";
import { checkDrivesHere, exitCodeFlag } from "../exit-codes.ts";
import { nearPath } from "../render/style.ts";
import { yesFlag } from "../trust.ts";
import { verb } from "../verb.ts";

export const bubbleStart = verb({
  words: "bubble start",
  about: "Make the workspace and start the first turn, in tmux panes or headless",
  access: "operator",
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
    const desk = await openDesk(shell, flags, flags.headless ? "process" : "tmux");
    const started = await start(desk, desk.world.seats.kind, (line) => shell.say(line));
    if (started.refusal) return { refusal: started.refusal };
    const id = desk.bubble;
    const where = `Started ${id} in ${nearPath(started.state?.workspace?.path ?? "", shell.cwd)}`;
    const json = { bubble: id, worktree: started.state?.workspace?.path, seat: desk.world.seats.kind };
    if (flags.headless && !flags.detach) {
      shell.say(where);
      return driveHere(shell, desk, flags);
    }
    await ensureDriver(desk);
    const watch = flags.headless
      ? `pairflow bubble status --id ${id} --watch`
      : `pairflow bubble attach --id ${id}`;
    if (flags.attach && !flags.headless) {
      const { attachTo } = await import("../attach.ts");
      return attachTo(shell, desk);
    }
    return { text: `${where}\nNext: ${watch}`, json };
  },
});
