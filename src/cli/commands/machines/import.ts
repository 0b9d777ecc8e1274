// pairflow import: records that were exported, or that are files, into the store that the project names.
import { resolve } from "node:path";
import { takeRecords } from "../../../app/exchange/import.ts";
import { requireRepo } from "../../../app/host/locate.ts";
import { buildUsageError } from "../../../app/host/usage.ts";
import { formatCount } from "../../render/table.ts";
import { bubbleFlags } from "../../verb/agent-flags.ts";
import { defineVerb } from "../../verb/declaration.ts";

export const importVerb = defineVerb({
  words: "import",
  about: "Take records from a folder: what pairflow export --record wrote, or .pairflow/bubbles of a clone",
  access: "operator",
  takes: "<folder>",
  example: "pairflow import fix-cart-record",
  flags: { repo: bubbleFlags.repo },
  notes: [
    "Lines are taken as they are, and only where they build on what is there; nothing is changed otherwise.",
    "Lines of people need the key of a person where the records are on a server.",
  ],
  async run({ cwd, env }, { flags, words }) {
    const [given] = words;
    if (given === undefined)
      throw buildUsageError("usage.missing", "which folder?", "pairflow import fix-cart-record");
    const imported = await takeRecords(requireRepo(flags.repo, cwd, env), resolve(cwd, given));
    const text = imported.map(
      ({ bubble, added, lines }) =>
        `${bubble}: ${added === 0 ? "nothing new" : `${formatCount(added, "line")} taken`}, ${lines} in all`,
    );
    return { text: [...text, "Next: pairflow verify"].join("\n"), json: { bubbles: imported } };
  },
});
