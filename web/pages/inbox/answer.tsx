// The answer to a question, given where it stands: an option, or words, or both. What grants something takes a touch of a key.
import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import type { PageItem, PageOption } from "../../../src/core/views/page/inbox.ts";
import type { RefusedPayload } from "../../../src/core/views/page/payload.ts";
import type { SignFacts } from "../../../src/core/views/page/review/sign.ts";
import { bubblePath } from "../../app/route.ts";
import { type Answer as Answered, fetchPayload, forget, gone, send } from "../../live/ask.ts";
import { draftOf, writeDraft } from "../../live/drafts.ts";
import { staleSince } from "../../live/stream.ts";
import { grantByTouch } from "../../parts/passkey.ts";
import { Refusal } from "../../parts/refusal.tsx";

export function Answer({ item, kept }: { readonly item: PageItem; readonly kept: string }) {
  const place = { repo: item.repo, bubble: item.bubble ?? "", key: item.id };
  const draft = draftOf(place, kept);
  const isSending = useSignal(false);
  const refused = useSignal<RefusedPayload | undefined>(undefined);
  const said = useSignal("");
  const field = useId();
  const say = async (option?: PageOption) => {
    isSending.value = true;
    const answer = option?.grants
      ? await grantReply(item, draft.value, option)
      : await send<{ said: string }>("/api/command", commandOf(item, draft.value, option));
    isSending.value = false;
    refused.value = answer.ok ? undefined : answer;
    if (!answer.ok) return;
    said.value = answer.said;
    writeDraft(place, "");
  };
  if (said.value) return <p class="said">{said.value}</p>;
  const isOff = isSending.value || staleSince.value !== undefined;
  return (
    <form
      class="answer"
      onSubmit={(event) => {
        event.preventDefault();
        void say();
      }}
    >
      <Options options={item.options} isOff={isOff} choose={(option) => void say(option)} />
      <label for={field}>Your own words</label>
      <div class="words">
        <textarea
          id={field}
          rows={2}
          value={draft.value}
          onInput={(event) => {
            writeDraft(place, event.currentTarget.value);
          }}
        />
        {item.options.length === 0 || item.kind === "question" ? (
          <button type="submit" disabled={isOff || draft.value.trim() === ""}>
            Reply
          </button>
        ) : null}
      </div>
      {refused.value ? <Refusal refused={refused.value} /> : null}
    </form>
  );
}

function commandOf(item: PageItem, message: string, option: PageOption | undefined) {
  const { repo, bubble, id: question } = item;
  return { do: "reply", repo, bubble, question, message, ...(option ? { choice: option.key } : {}) };
}

/** The key signs the answer, and where the record stood when it was given. */
async function grantReply(
  { repo, bubble, id: question }: PageItem,
  message: string,
  { key: choice }: PageOption,
): Promise<Answered<{ said: string }>> {
  const at = { repo, bubble: bubble ?? "" };
  const path = `/api${bubblePath(at.repo, at.bubble, "sign")}`;
  forget(path);
  const facts = await fetchPayload<SignFacts>(path);
  if (!facts?.ok) return facts ?? gone;
  return grantByTouch({ do: "reply", ...at, head: facts.head, question, choice, message });
}

interface Choosing {
  readonly options: readonly PageOption[];
  readonly isOff: boolean;
  choose(option: PageOption): void;
}

function Options({ options, isOff, choose }: Choosing) {
  if (options.length === 0) return null;
  return (
    <ul class="options">
      {options.map((option) => (
        <li key={option.key}>
          <button type="button" disabled={isOff} onClick={() => choose(option)}>
            {option.key}
          </button>
          <span>
            {option.does}
            {option.grants ? <em> · grants something: touch your key</em> : null}
          </span>
        </li>
      ))}
    </ul>
  );
}
