// The tree and how it was made: outside the scope, without a sandbox, with what looks like a secret.
import { type SentenceRule, sayNames } from "../sentence.ts";

const scope: SentenceRule = {
  code: "tree.scope-overridden",
  appears: "a human allowed files outside the bubble's scope",
  say: ({ scopeOverrides }) => sayNames(scopeOverrides, (names) => `scope overridden for: ${names}`),
};

const unsandboxed: SentenceRule = {
  code: "tree.unsandboxed",
  appears: "an agent had a turn without an operating-system sandbox",
  say: ({ unsandboxed: agents }) => sayNames(agents, (names) => `without an OS sandbox: ${names}`),
};

const secret: SentenceRule = {
  code: "tree.secret",
  appears: "a place of the tree looks like a secret",
  say: ({ tree }) => sayNames(tree?.secrets ?? [], (names) => `looks like a secret: ${names}`),
};

const kept: SentenceRule = {
  code: "tree.kept-changes",
  appears: "files changed while no agent was at work, and a human kept them",
  say: ({ strayKept = [] }) =>
    sayNames(
      strayKept,
      (names) => `files that changed while no agent was at work were kept by a human: ${names}`,
    ),
};

const putBack: SentenceRule = {
  code: "tree.put-back",
  appears: "new files appeared during a turn that only reads; its word counts, and the files were put back",
  say: ({ putBack: all = [] }) =>
    all.map(({ agent, role, round, files, patch }) => ({
      text: `new files appeared during the turn of ${agent} (${role}, round ${round}) and were put back: ${files.join(", ")} (kept as ${patch})`,
      facts: { agent, role, round, files, patch },
    })),
};

export const treeSentences: readonly SentenceRule[] = [scope, unsandboxed, secret, kept, putBack];
