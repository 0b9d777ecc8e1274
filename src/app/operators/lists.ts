// All that is known about operators, for one bubble or for the whole machine.
import type { OperatorLists } from "../../core/permission/proof/operators.ts";
import { type Env, listKeptKeys } from "./kept.ts";
import { readListedKeys, readMachineKeys } from "./listed.ts";

export interface OperatorListsQuery {
  readonly env: Env;
  /** The repository and the commit whose list counts; left out: no repository's. */
  readonly repo?: string | undefined;
  readonly commit?: string | undefined;
}

export async function loadOperatorLists({ env, repo, commit }: OperatorListsQuery): Promise<OperatorLists> {
  const listed = repo && commit ? await readListedKeys(repo, commit) : undefined;
  return { kept: listKeptKeys(env), machine: readMachineKeys(), listed };
}
