// [commands] of bubble.toml is the list of gates in another form: nothing is lost on the way there and back.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  buildCommandsFromGates,
  buildGatesFromCommands,
  listConfiguredGates,
  listProfileCommands,
} from "../../../src/core/gates/detect/commands.ts";
import { CommandGate } from "../../../src/core/model/config.ts";
import { Gate } from "../../../src/core/model/gate.ts";
import { check } from "../../../src/core/model/value/validate.ts";

const text = fc.string({ minLength: 1, maxLength: 20 });
const gates = fc.uniqueArray(
  fc.record(
    {
      name: fc.stringMatching(/^[a-z][a-z:_-]{0,12}$/),
      command: fc.stringMatching(/^[a-z]( ?[a-z-])*$/),
      required: fc.boolean(),
      timeout_seconds: fc.constantFrom(600, 30, 86_400),
      threshold: fc.integer({ min: 0, max: 100 }),
      report: fc.constant("coverage/report.json"),
      trigger: fc.array(text, { minLength: 1, maxLength: 2 }),
      working_dir: fc.constant("web"),
      parallel: fc.boolean(),
      isolated: fc.boolean(),
      install: text,
      success_pattern: text,
      failure_pattern: text,
      allow_empty: fc.boolean(),
      network: fc.constantFrom("on" as const, "off" as const),
    },
    { requiredKeys: ["name", "command", "required", "timeout_seconds"] },
  ),
  { selector: ({ name }) => name, maxLength: 4 },
);

describe("gates as settings", () => {
  it("read back as the same gates, every key of a gate among them", () => {
    fc.assert(
      fc.property(gates, (list) => {
        expect(buildGatesFromCommands(buildCommandsFromGates(list))).toEqual(list);
      }),
    );
    const written = Object.keys(CommandGate.entries).map((key) =>
      key === "timeout" ? "timeout_seconds" : key,
    );
    expect(["name", ...written].toSorted()).toEqual(Object.keys(Gate.entries).toSorted());
  });

  it("are written in the order in which they are read, so that an unchanged file is no change", () => {
    fc.assert(
      fc.property(gates, (list) => {
        for (const said of Object.values(buildCommandsFromGates(list))) {
          if (typeof said === "string") continue;
          const read = check(CommandGate, said);
          expect(read.ok && JSON.stringify(read.value)).toBe(JSON.stringify(said));
        }
      }),
    );
  });

  it("leave the checks of a document to Pairflow", () => {
    const config = { document: "docs/cart.md", commands: {} };
    const all = [
      ...listConfiguredGates(config),
      { name: "spell", command: "spell", required: true, timeout_seconds: 600 },
    ];
    const commands = listProfileCommands(config, all);
    expect(commands).toEqual({ spell: "spell" });
    expect(listConfiguredGates({ ...config, commands })).toEqual(all);
  });
});
