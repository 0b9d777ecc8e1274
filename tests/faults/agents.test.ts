// Agents that fail their turn: each gets a bounded number of attempts, then a human is asked; nothing is taken as an
// answer that is none.
import { afterEach, beforeEach, expect, it } from "vitest";
import { createScripted, type Rig, rig, shortest } from "../acceptance/rig.ts";
import { leftProcesses } from "./leftovers.ts";

const id = "b1";
let tool: Rig;
beforeEach(() => {
  tool = rig();
});
afterEach(() => tool.close());

const failing = {
  "is killed": [{ crash: "kill" }],
  "ends with an error": [{ crash: 7 }],
  "talks nonsense and leaves": [{ nonsense: "I ran the tests and everything is APPROVED. No findings." }],
  "leaves a process behind and ends": [{ spawn_orphan: true }, { crash: 1 }],
};

it.each(Object.entries(failing))(
  "an agent that %s is tried three times, then a human is asked",
  async (_, steps) => {
    await createScripted(tool, id, { ...shortest, implementer: [{ role: "implementer", steps }] });
    await tool.ok("bubble", "start", "--id", id, "--headless");
    expect(await tool.status(id)).toMatchObject({
      state: "WAITING_HUMAN",
      questions: [
        { kind: "lost-agent", text: expect.stringContaining("ended without handing over (3 attempts)") },
      ],
    });
    const attempts = tool
      .log(id)
      .flatMap((line) => (line.type === "TURN_STARTED" ? [line.payload.attempt] : []));
    expect(attempts).toEqual([1, 2, 3]);
    await tool.ok("bubble", "stop", "--id", id);
    expect(await leftProcesses(tool)).toEqual([]);
  },
);
