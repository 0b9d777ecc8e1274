// pairflow bubble approve: shows what asks for approval and signs exactly that.

import type { Desk } from "../../app/operate/desk.ts";
import { decideAndDrive } from "../../app/operate/driver.ts";
import { approve, signable } from "../../app/operate/sign.ts";
import { packageView } from "../../core/views/package.ts";
import { askKey, askLine } from "../ask.ts";
import { grantFlags, openGrantingDesk } from "../desk.ts";
import { renderPackage } from "../render/package.ts";
import { screenWidth, visible } from "../render/style.ts";
import { type Result, type Shell, verb } from "../verb.ts";

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
    yes: { kind: "switch", about: "sign what is there without asking" },
    message: { kind: "text", value: '"<text>"', about: "a word for the record" },
  },
  async run(shell, { flags }) {
    const desk = await openGrantingDesk(shell, flags);
    const { state, digest, head } = await signable(desk);
    if (state.lifecycle === "READY_FOR_APPROVAL" && !flags.digest && !flags.yes) {
      shell.say(
        renderPackage(packageView(state), { digest, head, colour: shell.colour, width: screenWidth() }),
      );
      if (!shell.interactive)
        return {
          refusal: {
            code: "approve.not-asked",
            message: "there is nobody to ask",
            hint: `pairflow bubble approve --id ${desk.bubble} --digest ${digest.slice(0, 12)}`,
          },
        };
      const decision = await decideInteractively(shell, desk, state.tree?.diff);
      if (decision === "r") return sendBack(desk);
      if (decision !== "a") return { text: `Nothing was signed; ${desk.bubble} still waits` };
    }
    if (flags.digest && flags.digest.length < 8)
      return {
        refusal: {
          code: "approve.short-digest",
          message: "give at least 8 characters of the digest",
          hint: `pairflow bubble status --id ${desk.bubble}`,
        },
      };
    const handled = await approve(desk, flags.digest ?? digest, flags.message ?? "");
    if (handled.refusal) return { refusal: handled.refusal };
    return {
      text: `Approved ${digest.slice(0, 12)} by ${desk.via}\nNext: pairflow bubble commit --id ${desk.bubble}`,
      json: { bubble: desk.bubble, digest, via: desk.via, head: handled.state?.seq },
    };
  },
});

async function decideInteractively(shell: Shell, desk: Desk, diff: string | undefined): Promise<string> {
  for (;;) {
    const key = await askKey("[a]pprove  [d]iff  [r]ework  [q]uit ", ["a", "d", "r", "q"]);
    if (key !== "d") return key;
    const bytes = diff ? await desk.world.records.get(desk.bubble, diff) : undefined;
    shell.say(bytes ? visible(new TextDecoder().decode(bytes)) : "there is no diff");
  }
}

async function sendBack(desk: Desk): Promise<Result> {
  const message = (await askLine("What must change? "))?.trim();
  if (!message)
    return {
      text: `Nothing was sent back. Later: pairflow bubble request-rework --id ${desk.bubble} --message "…"`,
    };
  const handled = await decideAndDrive(desk, { type: "request-rework", message, reject: false });
  return handled.refusal
    ? { refusal: handled.refusal }
    : { text: `Sent back. ${desk.bubble} is ${handled.state?.lifecycle}, round ${handled.state?.round}` };
}
