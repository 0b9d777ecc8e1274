// pairflow bubble approve: shows what asks for approval and signs exactly that.
import { decideAndDrive } from "../../../app/operate/driver.ts";
import { countNewerCommits } from "../../../app/operate/judge-again.ts";
import { approveBubble, prepareSigning } from "../../../app/operate/sign.ts";
import type { OperatorCall } from "../../../app/trust/operator-call.ts";
import type { State } from "../../../core/model/state.ts";
import { buildPackageView } from "../../../core/signing/package.ts";
import { grantFlags, openGrantingCall } from "../../operator/operator-call.ts";
import { paintPatch } from "../../render/bubble/diff.ts";
import { renderPackage } from "../../render/bubble/package.ts";
import { askKey, askLine } from "../../terminal/ask.ts";
import { showPaged } from "../../terminal/pager.ts";
import { getScreenWidth, wrap, wrapSentences } from "../../terminal/style.ts";
import { type CommandResult, defineVerb, type Shell } from "../../verb/declaration.ts";

export const bubbleApprove = defineVerb({
  words: "bubble approve",
  also: ["approve"],
  about: "Look at the package and sign exactly these bytes",
  access: "granting",
  suits: ["READY_FOR_APPROVAL"],
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
    const call = await openGrantingCall(shell, flags);
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

async function sign(shell: Shell, call: OperatorCall, wanted: Wanted): Promise<CommandResult> {
  // A caller that names the digest has looked at it.
  const signing = wanted.digest ? undefined : await prepareSigning(call);
  const ready = signing?.state.lifecycle === "READY_FOR_APPROVAL" ? signing : undefined;
  const instead = ready && (await askFirst(shell, call, ready, wanted.yes));
  if (instead) return instead;
  const seen = wanted.digest ?? ready?.digest ?? nothingSeen;
  const { refusal, state, digest } = await approveBubble(call, seen, wanted.message ?? "", wanted);
  // It began to ask for approval while it was looked at: the driver was faster than the person.
  if (seen === nothingSeen && refusal?.code === "approve.digest") return sign(shell, call, wanted);
  if (refusal) return { refusal };
  const door = call.door?.unproven ? " (door unproven)" : "";
  return {
    text: `${wrapSentences(`Approved ${call.bubble}, digest ${digest.slice(0, 12)}, by ${call.via}${door}`, getScreenWidth())}\nNext: pairflow bubble commit --id ${call.bubble}`,
    json: { bubble: call.bubble, digest, via: call.via, head: state?.seq },
  };
}

/** No digest begins so: what was not shown cannot be signed. */
const nothingSeen = "nothing";

type Signing = Awaited<ReturnType<typeof prepareSigning>>;

/** The package and a person's decision, then the typed digest; undefined when it is to be signed. */
async function askFirst(
  shell: Shell,
  call: OperatorCall,
  { state, digest, head }: Signing,
  yes: boolean,
): Promise<CommandResult | undefined> {
  if (!yes) {
    const look = { digest, head, colour: shell.colour, width: getScreenWidth() };
    shell.say(renderPackage(buildPackageView(state), look));
    await tellNewerBase(shell, call, state);
    if (!shell.interactive) return refuseNotAsked("there is nobody to ask", call.bubble, digest);
    const decision = await decideInteractively(shell, call, state.tree?.diff);
    if (decision === "r") return sendBack(call);
    if (decision !== "a") return buildUnsignedResult(call.bubble);
  }
  return call.via === "terminal" ? askForDigest(shell, call, digest) : undefined;
}

/** The base branch may have moved while the bubble was at work; that is not part of what is signed. */
async function tellNewerBase(shell: Shell, { world, bubble }: OperatorCall, state: State): Promise<void> {
  const count = await countNewerCommits(world, state);
  if (count === 0) return;
  const commits = count === 1 ? "1 commit" : `${count} commits`;
  const line = `${state.config.base_branch} has ${commits} more since this began; to take them in first: pairflow bubble update --id ${bubble}`;
  shell.say(wrap(line, getScreenWidth()));
}

/**
 * What is signed is typed in part, whatever was said on the command line; a script has an operator key. A door that is not
 * proven is told first, and stands on the record with the signature.
 */
async function askForDigest(
  shell: Shell,
  { bubble, door }: OperatorCall,
  digest: string,
): Promise<CommandResult | undefined> {
  const end = digest.slice(-4);
  if (door?.unproven)
    shell.say(wrap(`Door unproven: ${door.unproven}. The record will say so.`, getScreenWidth()));
  if (!shell.interactive) return refuseNotAsked("there is nobody to type the digest", bubble, digest);
  const typed = await askLine(
    `Digest ${digest.slice(0, 12)}…${end}: type its last four characters to sign: `,
  );
  return typed?.trim().toLowerCase() === end ? undefined : buildUnsignedResult(bubble);
}

const refuseNotAsked = (message: string, bubble: string, digest: string): CommandResult => ({
  refusal: {
    code: "approve.not-asked",
    message,
    hint: `pairflow bubble approve --id ${bubble} --digest ${digest.slice(0, 12)}`,
  },
});

const buildUnsignedResult = (bubble: string): CommandResult => ({
  text: `Nothing was signed; ${bubble} still waits`,
});

async function decideInteractively(
  shell: Shell,
  call: OperatorCall,
  diff: string | undefined,
): Promise<string> {
  for (;;) {
    const key = await askKey("[a]pprove  [d]iff  [r]ework  [q]uit ", ["a", "d", "r", "q"]);
    if (key !== "d") return key;
    const bytes = diff ? await call.world.records.get(call.bubble, diff) : undefined;
    if (bytes) await showPaged(paintPatch(new TextDecoder().decode(bytes), shell.colour), shell.env);
    else shell.say("there is no diff");
  }
}

async function sendBack(call: OperatorCall): Promise<CommandResult> {
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
