// Telling other systems about orders.
import { createHmac } from "node:crypto";

/** The signature a receiver checks. */
export function signature(body, secret) {
  return createHmac("sha256", secret).update(body).digest("hex");
}

/** Hands one event over by `post(event)`, up to three times. Rejects with the last error when no try got through. */
export async function deliver(event, post) {
  let last;
  for (let tries = 0; tries < 3; tries++) {
    try {
      return await post(event);
    } catch (error) {
      last = error;
    }
  }
  throw last;
}

/** Delivers all events and says which of them did not get through. */
export async function deliverAll(events, post) {
  const failed = [];
  for (const event of events) {
    try {
      await deliver(event, post);
    } catch (error) {
      failed.push({ event, reason: error.message });
    }
  }
  return { delivered: events.length - failed.length, failed };
}
