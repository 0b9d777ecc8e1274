// Turns as background processes keep the contract of seats, but for the notice nobody can read.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createNodeProcesses } from "../../src/adapters/process/node.ts";
import { createProcessSeats } from "../../src/adapters/seat/process.ts";
import {
  buildSeatContract,
  buildTurnSpec,
  readTextOrEmpty,
  type SeatRig,
  waitUntil,
} from "../../src/testing/contracts/seat.ts";
import { runContract } from "./run-contract.ts";

async function processRig(): Promise<SeatRig> {
  const folder = mkdtempSync(join(tmpdir(), "pf-seat-"));
  const processes = createNodeProcesses();
  const env = { PATH: process.env.PATH ?? "", GIVEN: "yes" };
  const again = () =>
    createProcessSeats({ processes, env, folder: (bubble) => join(folder, "seats", bubble) });
  const close = async () => {
    for (const bubble of ["abc1", "abc12"]) await again().close(bubble);
    rmSync(folder, { recursive: true, force: true });
  };
  return { seats: again(), again, processes, folder, given: ["GIVEN", "yes"], close };
}

const deaf = {
  promise: "T3",
  scenario: "the words arrive as one line, whatever stands in them",
  because: "a background process has no terminal to read from, so deliver always says gone",
};
runContract("process seats", buildSeatContract(processRig, { exceptions: [deaf] }));

test("the contract speaks the port's own sentences", () => {
  const port = readFileSync(new URL("../../src/ports/agent/seat.ts", import.meta.url), "utf8");
  const spoken = [...new Set(buildSeatContract(processRig).map((one) => one.promise))];
  expect([...port.matchAll(/^ \* (T\d .*)$/gm)].map((match) => match[1])).toEqual(spoken);
});

test("a notice to a living background turn is said to be gone, never sent", async () => {
  const rig = await processRig();
  await rig.seats.start(buildTurnSpec(rig, "sleep 300"));
  expect(await rig.seats.deliver("abc1", "codex", "Reply: yes")).toBe("gone");
  await rig.close();
});

test("a program that does not exist ends the turn and says so in its output", async () => {
  const rig = await processRig();
  const spec = buildTurnSpec(rig, "", { argv: ["no-such-agent", "--flag"] });
  const seated = await rig.seats.start(spec);
  await waitUntil("the turn ends", async () => !(await rig.seats.alive(seated)));
  expect(readTextOrEmpty(spec.output)).toContain("no-such-agent: not found");
  await rig.close();
});

test("a wrapper that becomes one program after another lives at every look", async () => {
  const rig = await processRig();
  const wrapper = join(rig.folder, "wrapper.sh");
  writeFileSync(wrapper, '#!/bin/sh\n[ "$1" -gt 0 ] && exec "$0" $(($1 - 1))\necho there\nexec sleep 300\n', {
    mode: 0o755,
  });
  const spec = buildTurnSpec(rig, "", { argv: [wrapper, "300"] });
  const seated = await rig.seats.start(spec);
  let looks = 0;
  for (; !readTextOrEmpty(spec.output).includes("there"); looks += 1) {
    expect(await rig.seats.alive(seated)).toBe(true);
    expect(await rig.seats.find(spec.work)).toMatchObject({ pid: seated.pid });
  }
  expect(looks).toBeGreaterThan(1);
  await rig.close();
});
