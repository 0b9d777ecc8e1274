// pairflow trust: what was confirmed that this repository may run, and how to take it back.
import { repoOf } from "../../../app/host/locate.ts";
import { worldOf } from "../../../app/world/world.ts";
import { programLine } from "../../../core/trust/program.ts";
import { bubbleFlags } from "../../verb/spoken-flags.ts";
import { verb } from "../../verb/verb.ts";

export const trust = verb({
  words: "trust",
  about: "Show what was confirmed that this repository may run with your rights",
  access: "operator",
  example: "pairflow trust --forget",
  flags: {
    repo: bubbleFlags.repo,
    forget: { kind: "switch", about: "forget all of it: the next start shows and asks again" },
  },
  async run(shell, { flags }) {
    const repo = repoOf(flags.repo, shell.cwd, shell.env);
    const { trust: kept } = worldOf(repo, "process");
    const programs = await kept.confirmed();
    if (flags.forget) {
      await kept.forget();
      return { text: `Forgotten: ${programs.length} confirmed for ${repo}`, json: { forgotten: programs } };
    }
    const text =
      programs.length === 0
        ? "Nothing is confirmed for this repository yet; bubble create and start ask"
        : programs.map(programLine).join("\n");
    return { text, json: { repo, programs } };
  },
});
