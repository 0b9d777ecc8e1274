// The answer to a question, given where it stands: an option, or words, or both. What grants something takes a touch of a key.
import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import type { PageItem, PageOption } from "../../../src/core/views/page/inbox.ts";
import type { RefusedPayload } from "../../../src/core/views/page/payload.ts";
import { draftOf, writeDraft } from "../../live/drafts.ts";
import { staleSince } from "../../live/stream.ts";
import { Command } from "../../parts/command.tsx";
import { Digest } from "../../parts/digest.tsx";
import { Refusal } from "../../parts/refusal.tsx";
import { Options } from "./options.tsx";
import { type Said, sendAnswer } from "./send-answer.ts";

export function Answer({ item, kept }: { readonly item: PageItem; readonly kept: string }) {
  const place = { repo: item.repo, bubble: item.bubble ?? "", key: item.id };
  const draft = draftOf(place, kept);
  const isSending = useSignal(false);
  const refused = useSignal<RefusedPayload | undefined>(undefined);
  const said = useSignal("");
  const left = useSignal<readonly string[]>([]);
  const rounds = useSignal("");
  const field = useId();
  const say = async (option?: PageOption) => {
    isSending.value = true;
    const words: Said = {
      message: draft.value,
      rounds: rounds.value ? Number(rounds.value) : undefined,
      findings: item.findings.filter(({ id }) => !left.value.includes(id)).map(({ id }) => id),
    };
    const answer = await sendAnswer(item, words, option);
    isSending.value = false;
    refused.value = answer.ok ? undefined : answer;
    if (!answer.ok) return;
    said.value = answer.said;
    if (item.bubble) writeDraft(place, "");
  };
  if (said.value) return <p class="said">{said.value}</p>;
  const isOff = isSending.value || staleSince.value !== undefined;
  return (
    <form
      class="answer"
      onSubmit={(event) => {
        event.preventDefault();
        if (takesWords(item)) void say();
      }}
    >
      <Findings item={item} left={left.value} leave={(ids) => (left.value = ids)} />
      <Options
        options={item.options}
        isOff={isOff}
        rounds={rounds.value}
        door={item.seal ? "the terminal of pairflow ui asks you" : "touch your key"}
        setRounds={(text) => (rounds.value = text)}
        choose={(option) => void say(option)}
      />
      <label for={field}>Your own words</label>
      <div class="words">
        <textarea
          id={field}
          rows={2}
          value={draft.value}
          onInput={(event) => {
            const { value } = event.currentTarget;
            if (item.bubble) writeDraft(place, value);
            else draft.value = value;
          }}
        />
        {takesWords(item) ? (
          <button type="submit" disabled={isOff || draft.value.trim() === ""}>
            Reply
          </button>
        ) : null}
      </div>
      {refused.value ? <Refusal refused={refused.value} /> : null}
      {item.seal?.asked ? (
        <p class={`told ${item.seal.asked.state}`} role="status">
          {item.seal.asked.says}
          {item.seal.asked.state === "asked" ? (
            <>
              {" "}
              <Digest digest={item.seal.digest} />
            </>
          ) : null}
        </p>
      ) : null}
      {item.terminal ? (
        <p class="terminal quiet">
          What grants something can also be said in a terminal: <Command text={item.terminal} />
        </p>
      ) : null}
    </form>
  );
}

/** It is answered by words alone. */
const takesWords = ({ options, kind }: PageItem): boolean => options.length === 0 || kind === "question";

interface FindingsProps {
  readonly item: PageItem;
  readonly left: readonly string[];
  leave(ids: readonly string[]): void;
}

/** What the question is about; where one answer may name some of them, each can be left out. */
function Findings({ item, left, leave }: FindingsProps) {
  if (item.findings.length === 0) return null;
  const isChosen = item.findings.length > 1 && item.options.some((option) => option.takes_findings);
  return (
    <ul class="about-findings">
      {item.findings.map(({ id, severity, title }) => (
        <li key={id}>
          {isChosen ? (
            <label class="check">
              <input
                type="checkbox"
                checked={!left.includes(id)}
                onChange={() => leave(left.includes(id) ? left.filter((one) => one !== id) : [...left, id])}
              />
              <b>
                {id} {severity}
              </b>{" "}
              {title}
            </label>
          ) : (
            <>
              <b>
                {id} {severity}
              </b>{" "}
              {title}
            </>
          )}
        </li>
      ))}
    </ul>
  );
}
