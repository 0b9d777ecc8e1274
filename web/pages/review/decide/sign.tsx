// The decision: send it back with comments, or sign. A session grants nothing; signing happens where a person is shown to be.
import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import type { RefusedPayload } from "../../../../src/core/views/page/payload.ts";
import type { ReviewPage, SignView } from "../../../../src/core/views/page/review/payload.ts";
import { send } from "../../../live/ask.ts";
import { draftOf, writeDraft } from "../../../live/drafts.ts";
import { staleSince } from "../../../live/stream.ts";
import { Digest } from "../../../parts/digest.tsx";
import { Refusal } from "../../../parts/refusal.tsx";
import type { BubbleAt } from "../../bubble/head.tsx";
import { listReady, type Reading } from "../reading.ts";
import { Approve, type Deciding } from "./approve.tsx";

interface SignProps {
  readonly at: BubbleAt;
  readonly page: ReviewPage;
  readonly sign: SignView;
  readonly reading: Reading;
}

export function Sign({ at, page, sign, reading }: SignProps) {
  const rework = useRef<HTMLDialogElement>(null);
  const approve = useRef<HTMLDialogElement>(null);
  const isOff = staleSince.value !== undefined;
  const ready = listReady(reading).length;
  const name = sign.does === "approve" ? "Approve" : "Commit";
  return (
    <>
      <span class="identity">
        <Digest digest={sign.digest} /> <span class="quiet">head {sign.head}</span>
      </span>
      <span class="grow" />
      {sign.not_now ? <span class="quiet">{sign.not_now}</span> : null}
      {sign.asked ? <span class={`told ${sign.asked.state}`}>{sign.asked.says}</span> : null}
      {sign.does === "approve" ? (
        <button type="button" id="rework" disabled={isOff} onClick={() => rework.current?.showModal()}>
          Rework{ready > 0 ? ` with ${ready}` : ""} …
        </button>
      ) : null}
      <button
        type="button"
        id="approve"
        class="first"
        disabled={isOff || sign.not_now !== null}
        onClick={() => approve.current?.showModal()}
      >
        {name} …
      </button>
      <dialog ref={rework} aria-label="Rework">
        <Rework at={at} sign={sign} reading={reading} page={page} close={() => rework.current?.close()} />
      </dialog>
      <dialog ref={approve} aria-label={name}>
        <Approve at={at} sign={sign} close={() => approve.current?.close()} />
      </dialog>
    </>
  );
}

function Rework({ at, sign, reading, page, close }: Deciding & Pick<SignProps, "reading" | "page">) {
  const place = { repo: at.repo, bubble: at.id, key: "rework" };
  const draft = draftOf(place, page.notes.drafts.rework);
  const isReject = useSignal(false);
  const refused = useSignal<RefusedPayload | undefined>(undefined);
  const comments = listReady(reading);
  const unfinished = reading.comments.value.length - comments.length;
  const say = async (event: Event) => {
    event.preventDefault();
    const answer = await send("/api/command", {
      do: "rework",
      repo: at.repo,
      bubble: at.id,
      digest: sign.digest,
      message: draft.value,
      reject: isReject.value,
      comments: comments.map(({ id }) => id),
    });
    refused.value = answer.ok ? undefined : answer;
    if (!answer.ok) return;
    writeDraft(place, "");
    reading.comments.value = reading.comments.value.filter(({ open }) => open);
    close();
  };
  return (
    <form onSubmit={(event) => void say(event)}>
      <h2>Send it back</h2>
      <p>
        {comments.length === 0
          ? "Comments on lines would become findings."
          : `${comments.length} ${comments.length === 1 ? "comment becomes a finding" : "comments become findings"} that must be fixed.`}
        {unfinished > 0
          ? ` ${unfinished} ${unfinished === 1 ? "is" : "are"} still being written and ${unfinished === 1 ? "stays" : "stay"} here.`
          : ""}
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
