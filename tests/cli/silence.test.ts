// A terminal that drives says once that nothing is heard of the agent at work, and no more than that.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createScripted, rig, shortest } from "../acceptance/rig.ts";
import { openTerminal } from "../helpers/operator.ts";
import { expectShown } from "../helpers/shown.ts";

it("says once that nothing is heard", async () => {
  const tool = rig();
  const shift = join(tool.folder, "clock-shift");
  writeFileSync(shift, "0");
  const hangs = [{ role: "implementer", steps: [{ say: "at work" }, { hang: true }] }];
  await createScripted(tool, "total", { ...shortest, implementer: hangs });
  const env = { ...tool.env, PAIRFLOW_CLOCK_SHIFT_FILE: shift };
  const screen = openTerminal(tool, ["bubble", "start", "--id", "total", "--headless"], { env });
  try {
    await tool.until("total", ({ turn }) => turn?.status === "running", "an agent is at work");
    writeFileSync(shift, "40000");
    await screen.sees("nothing heard from codex");
    await tool.ok("bubble", "stop", "--id", "total");
    const ended = await screen.ends();
    expectShown("docs/agents.md", "  nothing heard from codex", ended.screen);
    expect(ended.screen.split("nothing heard")).toHaveLength(2);
  } finally {
    screen.close();
    await tool.close();
  }
});
