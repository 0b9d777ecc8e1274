// Passkeys: whose word counts here, and a new one. A key that was made here counts once its fingerprint was compared at a terminal.
import { useSignal } from "@preact/signals";
import type { KeyRow, KeysPage } from "../../../src/core/views/page/keys.ts";
import type { RefusedPayload } from "../../../src/core/views/page/payload.ts";
import { usePayload } from "../../live/payload.ts";
import { Command } from "../../parts/command.tsx";
import { makeKey } from "../../parts/passkey.ts";
import { Refusal } from "../../parts/refusal.tsx";

export function Keys() {
  const { value, refused } = usePayload<KeysPage>("/api/keys", (key) => key === "keys");
  if (!value) return refused ? <Refusal refused={refused} /> : <p>Loading …</p>;
  return (
    <div class="keys">
      <h1>Passkeys</h1>
      <p>
        A session of this page looks and speaks. Approving takes a touch of a key that was confirmed at a
        terminal of this machine.
      </p>
      {value.keys.length === 0 ? <p>There is none yet.</p> : null}
      <ul>
        {value.keys.map((row) => (
          <Key key={`${row.fingerprint} ${row.at}`} row={row} />
        ))}
      </ul>
      {value.can_make ? <NewKey host={value.host} /> : null}
    </div>
  );
}

function Key({ row }: { readonly row: KeyRow }) {
  const { name, fingerprint, synced, state, at, host } = row;
  return (
    <li class="key" aria-label={`${name}: ${state}`}>
      <h2>
        {name} <span class="quiet">{state}</span>
      </h2>
      <p class="quiet">
        for {host}
        {synced ? ", synced to other devices of its owner" : ""}
        {at ? `, ${at.slice(0, 16).replace("T", " ")}` : ""}
      </p>
      <Fingerprint fingerprint={fingerprint} />
      {state === "waits for the terminal" ? (
        <p>
          It grants nothing yet. Compare it there: <Command text="pairflow operator add" />
        </p>
      ) : null}
    </li>
  );
}

const Fingerprint = ({ fingerprint }: { readonly fingerprint: string }) => (
  <code class="fingerprint">{(fingerprint.match(/.{4}/g) ?? []).join(" ")}</code>
);

function NewKey({ host }: { readonly host: string }) {
  const name = useSignal("");
  const refused = useSignal<RefusedPayload | undefined>(undefined);
  const made = useSignal<string | undefined>(undefined);
  const make = async (event: Event) => {
    event.preventDefault();
    made.value = undefined;
    const answer = await makeKey(name.value.trim());
    refused.value = answer.ok ? undefined : answer;
    if (!answer.ok) return;
    made.value = answer.fingerprint;
    name.value = "";
  };
  return (
    <form onSubmit={(event) => void make(event)}>
      <h2>A new passkey for {host}</h2>
      <label>
        What it is called
        <input
          type="text"
          maxLength={100}
          placeholder="laptop"
          value={name.value}
          onInput={(event) => {
            name.value = event.currentTarget.value;
          }}
        />
      </label>
      {refused.value ? <Refusal refused={refused.value} /> : null}
      {made.value ? (
        <div role="status">
          <p>Made. It grants nothing until the same fingerprint was confirmed at a terminal:</p>
          <Fingerprint fingerprint={made.value} />
          <p>
            <Command text="pairflow operator add" />
          </p>
        </div>
      ) : null}
      <button type="submit" class="first" disabled={name.value.trim() === ""}>
        Make a passkey
      </button>
    </form>
  );
}
