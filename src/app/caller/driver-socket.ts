// The driver's end of the socket: where it listens for agents in a sandbox. What it answers them is loaded with the first driver.
import { createHash } from "node:crypto";
import { dirname, join } from "node:path";
import { listenAt } from "../../adapters/verbs/socket.ts";
import type { RecordWorld } from "../../engine/front/world.ts";
import type { VerbDoor } from "../../ports/agent/verbs.ts";
import { ensureOwnRoot } from "../host/clean-root.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** A short path: that of a socket may have a hundred characters. It stays the same from driver to driver. */
function describeVerbSocket(env: Env, tag: string, bubble: string): string {
  const name = createHash("sha256").update(`${tag}/${bubble}`).digest("hex").slice(0, 16);
  return join(ensureOwnRoot(env), "v", name, "s");
}

export function createVerbDoor(world: RecordWorld, tag: string, env: Env = process.env): VerbDoor {
  const place = (bubble: string) => {
    const socket = describeVerbSocket(env, tag, bubble);
    return { socket, folder: dirname(socket) };
  };
  return {
    place,
    async listen(bubble) {
      const { replyToAgent } = await import("./verb-answers.ts");
      return listenAt(place(bubble).socket, (question) => replyToAgent(world, bubble, question));
    },
  };
}
