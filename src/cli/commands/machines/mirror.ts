// pairflow mirror: the records of a server as folders of this machine, until Ctrl-C.
import { join, resolve } from "node:path";
import { keepMirror } from "../../../app/exchange/mirror.ts";
import { requireRepo } from "../../../app/host/locate.ts";
import { createStopSignal } from "../../terminal/interrupt.ts";
import { bubbleFlags } from "../../verb/agent-flags.ts";
import { defineVerb } from "../../verb/declaration.ts";

export const mirror = defineVerb({
  words: "mirror",
  about: "Keep the records of the server as folders here, byte for byte, until Ctrl-C",
  access: "operator",
  takes: "[folder]",
  example: "pairflow mirror --once",
  flags: {
    repo: bubbleFlags.repo,
    once: { kind: "switch", about: "bring the folders up to date and leave" },
  },
  async run(shell, { flags, words }) {
    const repo = requireRepo(flags.repo, shell.cwd, shell.env);
    const folder = words[0] === undefined ? join(repo, ".pairflow", "bubbles") : resolve(shell.cwd, words[0]);
    const count = await keepMirror({
      repo,
      folder,
      once: flags.once,
      signal: createStopSignal(),
      tell: shell.say,
    });
    return {
      text: `${count} ${count === 1 ? "bubble" : "bubbles"} in ${folder}`,
      json: { bubbles: count, folder },
    };
  },
});
