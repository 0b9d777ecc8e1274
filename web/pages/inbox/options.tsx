// The answers that a question offers, each with what it does; the number is the key that chooses it.
import type { PageOption } from "../../../src/core/views/page/inbox.ts";

interface OptionsProps {
  readonly options: readonly PageOption[];
  readonly isOff: boolean;
  readonly rounds: string;
  /** How what grants something is granted. */
  readonly door: string;
  setRounds(text: string): void;
  choose(option: PageOption): void;
}

export function Options({ options, isOff, rounds, door, setRounds, choose }: OptionsProps) {
  if (options.length === 0) return null;
  return (
    <ul class="options">
      {options.map((option, index) => (
        <li key={option.key}>
          <button type="button" disabled={isOff} onClick={() => choose(option)}>
            <span class="nth" aria-hidden="true">
              {index + 1}
            </span>{" "}
            {option.key}
          </button>
          <span>
            {option.does}
            {option.waives_gates.length > 0 ? `; waives ${option.waives_gates.join(", ")}` : ""}
            {option.takes_rounds ? (
              <label class="rounds">
                {" "}
                further rounds{" "}
                <input
                  type="number"
                  min={1}
                  max={100}
                  placeholder="1"
                  value={rounds}
                  onInput={(event) => setRounds(event.currentTarget.value)}
                  onKeyDown={(event) => {
                    if (event.key !== "Enter") return;
                    event.preventDefault();
                    if (!isOff) choose(option);
                  }}
                />
              </label>
            ) : null}
            {option.grants ? <em> · grants something: {door}</em> : null}
          </span>
        </li>
      ))}
    </ul>
  );
}
