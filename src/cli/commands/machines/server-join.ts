// pairflow server join: keeps the key of this person or machine where only its user reads it, and tries it.
import { resolve } from "node:path";
import { requireRepo } from "../../../app/host/locate.ts";
import { buildUsageError, readNamedText } from "../../../app/host/usage.ts";
import { type JoinedStore, joinStore } from "../../../app/store/join.ts";
import { bubbleFlags } from "../../verb/agent-flags.ts";
import { defineVerb } from "../../verb/declaration.ts";

export const serverJoin = defineVerb({
  words: "server join",
  about: "Say yes to the server that the project names, keep this user's key of it, and try both",
  access: "operator",
  takes: "[key]",
  example: "pairflow server join anna.nk",
  flags: {
    repo: bubbleFlags.repo,
    worker: { kind: "switch", about: "a worker's key, beside that of a person who decides on this machine" },
  },
  notes: [
    "Without a key the one that was kept before is tried, or none if the server has no users: for another clone.",
    "Until then no command of this clone speaks to the server: its address came with the repository.",
  ],
  async run({ cwd, env }, { flags, words }) {
    const [given] = words;
    const repo = requireRepo(flags.repo, cwd, env);
    const seed = given === undefined ? undefined : readKey(resolve(cwd, given));
    const joined = await joinStore(repo, env, seed, flags.worker);
    return { text: describeJoined(joined, given), json: { ...joined } };
  },
});

function describeJoined({ project, url, file }: JoinedStore, given: string | undefined): string {
  const joined = `Joined ${project} at ${url}`;
  if (file === undefined) return `${joined}\nThe server asks for no key`;
  return given === undefined
    ? `${joined} with the key in ${file}`
    : `${joined}\nThe key is kept in ${file}; delete ${given}`;
}

const readKey = (file: string): string =>
  readNamedText(file, ({ message }) =>
    buildUsageError("store.no-key", `The key cannot be read: ${message}`, `ls -l ${file}`),
  ).trim();
