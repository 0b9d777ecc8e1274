// Starting, pausing, resuming and stopping a bubble. Stopping is for good, so it asks once more and for a reason.
import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Action } from "../../src/core/views/page/bubbles.ts";
import type { RefusedPayload } from "../../src/core/views/page/payload.ts";
import { send } from "../live/ask.ts";
import { staleSince } from "../live/stream.ts";
import { Refusal } from "./refusal.tsx";

interface Acting {
  readonly repo: string;
  readonly bubble: string;
  readonly actions: readonly Action[];
}

export function Actions({ repo, bubble, actions }: Acting) {
  const isBusy = useSignal(false);
  const refused = useSignal<RefusedPayload | undefined>(undefined);
  const run = async (action: Action, message = "") => {
    isBusy.value = true;
    const words = action === "start" ? {} : { message };
    const body = { do: action, repo, bubble, ...words, ...(action === "pause" ? { now: false } : {}) };
    const answer = await send("/api/command", body);
    isBusy.value = false;
    refused.value = answer.ok ? undefined : answer;
  };
  return (
    <span class="actions">
      {actions.map((action) =>
        action === "stop" ? (
          <Stop key={action} bubble={bubble} stop={(reason) => void run("stop", reason)} />
        ) : (
          <button
            key={action}
            type="button"
            class="plain"
            aria-label={`${action} ${bubble}`}
            disabled={isBusy.value || staleSince.value !== undefined}
            onClick={() => void run(action)}
          >
            {action}
          </button>
        ),
      )}
      {refused.value ? <Refusal refused={refused.value} /> : null}
    </span>
  );
}

function Stop({ bubble, stop }: { readonly bubble: string; stop(reason: string): void }) {
  // A table of a thousand rows holds no dialog until somebody asks for one.
  const isOpen = useSignal(false);
  return (
    <>
      <button
        type="button"
        class="plain"
        aria-label={`stop ${bubble} …`}
        disabled={staleSince.value !== undefined}
        onClick={() => {
          isOpen.value = true;
        }}
      >
        stop …
      </button>
      {isOpen.value ? (
        <StopDialog
          bubble={bubble}
          stop={stop}
          close={() => {
            isOpen.value = false;
          }}
        />
      ) : null}
    </>
  );
}

interface StopProps {
  readonly bubble: string;
  stop(reason: string): void;
  close(): void;
}

function StopDialog({ bubble, stop, close }: StopProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const reason = useSignal("");
  useLayoutEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} aria-label={`Stop ${bubble}`} onClose={close}>
      <form method="dialog" onSubmit={() => stop(reason.value)}>
        <h2>Stop {bubble} for good?</h2>
        <p>It ends as CANCELLED. Its record and what was handed over stay.</p>
        <label>
          Why, for the record
          <textarea
            rows={2}
            value={reason.value}
            onInput={(event) => {
              reason.value = event.currentTarget.value;
            }}
          />
        </label>
        <p class="way">
          <button type="submit" class="first">
            Stop it
          </button>
          <button type="button" onClick={() => dialog.current?.close()}>
            Leave it
          </button>
        </p>
      </form>
    </dialog>
  );
}
