// pairflow trust: what was confirmed that this repository may run, and how to take it back.
import { requireRepo } from "../../../app/host/locate.ts";
import { createWorld } from "../../../app/world/world.ts";
import { renderProgram } from "../../../core/trust/program.ts";
import { bubbleFlags } from "../../verb/agent-flags.ts";
import { defineVerb } from "../../verb/declaration.ts";

export const trust = defineVerb({
  words: "trust",
  about: "Show what was confirmed that this repository may run with your rights",
  access: "operator",
  example: "pairflow trust --forget",
  flags: {
    repo: bubbleFlags.repo,
    forget: { kind: "switch", about: "forget all of it: the next start shows and asks again" },
  },
  async run(shell, { flags }) {
    const repo = requireRepo(flags.repo, shell.cwd, shell.env);
    const { trust: kept } = createWorld(repo, "process");
    const programs = await kept.confirmed();
    if (flags.forget) {
      await kept.forget();
      return { text: `Forgotten: ${programs.length} confirmed for ${repo}`, json: { forgotten: programs } };
    }
    const text =
      programs.length === 0
        ? "Nothing is confirmed for this repository yet; bubble create and start ask"
        : programs.map(renderProgram).join("\n");
    return { text, json: { repo, programs } };
  },
});
