// Whose keys count: those that a person has confirmed on this machine, or, where the machine's owner keeps a list, those alone.
// A repository can name its operators; it can make nobody one.
import type { KeyStanding, OperatorKey } from "../../model/page/proof.ts";

/** A key that was confirmed here, perhaps taken back since. */
export interface KeptKey {
  readonly key: OperatorKey;
  readonly at: string;
  readonly removedAt?: string;
}

export interface OperatorLists {
  readonly kept: readonly KeptKey[];
  /** The list of the machine's owner, which wins; undefined: there is none. */
  readonly machine?: readonly OperatorKey[] | undefined;
  /** Those that the repository names in the bubble's base commit; undefined: it names none. */
  readonly listed?: readonly OperatorKey[] | undefined;
}

/** What is known of a key by its fingerprint. */
export function findKeyStanding(fingerprint: string, { kept, machine, listed }: OperatorLists): KeyStanding {
  const isIt = (one: OperatorKey) => one.fingerprint === fingerprint;
  const known = machine
    ? machine.filter(isIt).map((key): KeptKey => ({ key, at: "" }))
    : kept.filter(({ key }) => isIt(key));
  const one = known.find(({ removedAt }) => removedAt === undefined) ?? known.at(-1);
  if (!one) return { is: "unknown" };
  const { name, rp_id } = one.key;
  if (one.removedAt !== undefined) return { is: "removed", name, at: one.removedAt };
  if (listed && !listed.some(isIt)) return { is: "not-listed", name };
  return { is: "known", name, rpId: rp_id };
}

/** Every key that may be asked for a signature under a name. */
export function listGrantingKeys(lists: OperatorLists, rpId: string): OperatorKey[] {
  const all = lists.machine ?? lists.kept.map(({ key }) => key);
  const isGood = ({ fingerprint }: OperatorKey) => findKeyStanding(fingerprint, lists).is === "known";
  const good = all.filter((key) => key.rp_id === rpId && isGood(key));
  return good.filter(
    (key, at) => good.findIndex(({ fingerprint }) => fingerprint === key.fingerprint) === at,
  );
}
