// pairflow operator add: a key that the page has made, or that the repository lists, counts on this machine from here on.

import { findRepo } from "../../../app/host/locate.ts";
import { keepKey, listWaitingKeys } from "../../../app/operators/kept.ts";
import { readListedKeys } from "../../../app/operators/listed.ts";
import { loadOperatorLists } from "../../../app/operators/lists.ts";
import type { OperatorKey } from "../../../core/model/page/proof.ts";
import { refuse } from "../../../core/model/refusal.ts";
import { findKeyStanding } from "../../../core/permission/proof/operators.ts";
import { refuseWithoutTerminal, renderKey } from "../../operator/keys.ts";
import { askLine } from "../../terminal/ask.ts";
import { toPlainLine } from "../../terminal/style.ts";
import { bubbleFlags } from "../../verb/agent-flags.ts";
import { defineVerb, type Shell } from "../../verb/declaration.ts";

export const operatorAdd = defineVerb({
  words: "operator add",
  about: "Confirm a passkey that the page has made: from then on it can approve",
  access: "granting",
  example: "pairflow operator add",
  flags: {
    repo: bubbleFlags.repo,
    listed: {
      kind: "switch",
      about: "confirm keys that .pairflow/operators.yaml of the checked-out commit lists",
    },
  },
  async run(shell, { flags }) {
    await refuseWithoutTerminal(shell);
    const lists = await loadOperatorLists({ env: shell.env });
    if (lists.machine)
      return {
        refusal: refuse("operator.of-machine", "/etc/pairflow/operators.yaml says whose keys count here"),
      };
    const offered = flags.listed
      ? await listListedHere(shell, flags.repo)
      : listWaitingKeys(shell.env, Date.now());
    const open = offered.filter(({ fingerprint }) => findKeyStanding(fingerprint, lists).is !== "known");
    if (open.length === 0) return { refusal: flags.listed ? nothingListed : nothingWaits };
    const added: OperatorKey[] = [];
    for (const key of open) if (await isConfirmed(shell, key)) added.push(key);
    for (const key of added) keepKey(shell.env, key, new Date().toISOString());
    const text =
      added.length === 0
        ? "Nothing was added"
        : added.map(({ name }) => `Added ${toPlainLine(name)}`).join("\n");
    return { text, json: { added } };
  },
});

async function listListedHere(shell: Shell, repo: string | undefined): Promise<OperatorKey[]> {
  const found = findRepo(repo ?? shell.cwd);
  return (found && (await readListedKeys(found, "HEAD"))) || [];
}

const nothingWaits = refuse(
  "operator.no-key",
  "no key waits: make one on the page first, under Keys",
  "pairflow ui /keys",
);
const nothingListed = refuse(
  "operator.no-key",
  "the checked-out commit lists no key that is not confirmed here already",
  "pairflow operator list",
);

/** Both screens show the fingerprint; its end is typed here, so that they were compared. */
async function isConfirmed(shell: Shell, key: OperatorKey): Promise<boolean> {
  shell.say(toPlainLine(renderKey(key)));
  if (!shell.interactive) throw refuse("operator.not-asked", "there is nobody to compare the fingerprint");
  const typed = await askLine("Type the last four characters of the fingerprint as the page shows it: ");
  return typed?.trim().toLowerCase() === key.fingerprint.slice(-4);
}
