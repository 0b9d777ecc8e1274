// The decision: send it back with comments, or sign. A session grants nothing; signing happens where a person is shown to be.
import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import type { RefusedPayload } from "../../../src/core/views/page/payload.ts";
import type { ReviewPage, SignView } from "../../../src/core/views/page/review/payload.ts";
import { send } from "../../live/ask.ts";
import { draftOf, writeDraft } from "../../live/drafts.ts";
import { staleSince } from "../../live/stream.ts";
import { Digest } from "../../parts/digest.tsx";
import { Refusal } from "../../parts/refusal.tsx";
import type { BubbleAt } from "../bubble/head.tsx";
import { Approve, type Deciding } from "./approve.tsx";
import type { Comment, Desk } from "./desk.ts";

interface SignProps {
  readonly at: BubbleAt;
  readonly page: ReviewPage;
  readonly sign: SignView;
  readonly desk: Desk;
}

export function Sign({ at, page, sign, desk }: SignProps) {
  const rework = useRef<HTMLDialogElement>(null);
  const approve = useRef<HTMLDialogElement>(null);
  const isOff = staleSince.value !== undefined;
  return (
    <section class="sign" aria-label="Decide">
      <Digest digest={sign.digest} /> <span class="quiet">head {page.head}</span>
      <span class="grow" />
      {sign.asked ? <span class={`asked ${sign.asked.state}`}>{sign.asked.says}</span> : null}
      <button type="button" id="rework" disabled={isOff} onClick={() => rework.current?.showModal()}>
        Rework{desk.comments.value.length > 0 ? ` with ${desk.comments.value.length}` : ""} …
      </button>
      <button
        type="button"
        id="approve"
        class="first"
        disabled={isOff || sign.not_now !== null}
        title={sign.not_now ?? undefined}
        onClick={() => approve.current?.showModal()}
      >
        Approve …
      </button>
      <dialog ref={rework} aria-label="Rework">
        <Rework at={at} sign={sign} desk={desk} close={() => rework.current?.close()} />
      </dialog>
      <dialog ref={approve} aria-label="Approve">
        <Approve at={at} sign={sign} close={() => approve.current?.close()} />
      </dialog>
    </section>
  );
}

function Rework({ at, sign, desk, close }: Deciding & { readonly desk: Desk }) {
  const place = { repo: at.repo, bubble: at.id, key: "rework" };
  const draft = draftOf(place);
  const isReject = useSignal(false);
  const refused = useSignal<RefusedPayload | undefined>(undefined);
  const comments = desk.comments.value;
  const say = async (event: Event) => {
    event.preventDefault();
    const answer = await send("/api/command", {
      do: "rework",
      repo: at.repo,
      bubble: at.id,
      digest: sign.digest,
      message: draft.value,
      reject: isReject.value,
      findings: comments.map(findingOf),
    });
    refused.value = answer.ok ? undefined : answer;
    if (!answer.ok) return;
    writeDraft(place, "");
    desk.comments.value = [];
    close();
  };
  return (
    <form onSubmit={(event) => void say(event)}>
      <h2>Send it back</h2>
      <p>
        {comments.length === 0
          ? "Comments on lines would become findings."
          : `${comments.length} ${comments.length === 1 ? "comment becomes a finding" : "comments become findings"} that must be fixed.`}
      </p>
      <label>
        What must change
        <textarea
          rows={4}
          value={draft.value}
          onInput={(event) => writeDraft(place, event.currentTarget.value)}
        />
      </label>
      <label class="check">
        <input
          type="checkbox"
          checked={isReject.value}
          onChange={(event) => {
            isReject.value = event.currentTarget.checked;
          }}
        />
        The approach is wrong, not only a detail
      </label>
      {refused.value ? <Refusal refused={refused.value} /> : null}
      <p class="way">
        <button type="submit" class="first" disabled={draft.value.trim() === "" && comments.length === 0}>
          Send it back
        </button>
        <button type="button" onClick={close}>
          Not now
        </button>
      </p>
    </form>
  );
}

/** The first line is what it is called. */
function findingOf({ severity, text, path, line, quote }: Comment) {
  const [title = "", ...more] = text.split("\n");
  const advice = [title.length > 300 ? title : "", ...more].join("\n").trim();
  return {
    severity,
    title: title.slice(0, 300),
    file: path,
    line,
    ...(quote.trim() ? { quote: quote.trim() } : {}),
    ...(advice ? { advice: advice.slice(0, 2000) } : {}),
  };
}
