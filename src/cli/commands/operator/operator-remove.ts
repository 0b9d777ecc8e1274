// pairflow operator remove: a key grants nothing more. What it has signed stays signed, and still says by which key.

import { buildUsageError } from "../../../app/host/usage.ts";
import { removeKey } from "../../../app/operators/kept.ts";
import { loadOperatorLists } from "../../../app/operators/lists.ts";
import { refuse } from "../../../core/model/refusal.ts";
import { groupFingerprintStart } from "../../../core/permission/proof/door.ts";
import { findKeyStanding } from "../../../core/permission/proof/operators.ts";
import { refuseWithoutTerminal } from "../../operator/keys.ts";
import { toPlainLine } from "../../terminal/style.ts";
import { defineVerb } from "../../verb/declaration.ts";

export const operatorRemove = defineVerb({
  words: "operator remove",
  about: "Take a passkey back: it grants nothing more on this machine",
  access: "granting",
  example: "pairflow operator remove laptop",
  takes: "<name or fingerprint>",
  flags: {},
  async run(shell, { words }) {
    const [word] = words;
    if (words.length !== 1 || !word)
      throw buildUsageError(
        "usage.missing-word",
        "operator remove needs one name or fingerprint",
        "pairflow operator list",
      );
    await refuseWithoutTerminal(shell);
    const lists = await loadOperatorLists({ env: shell.env });
    const wanted = word.replaceAll(" ", "").toLowerCase();
    const isMeant = (name: string, fingerprint: string) =>
      name === word || (wanted.length >= 8 && fingerprint.startsWith(wanted));
    const found = lists.kept.filter(
      ({ key, removedAt }) => removedAt === undefined && isMeant(key.name, key.fingerprint),
    );
    const [one] = found;
    if (!one)
      return {
        refusal: refuse("operator.unknown", `no key here is called ${word}`, "pairflow operator list"),
      };
    if (new Set(found.map(({ key }) => key.fingerprint)).size > 1)
      return {
        refusal: refuse(
          "operator.ambiguous",
          `several keys are called ${word}; name its fingerprint`,
          "pairflow operator list",
        ),
      };
    const { name, fingerprint } = one.key;
    removeKey(shell.env, fingerprint, new Date().toISOString());
    const left = await loadOperatorLists({ env: shell.env });
    const stays =
      findKeyStanding(fingerprint, left).is === "known"
        ? "; /etc/pairflow/operators.yaml still names it"
        : "";
    return {
      text: toPlainLine(`Removed ${name} (${groupFingerprintStart(fingerprint)})${stays}`),
      json: { removed: { name, fingerprint } },
    };
  },
});
