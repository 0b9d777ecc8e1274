// What a session cannot do: it asks the terminal of `pairflow ui`, and a person there grants or does not. Asked one after the
// other; the page shows what became of each.
import { type Refusal, refuse } from "../../core/model/refusal.ts";

export interface GrantRequest {
  /** The repository's folder, and its name on the page. */
  readonly repo: string;
  readonly name: string;
  readonly bubble: string;
  /** The whole digest that the page has shown. */
  readonly digest: string;
}

export interface Asked {
  readonly state: "asked" | "refused" | "done";
  readonly says: string;
}

/** Puts a request before the person at the terminal; says what was done. */
export type AskTerminal = (request: GrantRequest) => Promise<{ refusal: Refusal } | { said: string }>;

export interface Grants {
  readonly hasTerminal: boolean;
  ask(request: GrantRequest): Refusal | undefined;
  about(repo: string, bubble: string, digest: string): Asked | null;
}

export function openGrants(terminal: AskTerminal | undefined, mark: (...keys: string[]) => void): Grants {
  const asked = new Map<string, Asked>();
  const keyOf = (repo: string, bubble: string, digest: string) => [repo, bubble, digest].join("\0");
  let last: Promise<void> = Promise.resolve();
  return {
    hasTerminal: terminal !== undefined,
    ask(request) {
      if (!terminal) return refuseWithoutTerminal(request.bubble);
      const key = keyOf(request.repo, request.bubble, request.digest);
      if (asked.get(key)?.state === "asked") return undefined;
      const tell = (now: Asked) => {
        asked.set(key, now);
        mark("inbox", "bubbles", `bubble/${request.name}/${request.bubble}`);
      };
      tell({ state: "asked", says: "the terminal of pairflow ui asks for the last four characters" });
      last = last.then(async () => tell(await buildAnswer(terminal, request)));
      return undefined;
    },
    about: (repo, bubble, digest) => asked.get(keyOf(repo, bubble, digest)) ?? null,
  };
}

async function buildAnswer(terminal: AskTerminal, request: GrantRequest): Promise<Asked> {
  try {
    const answer = await terminal(request);
    return "refusal" in answer
      ? { state: "refused", says: answer.refusal.message }
      : { state: "done", says: answer.said };
  } catch (error) {
    return { state: "refused", says: (error as { message?: string }).message ?? String(error) };
  }
}

const refuseWithoutTerminal = (bubble: string): Refusal =>
  refuse(
    "page.no-terminal",
    "pairflow ui has no terminal that could ask you",
    `pairflow bubble approve --id ${bubble}`,
  );
