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
import { type Desk, operator, unknownBubble } from "../trust/desk.ts";
import { changedArtifacts } from "../verify/artifacts.ts";
import { lookBeside } from "../verify/git.ts";
import { allowOutside } from "./resume.ts";

/** The digest over what the log says, from byte 0, and the tree the worktree holds right now. */
export async function signable(
  desk: Pick<Desk, "world" | "bubble">,
): Promise<{ state: State; digest: string; tree: string; head: string }> {
  const { state, head } = await load(desk.world, desk.bubble, true);
  if (!state) throw unknownBubble(desk.bubble);
  const artifact = state.approval?.artifact
    ? await desk.world.records.get(desk.bubble, state.approval.artifact)
    : undefined;
  const packageSha = artifact ? desk.world.hash.sha256(artifact) : "";
  const tree = state.tree ? await desk.world.workspace.treeId(await standingPlace(desk.world, state)) : "";
  const digest = desk.world.hash.sha256(approvalSubject(state, packageSha));
  return { state, digest, tree, head: shownHead(head, desk.world.log.hashOf(head)) };
}

/** Signs what asks for approval. `seen` is the digest the person looked at; it must be the one computed now. */
export async function approve(
  desk: Desk,
  seen: string,
  message: string,
  { keepGitSettings = false } = {},
): Promise<Handled> {
  const { digest, tree, state } = await signable(desk);
  if (state.lifecycle === "READY_FOR_APPROVAL" && !digest.startsWith(seen)) {
    return {
      state,
      envelopes: [],
      refusal: refuse(
        "approve.digest",
        `what asks for approval has digest ${digest.slice(0, 12)}, not ${seen.slice(0, 12)}`,
        `pairflow bubble approve --id ${desk.bubble}`,
      ),
    };
  }
  const git = await gitRefused(desk, state, keepGitSettings);
  if (git) return { state, envelopes: [], refusal: git };
  const changed = await changedEvidence(desk, state);
  if (changed) {
    const sentence = `${notAsWritten}; nothing was approved`;
    const refusal = refuse("approve.evidence-changed", sentence, changed.hint, changed.details);
    return { state, envelopes: [], refusal };
  }
  return handle(desk.world, desk.bubble, { type: "approve", actor: operator(desk), digest, tree, message });
}

/** Git settings that were changed since the package was written are looked at before anything is signed. */
async function gitRefused(desk: Desk, state: State, keep: boolean): Promise<Refusal | undefined> {
  if (state.lifecycle !== "READY_FOR_APPROVAL") return undefined;
  const asks = (await unansweredChanges(desk.world, state))?.asks ?? [];
  if (asks.length === 0) return undefined;
  const id = `--id ${desk.bubble}`;
  if (!keep)
    return refuse(
      "approve.git-changed",
      "the repository's git settings were changed after the bubble started; your own git commands use them",
      `pairflow bubble resume ${id} --put-back   or   pairflow bubble approve ${id} --keep-git-settings`,
      asks,
    );
  const message = `git settings were changed after the start, and a human kept them: ${asks.join("; ")}`;
  await handle(desk.world, desk.bubble, {
    type: "warn",
    actor: operator(desk),
    code: "git.settings-kept",
    message,
  });
  return undefined;
}

/** Writes the approved tree, and only that, as one commit. Done twice it is one commit. */
export async function commit(
  desk: Desk,
  override?: { reason: string },
): Promise<Handled & { commit?: string }> {
  const { state, digest, tree } = await signable(desk);
  if (state.commit) {
    await learn(desk.world);
    return { state, envelopes: [], commit: state.commit.id, repeats: state.seq };
  }
  const locked = tree === state.approval?.tree ? await lockedIn(desk.world, state, tree) : {};
  const refusal = commitRefused(state, tree, locked.locked);
  if (refusal) return { state, envelopes: [], refusal };
  if (digest !== state.approval?.digest) {
    return {
      state,
      envelopes: [],
      refusal: refuse(
        "commit.digest",
        "the record no longer matches what was approved; nothing was committed",
        `pairflow verify --id ${desk.bubble}`,
      ),
    };
  }
  const changed = await changedEvidence(desk, state);
  if (changed) {
    const sentence = `${notAsWritten}; nothing was committed`;
    const refusal = refuse("commit.evidence-changed", sentence, changed.hint, changed.details);
    return { state, envelopes: [], refusal };
  }
  const scope = await scopeRefused(desk, state, override);
  if (scope) return { state, envelopes: [], refusal: scope };
  const place = placeOf(desk.world, state);
  const message = state.package?.commit_message || state.task.title;
  const id = await desk.world.workspace.commit(place, {
    tree,
    message,
    at: state.approval.decidedAt ?? state.lastAt,
  });
  desk.world.crashPoint("commit.written");
  const handled = await handle(desk.world, desk.bubble, {
    type: "commit",
    actor: operator(desk),
    commit: id,
    tree,
    branch: place.branch,
    ...locked,
  });
  desk.world.crashPoint("commit.recorded");
  if (!handled.refusal) await learn(desk.world);
  return { ...handled, commit: id };
}

const notAsWritten = "what the record names is not as it was written";

/** Nobody signs for, or commits, what rests on evidence that is gone or was changed after it was written. */
async function changedEvidence(
  { world, bubble }: Pick<Desk, "world" | "bubble">,
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
  desk: Desk,
  state: State,
  override: { reason: string } | undefined,
): Promise<Refusal | undefined> {
  const place = placeOf(desk.world, state);
  const files = await desk.world.workspace.changedBetween(place, state.baseCommit, state.tree?.id ?? "");
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
      `pairflow bubble commit --id ${desk.bubble} --override-scope --reason "…"`,
      outside,
    );
  const paths = outside.map((line) => line.split(" ")[0] ?? "");
  return allowOutside(desk, paths, override.reason);
}
