// pairflow operator list: whose keys count on this machine, and those that did.
import { listWaitingKeys } from "../../../app/operators/kept.ts";
import { machineList } from "../../../app/operators/listed.ts";
import { loadOperatorLists } from "../../../app/operators/lists.ts";
import type { OperatorKey } from "../../../core/model/page/proof.ts";
import { findKeyStanding } from "../../../core/permission/proof/operators.ts";
import { renderKey } from "../../operator/keys.ts";
import { toPlainLine } from "../../terminal/style.ts";
import { defineVerb } from "../../verb/declaration.ts";

export const operatorList = defineVerb({
  words: "operator list",
  about: "Show whose passkeys can approve on this machine",
  access: "operator",
  example: "pairflow operator list --yaml",
  flags: {
    yaml: {
      kind: "switch",
      about: "print those that count in the form of .pairflow/operators.yaml, to commit it for others",
    },
  },
  async run(shell, { flags }) {
    const lists = await loadOperatorLists({ env: shell.env });
    const { machine } = lists;
    const rows = machine
      ? machine.map((key) => ({ key, state: `of ${machineList}` }))
      : lists.kept.map(({ key, at, removedAt }) => ({
          key,
          state: removedAt ? `removed ${removedAt}` : `confirmed ${at}`,
        }));
    const good = rows.filter(({ key, state }) => isGood(lists, key) && !state.startsWith("removed"));
    if (flags.yaml)
      return { text: toYaml(good.map(({ key }) => key)), json: { operators: good.map(({ key }) => key) } };
    const waiting = listWaitingKeys(shell.env, Date.now()).filter((key) => !isGood(lists, key));
    const all = [...rows, ...waiting.map((key) => ({ key, state: "waits: pairflow operator add" }))];
    const text = all.map(({ key, state }) => `${renderKey(key)}\n  ${state}`).join("\n");
    return {
      text: toPlainLine(text || "No passkey is confirmed on this machine; pairflow ui /keys makes one"),
      json: { operators: all.map(({ key, state }) => ({ ...key, state })) },
    };
  },
});

const isGood = (lists: Parameters<typeof findKeyStanding>[1], { fingerprint }: OperatorKey): boolean =>
  findKeyStanding(fingerprint, lists).is === "known";

/** Texts of JSON are texts of YAML. */
function toYaml(keys: readonly OperatorKey[]): string {
  const rows = keys.map((key) =>
    Object.entries(key)
      .map(([name, value], at) => `${at === 0 ? "  - " : "    "}${name}: ${JSON.stringify(value)}`)
      .join("\n"),
  );
  return ["operators:", ...rows].join("\n");
}
