// How long a server that does not answer is waited for, and what is said when it stays away.
import { JetStreamApiError } from "@nats-io/jetstream";
import { Failure } from "../../ports/failure.ts";
import { type Patience, toStoreFull } from "../../ports/system/patience.ts";

export interface PatienceOptions {
  /** Names the server in what is said. */
  readonly server: string;
  readonly forMs?: number;
}

/** Ways of the client to say that nobody answered in time; whether the call arrived is not known. */
const UNANSWERED = new Set([
  "TimeoutError",
  "NoRespondersError",
  "RequestError",
  "ConnectionError",
  "JetStreamNotEnabled",
]);
/** The server is there, but cannot serve yet: no leader, or JetStream is starting. */
const NOT_YET: readonly number[] = [10008, 10009, 10023];
/** What a consumer says of itself instead of a message: nobody answers for it, it took too long, or it has another leader now. */
const noAnswer: readonly number[] = [503, 408];
const isOtherLeader = /leadership|shutdown/i;

export function createPatience({ server, forMs = 15_000 }: PatienceOptions): Patience {
  return async (call) => {
    const deadline = Date.now() + forMs;
    for (let pauseMs = 50; ; pauseMs = Math.min(pauseMs * 2, 1000)) {
      try {
        return await call();
      } catch (cause) {
        assertRetryable(server, cause);
        if (Date.now() + pauseMs > deadline) throw toUnreachable(server, cause);
      }
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  };
}

/** Throws what asking again does not change. */
function assertRetryable(server: string, cause: unknown): void {
  if (isForbidden(cause)) throw toForbidden(server, cause);
  const full = toStoreFull(cause);
  if (full) throw full;
  if (!isUnanswered(cause)) throw cause;
}

/** The server knows this user, and does not let it do this. */
export function isForbidden(error: unknown): boolean {
  const { name, message } = error as { readonly name?: string; readonly message?: string };
  return name === "PermissionViolationError" || /permissions violation/i.test(message ?? "");
}

export const toForbidden = (server: string, cause: unknown): Failure =>
  new Failure(
    "store.forbidden",
    `The server ${server} does not let this user do that: ${(cause as Error).message}`,
    {
      cause,
      hint: "A decision is made with a person's key: PAIRFLOW_STORE_CREDENTIALS names another one.",
    },
  );

function isUnanswered(error: unknown): boolean {
  if (error instanceof JetStreamApiError) return NOT_YET.includes(error.code);
  if (!(error instanceof Error)) return false;
  // The client does not export the class of these.
  if (error.name === "JetStreamStatusError")
    return (
      noAnswer.includes((error as Error & { code?: number }).code ?? 0) || isOtherLeader.test(error.message)
    );
  return UNANSWERED.has(error.name);
}

/** The server that holds the records cannot be reached. */
export function toUnreachable(server: string, cause: unknown): Failure {
  return new Failure(
    "store.unreachable",
    `The server ${server} does not answer: ${(cause as Error).message}`,
    {
      hint: "Is it running, and can this machine reach it? Then repeat the command.",
      cause,
      retryable: true,
    },
  );
}
