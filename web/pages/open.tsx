// The first page of a session: the code behind the # becomes a session, once, and disappears from the address. A page that other
// machines reach asks for its password instead.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { RefusedPayload } from "../../src/core/views/page/payload.ts";
import { go } from "../app/route.ts";
import { send } from "../live/ask.ts";
import { startStream } from "../live/stream.ts";
import { Refusal } from "../parts/refusal.tsx";

export function Open() {
  const refused = useSignal<RefusedPayload | undefined>(undefined);
  const to = useSignal("/");
  const open = async (body: { code: string } | { password: string }) => {
    const answer = await send("/api/open", body);
    refused.value = answer.ok ? undefined : answer;
    if (!answer.ok) return;
    startStream();
    go(to.value.startsWith("/") && !to.value.startsWith("//") ? to.value : "/");
  };
  useEffect(() => {
    const code = location.hash.slice(1);
    to.value = new URLSearchParams(location.search).get("to") ?? "/";
    history.replaceState(null, "", "/open");
    void open(code ? { code } : { password: "" });
  }, []);
  const asks = refused.value?.code.startsWith("page.password") ?? false;
  return (
    <div class="empty">
      <h1>Pairflow</h1>
      {asks ? <Password open={(password) => void open({ password })} /> : null}
      {refused.value && refused.value.code !== "page.password" ? <Refusal refused={refused.value} /> : null}
      {refused.value ? null : <p>Opening …</p>}
    </div>
  );
}

/** With --host: the terminal has said it, or its file holds it. */
function Password({ open }: { open(password: string): void }) {
  const password = useSignal("");
  const submit = (event: Event) => {
    event.preventDefault();
    open(password.value);
  };
  return (
    <form onSubmit={submit}>
      <label>
        Password of this page
        <input
          type="password"
          autocomplete="current-password"
          value={password.value}
          onInput={(event) => {
            password.value = event.currentTarget.value;
          }}
        />
      </label>
      <button type="submit" class="first" disabled={password.value === ""}>
        Open
      </button>
    </form>
  );
}
