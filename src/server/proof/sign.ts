// GET /api/b/<repo>/<id>/sign: what a signature would be over now, what it does, and which keys can give it.

import { prepareSigning } from "../../app/operate/sign.ts";
import { loadOperatorLists } from "../../app/operators/lists.ts";
import { openOperatorCall } from "../../app/world/operator-call.ts";
import { isPasskeyWanted } from "../../core/permission/proof/door.ts";
import { listGrantingKeys } from "../../core/permission/proof/operators.ts";
import { getSigningStep } from "../../core/views/page/review/payload.ts";
import type { SignFacts } from "../../core/views/page/review/sign.ts";
import { findNamedBubble } from "../pages/record.ts";
import type { GrantDependencies } from "./grant.ts";

export async function readSign(
  dependencies: GrantDependencies,
  repo: string,
  id: string,
): Promise<SignFacts> {
  const { repository, bubble } = await findNamedBubble(dependencies.repositories(), repo, id);
  const call = await openOperatorCall({ repo: repository.path, bubble }, { via: "page" });
  const { state, digest, head, hash, tree } = await prepareSigning(call);
  const lists = await loadOperatorLists({
    env: dependencies.env,
    repo: repository.path,
    commit: state.baseCommit,
  });
  const keys = dependencies.rpId === undefined ? [] : listGrantingKeys(lists, dependencies.rpId);
  const asks = getSigningStep(state) !== undefined;
  return {
    page: "sign",
    repo: repository.name,
    bubble,
    asks,
    digest: asks ? digest : "",
    head: hash,
    head_shown: head,
    tree,
    branch: state.config.bubble_branch,
    commit_message: state.package?.commit_message || state.task.title,
    keys: keys.map(({ name: called, fingerprint, synced }) => ({ name: called, fingerprint, synced })),
    can_grant: dependencies.rpId !== undefined,
    needs_passkey: isPasskeyWanted(state, { type: "approve" }),
  };
}
