// The signature and what follows from it: the digest is computed from the whole log and the tree as it is now.
import { checkCommit } from "../../core/bubble/decide/human/signing.ts";
import { type Refusal, refuse } from "../../core/model/refusal.ts";
import type { State } from "../../core/model/state.ts";
import { getEffectiveScope } from "../../core/permission/plan-scope.ts";
import { findScopeViolations } from "../../core/permission/scope.ts";
import { buildApprovalSubject } from "../../core/signing/package.ts";
import { isWorktreeOn } from "../../core/state/hosts.ts";
import { type CommandReply, load } from "../../engine/front/command.ts";
import {
  ensureWorktree,
  findUnansweredGitChanges,
  hashLockedArtifacts,
  learn,
} from "../../engine/front/effects.ts";
import { fetchCommits, getWorkspacePlace, sendCommit, type World } from "../../engine/front/world.ts";
import { formatHead } from "../../ports/record/log.ts";
import { type OperatorCall, refuseUnknownBubble, submit, toRefusedReply } from "../trust/operator-call.ts";
import { findChangedArtifacts } from "../verify/artifacts.ts";
import { lookBeside } from "../verify/git.ts";
import { findBrokenProofs } from "../verify/proofs.ts";
import { allowOutside } from "./resume.ts";

export interface Signable {
  readonly state: State;
  readonly digest: string;
  readonly tree: string;
  /** The newest line, as people see it, and its whole hash. */
  readonly head: string;
  readonly hash: string;
}

/** The digest over what the log says, from byte 0, and the tree the worktree holds right now. */
export async function prepareSigning(call: Pick<OperatorCall, "world" | "bubble">): Promise<Signable> {
  const { state, head } = await load(call.world, call.bubble, true);
  if (!state) throw refuseUnknownBubble(call.bubble);
  const artifact = state.approval?.artifact
    ? await call.world.records.get(call.bubble, state.approval.artifact)
    : undefined;
  const packageSha = artifact ? call.world.hash.sha256(artifact) : "";
  const tree = await findTreeNow(call.world, state);
  const digest = call.world.hash.sha256(buildApprovalSubject(state, packageSha));
  const hash = call.world.log.hashOf(head);
  return { state, digest, tree, head: formatHead(head, hash), hash };
}

/**
 * What the worktree holds. One on another machine is not looked at: nobody's hands are on what was sent from there, and exactly
 * the recorded tree is committed.
 */
async function findTreeNow(world: World, state: State): Promise<string> {
  if (!state.tree) return "";
  if (isWorktreeOn(state, world.host)) return world.workspace.treeId(await ensureWorktree(world, state));
  await fetchCommits(world, state.bubbleId);
  return state.tree.id;
}

/** Signs what asks for approval. `seen` is the digest the person looked at; it must be the one computed now. */
export async function approveBubble(
  call: OperatorCall,
  seen: string,
  message: string,
  { keepGitSettings = false } = {},
): Promise<CommandReply & { readonly digest: string }> {
  const { digest, tree, state } = await prepareSigning(call);
  const refusal =
    refuseOtherDigest(call, state, { digest, seen }) ??
    (await checkGit(call, state, keepGitSettings)) ??
    (await checkEvidence(call, state, "approve"));
  const handled = refusal
    ? toRefusedReply(refusal, state)
    : await submit(call, { type: "approve", digest, tree, message });
  return { ...handled, digest };
}

/** Nobody signs what they have not seen. */
function refuseOtherDigest(
  { bubble }: OperatorCall,
  { lifecycle }: State,
  { digest, seen }: { readonly digest: string; readonly seen: string },
): Refusal | undefined {
  if (lifecycle !== "READY_FOR_APPROVAL" || digest.startsWith(seen)) return undefined;
  return refuse(
    "approve.digest",
    `what asks for approval has digest ${digest.slice(0, 12)}, not ${seen.slice(0, 12)}`,
    `pairflow bubble approve --id ${bubble}`,
  );
}

/** Git settings that were changed since the package was written are looked at before anything is signed. */
async function checkGit(call: OperatorCall, state: State, keep: boolean): Promise<Refusal | undefined> {
  if (state.lifecycle !== "READY_FOR_APPROVAL") return undefined;
  const asks = (await findUnansweredGitChanges(call.world, state))?.asks ?? [];
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
  await submit(call, { type: "warn", code: "git.settings-kept", message });
  return undefined;
}

/** Writes the approved tree, and only that, as one commit. Done twice it is one commit. */
export async function commitBubble(
  call: OperatorCall,
  override?: { reason: string },
): Promise<CommandReply & { commit?: string }> {
  const { state, digest, tree } = await prepareSigning(call);
  if (state.commit) {
    await learn(call.world);
    return { state, envelopes: [], commit: state.commit.id, repeats: state.seq };
  }
  const locked = tree === state.approval?.tree ? await hashLockedArtifacts(call.world, state, tree) : {};
  const refusal =
    checkCommit(state, tree, locked.locked) ??
    checkRecord(call, state, digest) ??
    (await checkEvidence(call, state, "commit")) ??
    (await checkScope(call, state, override));
  if (refusal) return toRefusedReply(refusal, state);
  const place = getWorkspacePlace(call.world, state);
  const message = state.package?.commit_message || state.task.title;
  const id = await call.world.workspace.commit(place, {
    tree,
    message,
    at: state.approval?.decidedAt ?? state.lastAt,
  });
  call.world.crashPoint("commit.written");
  await sendCommit(call.world, state, id);
  const handled = await submit(call, { type: "commit", commit: id, tree, branch: place.branch, ...locked });
  call.world.crashPoint("commit.recorded");
  if (!handled.refusal) await learn(call.world);
  return { ...handled, commit: id };
}

const checkRecord = ({ bubble }: OperatorCall, { approval }: State, digest: string): Refusal | undefined =>
  digest === approval?.digest
    ? undefined
    : refuse(
        "commit.digest",
        "the record no longer matches what was approved; nothing was committed",
        `pairflow verify --id ${bubble}`,
      );

/** Nobody signs for, or commits, what rests on evidence that is gone or was changed after it was written. */
async function checkEvidence(
  { world, bubble }: OperatorCall,
  { lifecycle }: State,
  verb: "approve" | "commit",
): Promise<Refusal | undefined> {
  if (lifecycle !== "READY_FOR_APPROVAL" && lifecycle !== "APPROVED_FOR_COMMIT") return undefined;
  const git = await lookBeside(world, world.repo, bubble);
  const changed = await findChangedArtifacts(world, bubble);
  const problems = [...changed, ...(await findBrokenProofs(world, bubble)), ...git.errors];
  const [first] = problems;
  if (!first) return undefined;
  const done = verb === "approve" ? "approved" : "committed";
  return refuse(
    `${verb}.evidence-changed`,
    `what the record names is not as it was written; nothing was ${done}`,
    first.fix ?? `pairflow verify --id ${bubble}`,
    problems.map(({ message }) => message),
  );
}

async function checkScope(
  call: OperatorCall,
  state: State,
  override: { reason: string } | undefined,
): Promise<Refusal | undefined> {
  const place = getWorkspacePlace(call.world, state);
  const files = await call.world.workspace.changedBetween(place, state.baseCommit, state.tree?.id ?? "");
  const outside = findScopeViolations(
    files.flatMap((file) => (file.from ? [file.from, file.path] : [file.path])),
    getEffectiveScope(state),
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
