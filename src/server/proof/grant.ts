// Granting by passkey: what the key is to sign, and then the grant with its proof. The referee decides; here the page's words
// become a command, and a person who looked at something older is told so.
import type { KnownRepository } from "../../app/host/repositories/list.ts";
import { decideAndDrive } from "../../app/operate/driver.ts";
import { type AskingPage, addProof, buildChallenge } from "../../app/operate/prove.ts";
import { approveBubble, commitBubble, prepareSigning, type Signable } from "../../app/operate/sign.ts";
import type { Env } from "../../app/operators/kept.ts";
import { createRecordWorld } from "../../app/record/world.ts";
import type { OperatorCall, WithoutActor } from "../../app/trust/operator-call.ts";
import { openOperatorCall } from "../../app/world/operator-call.ts";
import type { Command } from "../../core/model/command.ts";
import { ChallengeBody, GrantBody, type PageAssertion, type PageGrant } from "../../core/model/page/grant.ts";
import { type Refusal, refuse } from "../../core/model/refusal.ts";
import { checkGrant } from "../../core/permission/proof/door.ts";
import { answerRefusal, answerResult } from "../http/answers.ts";
import type { PageRequest, WholeAnswer } from "../http/request.ts";
import { decodeBase64ToHex, encodeHexToBase64, parseBody } from "./wire.ts";

/** What of the site granting needs. */
export interface GrantDependencies {
  readonly repositories: () => readonly KnownRepository[];
  readonly env: Env;
  /** The name that keys are made for; undefined: nothing is granted here. */
  readonly rpId: string | undefined;
}

type OpenedGrant = {
  readonly call: OperatorCall;
  readonly now: Signable;
  readonly command: WithoutActor<Command>;
};

/** POST /api/challenge. */
export async function giveChallenge(
  dependencies: GrantDependencies,
  request: PageRequest,
): Promise<WholeAnswer> {
  const body = parseBody(ChallengeBody, request);
  if ("refusal" in body) return answerRefusal(400, body.refusal);
  const { rpId } = dependencies;
  if (rpId === undefined) return answerRefusal(403, notHere);
  const opened = await open(dependencies, body.value.grant);
  if ("refusal" in opened) return answerRefusal(409, opened.refusal);
  const { challenge, keys } = await buildChallenge(opened.call, opened.command, {
    rpId,
    env: dependencies.env,
  });
  if (keys.length === 0) return answerRefusal(409, refuseWithoutKey(body.value.grant));
  return answerResult({
    challenge: Buffer.from(challenge).toString("base64url"),
    rp_id: rpId,
    keys: keys.map(({ credential, name, synced }) => ({ id: encodeHexToBase64(credential), name, synced })),
  });
}

/** POST /api/grant. */
export async function takeGrant(dependencies: GrantDependencies, request: PageRequest): Promise<WholeAnswer> {
  const body = parseBody(GrantBody, request);
  if ("refusal" in body) return answerRefusal(400, body.refusal);
  const { grant, proof } = body.value;
  if (dependencies.rpId === undefined) return answerRefusal(403, notHere);
  const opened = await open(dependencies, grant);
  if ("refusal" in opened) return answerRefusal(409, opened.refusal);
  const page = { origin: request.headers.origin ?? "", rpId: dependencies.rpId, env: dependencies.env };
  const proven = await requireProof(opened, proof, page);
  if ("refusal" in proven) return answerRefusal(409, proven.refusal);
  const done = await put(opened, proven);
  return "refusal" in done ? answerRefusal(409, done.refusal) : answerResult(done);
}

async function open(
  dependencies: GrantDependencies,
  grant: PageGrant,
): Promise<OpenedGrant | { readonly refusal: Refusal }> {
  const { repo, bubble, head } = grant;
  const known = dependencies.repositories().find(({ name }) => name === repo);
  if (!known || !(await createRecordWorld(known.path).records.exists(bubble)))
    return { refusal: refuse("bubble.unknown", `there is no bubble ${bubble} in ${repo}`) };
  const call = await openOperatorCall({ repo: known.path, bubble }, { via: "page" });
  const now = await prepareSigning(call);
  const isOther = "digest" in grant && grant.digest !== now.digest;
  return head !== now.hash || isOther
    ? { refusal: moved }
    : { call, now, command: buildGrantCommand(grant, now) };
}

function buildGrantCommand(grant: PageGrant, { tree }: Signable): WithoutActor<Command> {
  switch (grant.do) {
    case "approve":
      return { type: "approve", digest: grant.digest, tree, message: grant.message };
    case "commit":
      return { type: "commit", commit: "", tree, branch: "" };
    case "reply": {
      const { question, choice, message, findings, waive_gates: waiveGates } = grant;
      const named = { ...(findings ? { findings } : {}), ...(waiveGates ? { waiveGates } : {}) };
      return { type: "reply", question, choice, message, ...named };
    }
    case "waive":
      return { type: "waive", gates: grant.gates, reason: grant.reason };
    case "unlock":
      return { type: "unlock", paths: grant.paths, reason: grant.reason };
  }
}

/** Without a proof the referee is asked all the same: its own words say why not. */
async function requireProof(
  { call, now, command }: OpenedGrant,
  proof: PageAssertion | undefined,
  page: AskingPage,
): Promise<OperatorCall | { readonly refusal: Refusal }> {
  if (proof) {
    const { credential, authenticator_data, client_data, signature } = proof;
    const assertion = {
      credential: decodeBase64ToHex(credential),
      authenticator_data: decodeBase64ToHex(authenticator_data),
      client_data: decodeBase64ToHex(client_data),
      signature: decodeBase64ToHex(signature),
    };
    return addProof(call, command, assertion, page);
  }
  const actor = { kind: "operator", via: "page" } as const;
  const refusal = checkGrant(now.state, { ...command, actor } as Command);
  return refusal ? { refusal } : call;
}

async function put(
  { now, command }: OpenedGrant,
  call: OperatorCall,
): Promise<{ readonly said: string } | { readonly refusal: Refusal }> {
  if (command.type === "commit") {
    const done = await commitBubble(call);
    return done.refusal ? { refusal: done.refusal } : { said: describeCommit("Committed", done) };
  }
  if (command.type !== "approve") {
    const { refusal, state } = await decideAndDrive(call, command);
    return refusal ? { refusal } : { said: `Granted. ${call.bubble} is ${state?.lifecycle}` };
  }
  const { refusal } = await approveBubble(call, now.digest, command.message);
  if (refusal) return { refusal };
  const { proof: _used, ...committing } = call;
  const done = await commitBubble(committing);
  if (!done.refusal) return { said: describeCommit("Approved and committed", done) };
  const { message, hint } = done.refusal;
  return { said: `Approved, but not committed: ${message}${hint ? `. Next: ${hint}` : ""}` };
}

const describeCommit = (what: string, { commit, state }: Awaited<ReturnType<typeof commitBubble>>): string =>
  `${what} ${commit?.slice(0, 10)} on ${state?.commit?.branch}`;

const moved = refuse("page.moved", "this is not the newest any more", "look at it again, then sign");
/** There is always the terminal. */
function refuseWithoutKey(grant: PageGrant): Refusal {
  const words = {
    approve: "bubble approve",
    commit: "bubble commit",
    reply: "bubble reply",
    waive: "bubble waive",
    unlock: "bubble unlock",
  };
  const said =
    grant.do === "reply" ? ` --question ${grant.question} --choose ${grant.choice} --message "…"` : "";
  return refuse(
    "proof.no-key",
    "no passkey of yours is confirmed on this machine for this page",
    "pairflow ui /keys",
    [`or in a terminal: pairflow ${words[grant.do]} --id ${grant.bubble}${said}`],
  );
}
/** Plain HTTP to another machine can be changed on the way. */
export const notHere = refuse(
  "page.no-grants",
  "over plain HTTP from another machine nothing is granted",
  "pairflow ui --host <name> --cert <file> --cert-key <file>",
);
