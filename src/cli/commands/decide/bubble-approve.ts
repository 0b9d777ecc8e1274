// pairflow bubble approve: shows what asks for approval and signs exactly that.

import { decideAndDrive } from "../../../app/operate/driver.ts";
import { approve, signable } from "../../../app/operate/sign.ts";
import type { OperatorCall } from "../../../app/trust/operator-call.ts";
import { packageView } from "../../../core/signing/package.ts";
import { grantFlags, openGrantingDesk } from "../../operator/operator-call.ts";
import { renderPackage } from "../../render/package.ts";
import { askKey, askLine } from "../../terminal/ask.ts";
import { screenWidth, visible, wrap } from "../../terminal/style.ts";
import { type Result, type Shell, verb } from "../../verb/verb.ts";

export const bubbleApprove = verb({
  words: "bubble approve",
  about: "Look at the package and sign exactly these bytes",
  access: "granting",
  example: "pairflow bubble approve --id fix-cart",
  flags: {
    ...grantFlags,
    digest: {
      kind: "text",
      value: "<hex>",
      about: "sign only if this is the digest (at least 8 characters)",
    },
    yes: {
      kind: "switch",
      about: "do not show the package first; at a terminal the digest is typed all the same",
    },
    message: { kind: "text", value: '"<text>"', about: "a word for the record" },
    "keep-git-settings": {
      kind: "switch",
      about: "sign although the repository's git settings were changed after the start",
    },
  },
  async run(shell, { flags }) {
    const call = await openGrantingDesk(shell, flags);
    if (flags.digest && flags.digest.length < 8)
      return {
        refusal: {
          code: "approve.short-digest",
          message: "give at least 8 characters of the digest",
          hint: `pairflow bubble status --id ${call.bubble}`,
        },
      };
    return sign(shell, call, { ...flags, keepGitSettings: flags["keep-git-settings"] ?? false });
  },
});

interface Wanted {
  readonly digest?: string | undefined;
  readonly yes: boolean;
  readonly message?: string | undefined;
  readonly keepGitSettings: boolean;
}

async function sign(shell: Shell, call: OperatorCall, wanted: Wanted): Promise<Result> {
  const signing = await signable(call);
  const isReady = signing.state.lifecycle === "READY_FOR_APPROVAL";
  // Whoever names the digest has looked at it.
  const instead = isReady && !wanted.digest ? await askFirst(shell, call, signing, wanted.yes) : undefined;
  if (instead) return instead;
  const seen = wanted.digest ?? (isReady ? signing.digest : nothingSeen);
  const { refusal, state } = await approve(call, seen, wanted.message ?? "", wanted);
  // It began to ask for approval while it was looked at: the driver was faster than the person.
  if (seen === nothingSeen && refusal?.code === "approve.digest") return sign(shell, call, wanted);
  if (refusal) return { refusal };
  const { digest } = signing;
  const door = call.door?.unproven ? " (door unproven)" : "";
  return {
    text: `Approved ${digest.slice(0, 12)} by ${call.via}${door}\nNext: pairflow bubble commit --id ${call.bubble}`,
    json: { bubble: call.bubble, digest, via: call.via, head: state?.seq },
  };
}

/** No digest begins so: what was not shown cannot be signed. */
const nothingSeen = "nothing";

type Signing = Awaited<ReturnType<typeof signable>>;

/** The package and a person's decision, then the typed digest; undefined when it is to be signed. */
async function askFirst(
  shell: Shell,
  call: OperatorCall,
  { state, digest, head }: Signing,
  yes: boolean,
): Promise<Result | undefined> {
  if (!yes) {
    const look = { digest, head, colour: shell.colour, width: screenWidth() };
    shell.say(renderPackage(packageView(state), look));
    if (!shell.interactive) return notAsked("there is nobody to ask", call.bubble, digest);
    const decision = await decideInteractively(shell, call, state.tree?.diff);
    if (decision === "r") return sendBack(call);
    if (decision !== "a") return unsigned(call.bubble);
  }
  return call.via === "terminal" ? typeDigest(shell, call, digest) : undefined;
}

/**
 * What is signed is typed in part, whatever was said on the command line; a script has an operator key. A door that is not
 * proven is told first, and stands on the record with the signature.
 */
async function typeDigest(
  shell: Shell,
  { bubble, door }: OperatorCall,
  digest: string,
): Promise<Result | undefined> {
  const end = digest.slice(-4);
  if (door?.unproven)
    shell.say(wrap(`Door unproven: ${door.unproven}. The record will say so.`, screenWidth()));
  if (!shell.interactive) return notAsked("there is nobody to type the digest", bubble, digest);
  const typed = await askLine(
    `Digest ${digest.slice(0, 12)}…${end}: type its last four characters to sign: `,
  );
  return typed?.trim().toLowerCase() === end ? undefined : unsigned(bubble);
}

const notAsked = (message: string, bubble: string, digest: string): Result => ({
  refusal: {
    code: "approve.not-asked",
    message,
    hint: `pairflow bubble approve --id ${bubble} --digest ${digest.slice(0, 12)}`,
  },
});

const unsigned = (bubble: string): Result => ({ text: `Nothing was signed; ${bubble} still waits` });

async function decideInteractively(
  shell: Shell,
  call: OperatorCall,
  diff: string | undefined,
): Promise<string> {
  for (;;) {
    const key = await askKey("[a]pprove  [d]iff  [r]ework  [q]uit ", ["a", "d", "r", "q"]);
    if (key !== "d") return key;
    const bytes = diff ? await call.world.records.get(call.bubble, diff) : undefined;
    shell.say(bytes ? visible(new TextDecoder().decode(bytes)) : "there is no diff");
  }
}

async function sendBack(call: OperatorCall): Promise<Result> {
  const message = (await askLine("What must change? "))?.trim();
  if (!message)
    return {
      text: `Nothing was sent back. Later: pairflow bubble request-rework --id ${call.bubble} --message "…"`,
    };
  const handled = await decideAndDrive(call, { type: "request-rework", message, reject: false });
  return handled.refusal
    ? { refusal: handled.refusal }
    : { text: `Sent back. ${call.bubble} is ${handled.state?.lifecycle}, round ${handled.state?.round}` };
}
