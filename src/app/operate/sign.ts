// The signature and what follows from it: the digest is computed from the whole log and the tree as it is now.
import { commitRefused } from "../../core/bubble/decide/signing.ts";
import { type Refusal, refuse } from "../../core/model/refusal.ts";
import type { State } from "../../core/model/state.ts";
import { scopeOf } from "../../core/permission/plan-scope.ts";
import { scopeViolations } from "../../core/permission/scope.ts";
import { approvalSubject } from "../../core/signing/package.ts";
import { learn, lockedIn } from "../../engine/front/front.ts";
import { type Handled, handle, load } from "../../engine/handle/handle.ts";
import { unansweredChanges } from "../../engine/watch/git-watch.ts";
import { standingPlace } from "../../engine/watch/standing.ts";
import { placeOf } from "../../engine/world/world.ts";
import { shownHead } from "../../ports/log.ts";
import { type OperatorCall, operator, unknownBubble } from "../trust/operator-call.ts";
import { changedArtifacts } from "../verify/artifacts.ts";
import { lookBeside } from "../verify/git.ts";
import { allowOutside } from "./resume.ts";

/** The digest over what the log says, from byte 0, and the tree the worktree holds right now. */
export async function signable(
  call: Pick<OperatorCall, "world" | "bubble">,
): Promise<{ state: State; digest: string; tree: string; head: string }> {
  const { state, head } = await load(call.world, call.bubble, true);
  if (!state) throw unknownBubble(call.bubble);
  const artifact = state.approval?.artifact
    ? await call.world.records.get(call.bubble, state.approval.artifact)
    : undefined;
  const packageSha = artifact ? call.world.hash.sha256(artifact) : "";
  const tree = state.tree ? await call.world.workspace.treeId(await standingPlace(call.world, state)) : "";
  const digest = call.world.hash.sha256(approvalSubject(state, packageSha));
  return { state, digest, tree, head: shownHead(head, call.world.log.hashOf(head)) };
}

/** Signs what asks for approval. `seen` is the digest the person looked at; it must be the one computed now. */
export async function approve(
  call: OperatorCall,
  seen: string,
  message: string,
  { keepGitSettings = false } = {},
): Promise<Handled> {
  const { digest, tree, state } = await signable(call);
  if (state.lifecycle === "READY_FOR_APPROVAL" && !digest.startsWith(seen)) {
    return {
      state,
      envelopes: [],
      refusal: refuse(
        "approve.digest",
        `what asks for approval has digest ${digest.slice(0, 12)}, not ${seen.slice(0, 12)}`,
        `pairflow bubble approve --id ${call.bubble}`,
      ),
    };
  }
  const git = await gitRefused(call, state, keepGitSettings);
  if (git) return { state, envelopes: [], refusal: git };
  const changed = await changedEvidence(call, state);
  if (changed) {
    const sentence = `${notAsWritten}; nothing was approved`;
    const refusal = refuse("approve.evidence-changed", sentence, changed.hint, changed.details);
    return { state, envelopes: [], refusal };
  }
  return handle(call.world, call.bubble, { type: "approve", actor: operator(call), digest, tree, message });
}

/** Git settings that were changed since the package was written are looked at before anything is signed. */
async function gitRefused(call: OperatorCall, state: State, keep: boolean): Promise<Refusal | undefined> {
  if (state.lifecycle !== "READY_FOR_APPROVAL") return undefined;
  const asks = (await unansweredChanges(call.world, state))?.asks ?? [];
  if (asks.length === 0) return undefined;
  const id = `--id ${call.bubble}`;
  if (!keep)
    return refuse(
      "approve.git-changed",
      "the repository's git settings were changed after the bubble started; your own git commands use them",
      `pairflow bubble resume ${id} --put-back   or   pairflow bubble approve ${id} --keep-git-settings`,
      asks,
    );
  const message = `git settings were changed after the start, and a human kept them: ${asks.join("; ")}`;
  await handle(call.world, call.bubble, {
    type: "warn",
    actor: operator(call),
    code: "git.settings-kept",
    message,
  });
  return undefined;
}

/** Writes the approved tree, and only that, as one commit. Done twice it is one commit. */
export async function commit(
  call: OperatorCall,
  override?: { reason: string },
): Promise<Handled & { commit?: string }> {
  const { state, digest, tree } = await signable(call);
  if (state.commit) {
    await learn(call.world);
    return { state, envelopes: [], commit: state.commit.id, repeats: state.seq };
  }
  const locked = tree === state.approval?.tree ? await lockedIn(call.world, state, tree) : {};
  const refusal = commitRefused(state, tree, locked.locked);
  if (refusal) return { state, envelopes: [], refusal };
  if (digest !== state.approval?.digest) {
    return {
      state,
      envelopes: [],
      refusal: refuse(
        "commit.digest",
        "the record no longer matches what was approved; nothing was committed",
        `pairflow verify --id ${call.bubble}`,
      ),
    };
  }
  const changed = await changedEvidence(call, state);
  if (changed) {
    const sentence = `${notAsWritten}; nothing was committed`;
    const refusal = refuse("commit.evidence-changed", sentence, changed.hint, changed.details);
    return { state, envelopes: [], refusal };
  }
  const scope = await scopeRefused(call, state, override);
  if (scope) return { state, envelopes: [], refusal: scope };
  const place = placeOf(call.world, state);
  const message = state.package?.commit_message || state.task.title;
  const id = await call.world.workspace.commit(place, {
    tree,
    message,
    at: state.approval.decidedAt ?? state.lastAt,
  });
  call.world.crashPoint("commit.written");
  const handled = await handle(call.world, call.bubble, {
    type: "commit",
    actor: operator(call),
    commit: id,
    tree,
    branch: place.branch,
    ...locked,
  });
  call.world.crashPoint("commit.recorded");
  if (!handled.refusal) await learn(call.world);
  return { ...handled, commit: id };
}

const notAsWritten = "what the record names is not as it was written";

/** Nobody signs for, or commits, what rests on evidence that is gone or was changed after it was written. */
async function changedEvidence(
  { world, bubble }: Pick<OperatorCall, "world" | "bubble">,
  { lifecycle }: State,
): Promise<{ hint: string; details: string[] } | undefined> {
  if (lifecycle !== "READY_FOR_APPROVAL" && lifecycle !== "APPROVED_FOR_COMMIT") return undefined;
  const git = await lookBeside(world, world.repo, bubble);
  const problems = [...(await changedArtifacts(world, bubble)), ...git.errors];
  const [first] = problems;
  if (!first) return undefined;
  return {
    hint: first.fix ?? `pairflow verify --id ${bubble}`,
    details: problems.map(({ message }) => message),
  };
}

async function scopeRefused(
  call: OperatorCall,
  state: State,
  override: { reason: string } | undefined,
): Promise<Refusal | undefined> {
  const place = placeOf(call.world, state);
  const files = await call.world.workspace.changedBetween(place, state.baseCommit, state.tree?.id ?? "");
  const outside = scopeViolations(
    files.flatMap((file) => (file.from ? [file.from, file.path] : [file.path])),
    scopeOf(state),
    state.scopeOverrides,
  );
  if (outside.length === 0) return undefined;
  if (!override)
    return refuse(
      "commit.out-of-scope",
      "the commit would leave the bubble's scope",
      `pairflow bubble commit --id ${call.bubble} --override-scope --reason "…"`,
      outside,
    );
  const paths = outside.map((line) => line.split(" ")[0] ?? "");
  return allowOutside(call, paths, override.reason);
}
