// Streams of a project: created by the first process that is allowed to, then left unchanged. A machine's user may make none:
// what a stream passes on would get past the permissions of its subjects.
import { JetStreamApiError, type JetStreamManager, type StreamConfig } from "@nats-io/jetstream";
import { Failure } from "../../ports/failure.ts";
import { isForbidden } from "./patience.ts";

const NO_STREAM = 10059;
const NO_STORAGE: readonly number[] = [10023, 10028, 10047];

/** Makes a stream unless it is there. */
export async function ensureStream(
  jsm: JetStreamManager,
  config: Partial<StreamConfig> & { readonly name: string },
): Promise<void> {
  try {
    await jsm.streams.info(config.name);
  } catch (error) {
    const isMissing = error instanceof JetStreamApiError && error.code === NO_STREAM;
    if (!isMissing) throw error;
    await jsm.streams.add(config);
  }
}

/** Why something of the project could not be opened or made, and what to type. */
export function toNotReady(what: string, cause: unknown): Failure {
  if (cause instanceof Failure) return cause;
  const { message } = cause as Error;
  if (isForbidden(cause))
    return new Failure(
      "store.not-ready",
      `${what} is not there yet, and this machine's key may not make it.`,
      {
        cause,
        hint: "pairflow doctor    # once, on the machine of a person: their key makes what is missing",
        retryable: true,
      },
    );
  const isFull = cause instanceof JetStreamApiError && NO_STORAGE.includes(cause.code);
  return new Failure("store.not-ready", `${what} cannot be made: ${message}`, {
    cause,
    hint: isFull ? "Raise max_file of the account in the server's configuration." : "pairflow doctor",
  });
}
