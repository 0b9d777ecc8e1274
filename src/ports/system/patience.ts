// Repeating a call to a server that does not answer at the moment: it restarts, or another one is about to take its place. And what is
// said when it answers that it has no room.
import { Failure } from "../failure.ts";

/**
 * Repeats `call` while the server does not answer, for as long as its maker is ready to wait; then throws Failure
 * `store.unreachable`. Whatever else `call` throws comes through at once. What is called must be harmless when done twice.
 */
export type Patience = <T>(call: () => Promise<T>) => Promise<T>;

const noRoom =
  /resource limits exceeded|insufficient storage|insufficient memory|maximum bytes exceeded|no space left/i;

/** The server answered that it has no room; undefined where it said something else. */
export function toStoreFull(cause: unknown): Failure | undefined {
  const { message = "" } = cause as { readonly message?: string };
  if (!noRoom.test(message)) return undefined;
  return new Failure("store.full", `The server has no room left for this project: ${message}`, {
    hint: "pairflow server init --disk-gb 40 raises the limit, in the folder it was made in; then: nats-server --signal reload",
    cause,
    retryable: true,
  });
}
