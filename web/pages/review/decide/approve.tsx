// The dialog that signs: exactly what is signed, what that does, and the doors: a passkey here, or the terminal of pairflow ui.
import { useSignal } from "@preact/signals";
import type { RefusedPayload } from "../../../../src/core/views/page/payload.ts";
import type { SignView } from "../../../../src/core/views/page/review/payload.ts";
import type { SignFacts } from "../../../../src/core/views/page/review/sign.ts";
import { bubblePath } from "../../../app/route.ts";
import { send } from "../../../live/ask.ts";
import { usePayload } from "../../../live/payload.ts";
import { Command } from "../../../parts/command.tsx";
import { grantByTouch } from "../../../parts/passkey.ts";
import { Refusal } from "../../../parts/refusal.tsx";
import type { BubbleAt } from "../../bubble/head.tsx";

export interface Deciding {
  readonly at: BubbleAt;
  readonly sign: SignView;
  close(): void;
}

export function Approve({ at, sign, close }: Deciding) {
  const { value: facts, refused: unread } = usePayload<SignFacts>(
    `/api${bubblePath(at.repo, at.id, "sign")}`,
    (key) => key === "keys" || key === `bubble/${at.repo}/${at.id}`,
  );
  const refused = useSignal<RefusedPayload | undefined>(undefined);
  const isTouching = useSignal(false);
  const settle = (answer: { readonly ok: true } | RefusedPayload) => {
    refused.value = answer.ok ? undefined : answer;
    if (answer.ok) close();
  };
  const touch = async (event: Event) => {
    event.preventDefault();
    if (!facts || isTouching.value) return;
    isTouching.value = true;
    const about = { repo: at.repo, bubble: at.id, head: facts.head };
    const { does, digest } = sign;
    const answer = await grantByTouch(
      does === "approve" ? { do: does, ...about, digest, message: "" } : { do: does, ...about, digest },
    );
    isTouching.value = false;
    settle(answer);
  };
  const ask = async () => {
    const about = { repo: at.repo, bubble: at.id, digest: sign.digest };
    settle(await send("/api/command", { do: "ask-approval", ...about }));
  };
  const problem = refused.value ?? unread;
  return (
    <form onSubmit={(event) => void touch(event)}>
      <h2>{sign.does === "approve" ? "Sign and commit" : "Commit"} exactly this tree</h2>
      <p>
        On {sign.branch}, as “{sign.message.split("\n")[0]}”.{" "}
        {sign.does === "approve"
          ? "One touch approves and commits."
          : "It is approved; one touch commits it."}{" "}
        Nothing is pushed.
      </p>
      <p class="whole-digest">
        <code>{(sign.digest.match(/.{1,4}/g) ?? []).join(" ")}</code>
      </p>
      {facts ? <Doors facts={facts} sign={sign} /> : null}
      {problem ? <Refusal refused={problem} /> : null}
      <p class="way">
        {facts && facts.keys.length > 0 ? (
          <button type="submit" class="first" disabled={facts.digest !== sign.digest || isTouching.value}>
            {isTouching.value ? "Touch your key …" : "Sign with a passkey"}
          </button>
        ) : null}
        {facts && asksTerminal(facts, sign) ? (
          <button type="button" onClick={() => void ask()}>
            Ask the terminal
          </button>
        ) : null}
        <button type="button" onClick={close}>
          Not now
        </button>
      </p>
    </form>
  );
}

const asksTerminal = (facts: SignFacts, sign: SignView): boolean => sign.has_terminal && !facts.needs_passkey;

/** Through which doors this can be signed, and why not through the others. */
function Doors({ facts, sign }: { readonly facts: SignFacts; readonly sign: SignView }) {
  const isNowhere = facts.keys.length === 0 && !facts.needs_passkey && !sign.has_terminal;
  return (
    <>
      {facts.digest === sign.digest ? null : <p>The record has moved; close this and look again.</p>}
      <Keys facts={facts} />
      {asksTerminal(facts, sign) ? (
        <p>
          The terminal of <code>pairflow ui</code> can show the package and ask for the last four characters:{" "}
          <b>{sign.digest.slice(-4)}</b>
        </p>
      ) : null}
      {isNowhere ? (
        <p>
          A session of the page grants nothing by itself. In a terminal: <Command text={sign.command} />
        </p>
      ) : null}
    </>
  );
}

function Keys({ facts }: { readonly facts: SignFacts }) {
  if (!facts.can_grant) return <p>Over plain HTTP from another machine nothing is granted.</p>;
  if (facts.keys.length === 0)
    return (
      <p>
        {facts.needs_passkey ? "This bubble is approved by a passkey alone. " : ""}No passkey of yours is
        confirmed here: <a href="/keys">make one</a>.
      </p>
    );
  const names = facts.keys.map(({ name, synced }) => (synced ? `${name} (synced to other devices)` : name));
  return (
    <p>
      Keys that can sign: {names.join(", ")}. Head <code>{facts.head_shown}</code>.
    </p>
  );
}
