// Every log adapter against the one contract, and the contract against the port it speaks for.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { logContract } from "../../src/testing/log/contract.ts";
import { createMemoryLog } from "../memory/log.ts";
import { fileLogRig } from "./rigs.ts";
import { runContract } from "./run-contract.ts";

const inMemory = logContract(
  async () => {
    const log = createMemoryLog();
    return { log, again: () => log, close: async () => {} };
  },
  {
    exceptions: [
      { promise: "L3", because: "memory ends with its process" },
      {
        promise: "L1",
        scenario: "a batch whose end is torn off counts for nothing",
        because: "memory has no torn lines",
      },
      {
        promise: "L4",
        scenario: "the first answer was lost",
        because: "a call in one process always answers",
      },
      {
        promise: "L5",
        scenario: "a torn line is set aside, and the next line takes its place",
        because: "memory has no torn lines",
      },
      {
        promise: "L5",
        scenario: "a line torn at its newline counts once the next writer comes",
        because: "memory has no torn lines",
      },
      {
        promise: "L5",
        scenario: "a head that the log no longer holds is lost, not guessed",
        because: "nobody restores an old copy of memory",
      },
      { promise: "L7", scenario: "a line is gone from the middle", because: "nobody edits memory" },
      {
        promise: "L7",
        scenario: "a line is of a type that nobody knows yet",
        because: "nobody edits memory",
      },
    ],
  },
);
const inFiles = logContract(fileLogRig);

test("the contract speaks the port's own sentences", () => {
  const port = readFileSync(new URL("../../src/ports/record/log.ts", import.meta.url), "utf8");
  const spoken = new Set(inFiles.map((one) => one.promise));
  expect([...port.matchAll(/^ \* (L\d .*)$/gm)].map((match) => match[1])).toEqual([...spoken]);
});

runContract("the file log", inFiles);
runContract("the memory log", inMemory);
