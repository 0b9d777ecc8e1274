// Opens the worktree of a bubble in the person's editor, on the machine where `pairflow ui` runs.
import { useSignal } from "@preact/signals";
import type { RefusedPayload } from "../../src/core/views/page/payload.ts";
import { useKeys } from "../app/keys.ts";
import { send } from "../live/ask.ts";
import { staleSince } from "../live/stream.ts";
import { Refusal } from "./refusal.tsx";

interface EditorProps {
  readonly repo: string;
  readonly bubble: string;
  /** Among other small buttons. */
  readonly isPlain?: boolean;
}

export function Editor({ repo, bubble, isPlain = false }: EditorProps) {
  const said = useSignal("");
  const refused = useSignal<RefusedPayload | undefined>(undefined);
  const open = async () => {
    if (staleSince.value !== undefined) return;
    const answer = await send<{ said: string }>("/api/command", { do: "open", repo, bubble });
    refused.value = answer.ok ? undefined : answer;
    said.value = answer.ok ? answer.said : "";
  };
  useKeys([{ key: "e", does: "open in the editor", press: () => void open() }]);
  return (
    <>
      <button
        type="button"
        class={isPlain ? "plain" : ""}
        disabled={staleSince.value !== undefined}
        onClick={() => void open()}
      >
        {isPlain ? "open in the editor" : "Open in the editor"}
      </button>{" "}
      <span role="status" class="quiet">
        {said.value}
      </span>
      {refused.value ? <Refusal refused={refused.value} /> : null}
    </>
  );
}
