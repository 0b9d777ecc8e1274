// What the client says of a server that does not answer now: asked again, for a while. Everything else is told at once.
import { expect, it } from "vitest";
import { createPatience } from "../../src/adapters/nats/patience.ts";

const say = (name: string, message: string, more: object = {}) =>
  Object.assign(new Error(message), { name, ...more });
const patiently = createPatience({ server: "the server", forMs: 2000 });

function failOnce(error: Error): () => Promise<string> {
  let tries = 0;
  return async () => {
    tries += 1;
    if (tries === 1) throw error;
    return "answered";
  };
}

it.each([
  ["nobody answers for a consumer", say("JetStreamStatusError", "no responders", { code: 503 })],
  ["a consumer took too long", say("JetStreamStatusError", "request timeout", { code: 408 })],
  ["a consumer has another leader now", say("JetStreamStatusError", "Leadership Change", { code: 409 })],
  ["a request timed out", say("TimeoutError", "timeout")],
])("is asked again: %s", async (_what, error) => {
  expect(await patiently(failOnce(error))).toBe("answered");
});

it("is told at once: a consumer that is gone, and what is a bug", async () => {
  for (const error of [
    say("JetStreamStatusError", "consumer deleted", { code: 409 }),
    new TypeError("x is not a function"),
  ])
    await expect(patiently(failOnce(error))).rejects.toBe(error);
});

it("is told in the end, and may be tried again", async () => {
  const never = async () => {
    throw say("JetStreamStatusError", "no responders", { code: 503 });
  };
  const soon = createPatience({ server: "the server", forMs: 100 });
  await expect(soon(never)).rejects.toMatchObject({ code: "store.unreachable", retryable: true });
});
