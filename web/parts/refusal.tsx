// A refusal as in the terminal: the sentence, its details, the code, and a hint that can be copied.
import type { RefusedPayload } from "../../src/core/views/page/payload.ts";
import { Command } from "./command.tsx";

export function Refusal({ refused }: { readonly refused: RefusedPayload }) {
  const { message, details = [], hint, code } = refused;
  return (
    <div class="refusal" role="alert">
      <p>
        {message} <code class="quiet">{code}</code>
      </p>
      {details.map((detail) => (
        <p key={detail} class="quiet">
          {detail}
        </p>
      ))}
      {hint ? <Command text={hint} /> : null}
    </div>
  );
}
