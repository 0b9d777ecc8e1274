// What the page asks the terminal for: the package from the record, and the last four characters of the digest as the page
// shows it. Both screens must agree before anything is signed.
import { describeTerminalDoor } from "../../app/caller/door.ts";
import { requireGrantingDoor } from "../../app/caller/guard.ts";
import { approveBubble, commitBubble, prepareSigning } from "../../app/operate/sign.ts";
import type { OperatorCall } from "../../app/trust/operator-call.ts";
import { buildConventionsView, decideConvention } from "../../app/world/conventions.ts";
import { openOperatorCall } from "../../app/world/operator-call.ts";
import { accept } from "../../core/knowledge/learning/consent.ts";
import { type Refusal, refuse } from "../../core/model/refusal.ts";
import { buildPackageView } from "../../core/signing/package.ts";
import { computeConventionDigest } from "../../core/views/page/inbox.ts";
import type { AskTerminal, ConventionRequest, SignRequest } from "../../server/commands/grants.ts";
import { renderPackage } from "../render/bubble/package.ts";
import { askLine, dropTypedAhead } from "../terminal/ask.ts";
import { getScreenWidth, toPlainLine, wrap } from "../terminal/style.ts";
import type { Shell } from "../verb/declaration.ts";
import { conventionsToCommit, createProjectWorld, requireProjectDoor } from "./conventions.ts";

/** `signal`: the page ends. */
export function askAtTerminal(shell: Shell, signal: AbortSignal): AskTerminal {
  return async (request) => {
    if ("convention" in request) return askForConvention(shell, request, signal);
    const call = await buildGrantingCall(request);
    const refusal = await askForDigest(shell, call, request, signal);
    return refusal ? { refusal } : signAndCommit(call, request);
  };
}

async function buildGrantingCall({ repo, bubble }: SignRequest): Promise<OperatorCall> {
  const call = await openOperatorCall({ repo, bubble }, { via: "terminal" });
  const { state } = await prepareSigning(call);
  const { via, terminal } = requireGrantingDoor(repo, undefined, [state.turn, state.lastTurn]);
  return { ...call, via, ...(terminal === undefined ? {} : { door: await describeTerminalDoor(terminal) }) };
}

/** Shows what would be signed and takes four characters; a refusal when they are not those of the digest. */
async function askForDigest(
  shell: Shell,
  call: OperatorCall,
  request: SignRequest,
  signal: AbortSignal,
): Promise<Refusal | undefined> {
  const { state, digest, head } = await prepareSigning(call);
  if (digest !== request.digest)
    return refuse("approve.digest", "the page has shown something else than what asks for approval now");
  const width = getScreenWidth();
  const asked = state.lifecycle === "APPROVED_FOR_COMMIT" ? "commit" : "sign and commit";
  shell.say(`\nThe page asks to ${asked} ${request.bubble} of ${request.name}\n`);
  shell.say(renderPackage(buildPackageView(state), { digest, head, colour: shell.colour, width }));
  if (call.door?.unproven)
    shell.say(wrap(`Door unproven: ${call.door.unproven}. The record will say so.`, width));
  return takeLastFour(shell, digest, signal);
}

/** Undefined when they were typed. */
async function takeLastFour(shell: Shell, digest: string, signal: AbortSignal): Promise<Refusal | undefined> {
  dropTypedAhead();
  const answer = await askLine(
    "Type the last four characters of the digest as the page shows it, or nothing: ",
    signal,
  );
  if (answer?.trim().toLowerCase() === digest.slice(-4)) return undefined;
  shell.say("Nothing was signed");
  return refuse(
    "approve.not-typed",
    "the last four characters were not typed at the terminal; nothing was signed",
  );
}

/** As `conventions accept`, after this screen has shown what later reviewers would be told. */
async function askForConvention(shell: Shell, request: ConventionRequest, signal: AbortSignal) {
  const { repo, name, convention, digest, reason } = request;
  const world = createProjectWorld(shell, { repo });
  const via = await requireProjectDoor(world, undefined);
  const { known } = await buildConventionsView(repo, world.conventions);
  const found = known.find((one) => one.name === convention);
  if (!found || computeConventionDigest(found) !== digest)
    return { refusal: refuse("approve.digest", "the page has shown something else than what is asked now") };
  const said = `\nThe page asks to accept a convention of ${name}. Later reviewers would be told, for ${found.applies_to.join(", ")}:`;
  for (const line of [
    said,
    `${found.name}: ${found.pattern}`,
    "",
    `digest ${(digest.slice(0, 12).match(/.{4}/g) ?? []).join(" ")} …`,
  ])
    shell.say(wrap(toPlainLine(line), getScreenWidth()));
  const refusal = await takeLastFour(shell, digest, signal);
  if (refusal) return { refusal };
  const done = await decideConvention(world, convention, { via, reason, deciding: accept });
  if ("refusal" in done) return done;
  shell.say(`Accepted. Bubbles read it from their base commit: ${conventionsToCommit}`);
  return { said: `accepted by ${via}; commit it: ${conventionsToCommit}` };
}

async function signAndCommit(call: OperatorCall, { digest }: SignRequest) {
  const { state } = await prepareSigning(call);
  const isApproved = state.lifecycle === "APPROVED_FOR_COMMIT";
  const approved = isApproved ? undefined : await approveBubble(call, digest, "");
  if (approved?.refusal) return { refusal: approved.refusal };
  const committed = await commitBubble(call);
  if (committed.refusal) return { refusal: committed.refusal };
  const done = `committed ${committed.commit?.slice(0, 10)}`;
  return { said: isApproved ? done : `signed by ${call.via} and ${done}` };
}
