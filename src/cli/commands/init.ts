// pairflow init: prepares a repository, and makes operator keys for automation.
import { type Initialised, ignoreNotes, initialise } from "../../app/init.ts";
import { repoOf } from "../../app/locate.ts";
import { registerKey } from "../../app/operator-key.ts";
import { bubbleFlags } from "../spoken-flags.ts";
import { verb } from "../verb.ts";

export const init = verb({
  words: "init",
  about: "Prepare this repository: the .pairflow folder, ignore rules, a configuration to fill in",
  access: "operator",
  example: "pairflow init",
  flags: {
    repo: bubbleFlags.repo,
    private: { kind: "switch", about: "write the ignore rules into .git/info/exclude instead of .gitignore" },
    "operator-key": {
      kind: "text",
      value: "<file>",
      about: "make a key that speaks for you where there is no terminal, and register it here",
    },
  },
  async run(shell, { flags }) {
    const repo = repoOf(flags.repo, shell.cwd, shell.env);
    const done = initialise(repo, flags.private);
    const file = flags["operator-key"];
    const key = file === undefined ? undefined : registerKey(repo, file, shell.cwd);
    const did = [...done.did, ...(key ? [keySentence(key)] : [])];
    const notes = await ignoreNotes(repo);
    return { text: describe({ ...done, did }, notes), json: { repo, did, notes, operator_key: key ?? null } };
  },
});

function keySentence({ file, made, registered }: ReturnType<typeof registerKey>): string {
  if (!registered) return `knew ${file} already`;
  return made
    ? `made the operator key ${file} (only you can read it)`
    : `registered the operator key ${file}`;
}

function describe({ repo, did, toCommit }: Initialised, notes: readonly string[]): string {
  const head = did.length > 0 ? `Prepared ${repo}` : `${repo} is prepared already; nothing was changed`;
  const commit =
    toCommit.length > 0 ? [`Next: git add ${toCommit.join(" ")} && git commit -m "Prepare Pairflow"`] : [];
  const next = [
    'pairflow bubble create --id <id> --task "…"   makes a bubble',
    "pairflow doctor   checks that everything is there",
  ];
  return [
    head,
    ...did.map((line) => `  ${line}`),
    ...notes.map((note) => `Note: ${note}`),
    ...commit,
    ...next.map((line) => `Next: ${line}`),
  ].join("\n");
}
