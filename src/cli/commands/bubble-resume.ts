// pairflow bubble resume: back to ping-pong after an intervention, a crash or a reboot.
import { ensureDriver, resume } from "../../app/operate.ts";
import { openDesk, operatorFlags } from "../desk.ts";
import { driveHere } from "../drive-here.ts";
import { usage } from "../outcome.ts";
import { verb } from "../verb.ts";

export const bubbleResume = verb({
  words: "bubble resume",
  about: "Go on after an intervention or a crash; starts a driver if none lives",
  access: "operator",
  example: "pairflow bubble resume --id fix-cart",
  flags: {
    ...operatorFlags,
    message: { kind: "text", value: '"<text>"', about: "a word to the agent" },
    keep: {
      kind: "switch",
      about: "files changed outside a turn are kept; the implementer goes on from them",
    },
    "put-back": {
      kind: "switch",
      about: "files changed outside a turn are put back; they are kept as a patch",
    },
    headless: { kind: "switch", about: "go on without panes, driven from this terminal" },
    tmux: { kind: "switch", about: "go on in panes" },
    detach: { kind: "switch", about: "with --headless: drive in the background" },
  },
  async run(shell, { flags }) {
    if (flags.keep && flags["put-back"])
      throw usage(
        "usage.contradiction",
        "--keep and --put-back exclude each other",
        "pairflow bubble resume --help",
      );
    const seat = flags.headless ? "process" : flags.tmux ? "tmux" : undefined;
    const desk = await openDesk(shell, flags, seat);
    const tree = flags.keep
      ? ({ tree: "keep" } as const)
      : flags["put-back"]
        ? ({ tree: "put-back" } as const)
        : {};
    const handled = await resume(desk, { message: flags.message ?? "", ...tree });
    if (handled.refusal) return { refusal: handled.refusal };
    if (flags.headless && !flags.detach && !(await desk.world.runtime.living(desk.bubble)))
      return driveHere(shell, desk);
    const driver = await ensureDriver(desk);
    const says = {
      running: "it is driven already",
      started: "a driver was started",
      "not-needed": "nothing is owed",
    }[driver];
    return {
      text: `${desk.bubble} is ${handled.state?.lifecycle}; ${says}`,
      json: { bubble: desk.bubble, state: handled.state?.lifecycle, driver },
    };
  },
});
