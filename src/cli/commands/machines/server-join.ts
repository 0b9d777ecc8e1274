// pairflow server join: keeps the key of this person or machine where only its user reads it, and tries it.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { requireRepo } from "../../../app/host/locate.ts";
import { joinStore } from "../../../app/store/join.ts";
import { bubbleFlags } from "../../verb/agent-flags.ts";
import { defineVerb } from "../../verb/declaration.ts";
import { buildCommandUsage } from "../../verb/result.ts";

export const serverJoin = defineVerb({
  words: "server join",
  about: "Keep this user's key of the server that the project names, and try it",
  access: "operator",
  takes: "<key>",
  example: "pairflow server join anna.nk",
  flags: {
    repo: bubbleFlags.repo,
    worker: { kind: "switch", about: "a worker's key, beside that of a person who decides on this machine" },
  },
  async run({ cwd, env }, { flags, words }) {
    const [given] = words;
    if (given === undefined)
      throw buildCommandUsage(
        "usage.missing",
        "which key? a file that pairflow server init wrote",
        "pairflow server join anna.nk",
      );
    const repo = requireRepo(flags.repo, cwd, env);
    const seed = readKey(resolve(cwd, given));
    const { file, project, url } = await joinStore(repo, env, seed, flags.worker);
    return {
      text: `Joined ${project} at ${url}\nThe key is kept in ${file}; delete ${given}`,
      json: { project, url, file },
    };
  },
});

function readKey(file: string): string {
  try {
    return readFileSync(file, "utf8").trim();
  } catch (cause) {
    throw buildCommandUsage(
      "store.no-key",
      `The key cannot be read: ${(cause as Error).message}`,
      `ls -l ${file}`,
    );
  }
}
