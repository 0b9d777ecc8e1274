// What a session cannot do: it asks the terminal of `pairflow ui`, and a person there grants or does not. Asked one after the
// other; the page shows what became of each.
import { quoteForShell } from "../../core/knowledge/learning/conventions.ts";
import { type Refusal, refuse } from "../../core/model/refusal.ts";
import type { Asked } from "../../core/views/page/inbox.ts";

interface GrantSubject {
  /** The repository's folder, and its name on the page. */
  readonly repo: string;
  readonly name: string;
  /** The whole digest that the page has shown. */
  readonly digest: string;
}

/** The signature of a bubble's change. */
export interface SignRequest extends GrantSubject {
  readonly bubble: string;
}

/** Telling later reviewers what reviewers keep noticing. */
export interface ConventionRequest extends GrantSubject {
  readonly convention: string;
  readonly reason: string;
}

export type GrantRequest = SignRequest | ConventionRequest;

/** Puts a request before the person at the terminal; says what was done. */
export type AskTerminal = (request: GrantRequest) => Promise<{ refusal: Refusal } | { said: string }>;

export interface Grants {
  readonly hasTerminal: boolean;
  ask(request: GrantRequest): Refusal | undefined;
  /** `subject`: a bubble, or `convention:<name>`. */
  about(repo: string, subject: string, digest: string): Asked | null;
}

export function openGrants(terminal: AskTerminal | undefined, mark: (...keys: string[]) => void): Grants {
  const asked = new Map<string, Asked>();
  const keyOf = (repo: string, subject: string, digest: string) => [repo, subject, digest].join("\0");
  let last: Promise<void> = Promise.resolve();
  return {
    hasTerminal: terminal !== undefined,
    ask(request) {
      if (!terminal) return refuseWithoutTerminal(request);
      const isSigning = "bubble" in request;
      const subject = isSigning ? request.bubble : `convention:${request.convention}`;
      const key = keyOf(request.repo, subject, request.digest);
      if (asked.get(key)?.state === "asked") return undefined;
      const tell = (now: Asked) => {
        asked.set(key, now);
        mark("inbox", ...(isSigning ? ["bubbles", `bubble/${request.name}/${request.bubble}`] : []));
      };
      tell({ state: "asked", says: "the terminal of pairflow ui asks for the last four characters" });
      last = last.then(async () => tell(await buildAnswer(terminal, request)));
      return undefined;
    },
    about: (repo, subject, digest) => asked.get(keyOf(repo, subject, digest)) ?? null,
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

const refuseWithoutTerminal = (request: GrantRequest): Refusal =>
  refuse(
    "page.no-terminal",
    "pairflow ui has no terminal that could ask you",
    "bubble" in request
      ? `pairflow bubble approve --id ${request.bubble}`
      : `pairflow conventions accept ${quoteForShell(request.convention)}`,
  );
