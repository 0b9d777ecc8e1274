// The test profile: a human's word wins over settings, settings win over detection, and nothing is confirmed by itself.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { resolveProfileOrThrow } from "../../src/app/config/detect.ts";
import { loadPresets } from "../../src/app/config/presets.ts";
import { Profile } from "../../src/core/model/gate.ts";
import { check } from "../../src/core/model/value/validate.ts";
import { thrownBy } from "./thrown.ts";

const gate = (name: string, command: string, required = true) => ({
  name,
  command,
  required,
  timeout_seconds: 600,
});
const detected = {
  presets: ["typescript"],
  gates: [gate("lint", "npm run lint", false), gate("test", "npm run test")],
};
const short = (profile: Profile) => profile.gates.map((found) => `${found.name}: ${found.command}`);

describe("the test profile", () => {
  it("proposes what was detected, unconfirmed", () => {
    expect(resolveProfileOrThrow({ detected })).toEqual({
      gates: detected.gates,
      source: "detected (typescript)",
      confirmed: false,
    });
  });

  it("takes [commands] as required gates, in the place of detected ones of the same name", () => {
    const profile = resolveProfileOrThrow({ detected, commands: { lint: "make lint", e2e: "make e2e" } });
    expect(short(profile)).toEqual(["lint: make lint", "test: npm run test", "e2e: make e2e"]);
    expect(profile.gates.every((found) => found.required)).toBe(true);
    expect(profile).toMatchObject({ source: "detected (typescript) and [commands]", confirmed: false });
  });

  it("takes --test instead of what was detected, and as confirmed", () => {
    const profile = resolveProfileOrThrow({ detected, tests: ["make check", "make e2e", "make more"] });
    expect(short(profile)).toEqual(["test: make check", "test-2: make e2e", "test-3: make more"]);
    expect(profile).toMatchObject({ source: "given by flag", confirmed: true });
  });

  it("takes --gate beside what was detected, in the place of one of its name", () => {
    const profile = resolveProfileOrThrow({ detected, gates: { lint: "make lint", typecheck: "npx tsc" } });
    expect(short(profile)).toEqual(["lint: make lint", "test: npm run test", "typecheck: npx tsc"]);
    expect(profile.gates.every((found) => found.required)).toBe(true);
    expect(profile).toMatchObject({ source: "detected (typescript) and given by flag", confirmed: false });
  });

  it("keeps [commands] beside --test, the flag winning over one of its name", () => {
    const profile = resolveProfileOrThrow({ commands: { test: "old", types: "tsc" }, tests: ["new"] });
    expect(short(profile)).toEqual(["test: new", "types: tsc"]);
  });

  it("takes the word that there are no tests, with its reason", () => {
    expect(resolveProfileOrThrow({ detected, noTests: " a text only " })).toEqual({
      gates: [],
      source: "not available",
      confirmed: true,
      not_available: "a text only",
    });
  });

  it("proposes what the project declares, and says where", () => {
    const declared = { ...detected, from: ".pairflow/config.yaml" };
    expect(resolveProfileOrThrow({ detected: declared })).toEqual({
      gates: detected.gates,
      source: ".pairflow/config.yaml: typescript",
      confirmed: false,
    });
    expect(
      resolveProfileOrThrow({ detected: { ...declared, presets: [] }, commands: { e2e: "x" } }).source,
    ).toBe(".pairflow/config.yaml and [commands]");
    expect(short(resolveProfileOrThrow({ detected: declared, tests: ["make check"] }))).toEqual([
      "test: make check",
    ]);
  });

  it("is empty and unconfirmed when nobody said and nothing showed", () => {
    const nothing = { gates: [], source: "nothing found", confirmed: false };
    expect(resolveProfileOrThrow({})).toEqual(nothing);
    expect(resolveProfileOrThrow({ detected: { presets: [], gates: [] }, commands: {}, tests: [] })).toEqual(
      nothing,
    );
  });

  it.each([
    [{ noTests: " " }, "gates.no-reason"],
    [{ noTests: "none", tests: ["x"] }, "gates.contradiction"],
    [{ noTests: "none", commands: { test: "x" } }, "gates.contradiction"],
    [{ noTests: "none", detected: { ...detected, from: "config.yaml" } }, "gates.contradiction"],
    [{ tests: [" "] }, "gates.bad-command"],
    [{ tests: ["x".repeat(4001)] }, "gates.bad-command"],
    [{ commands: { "a b": "x" } }, "gates.bad-command"],
  ])("refuses %j", (parts, code) => {
    expect(thrownBy(() => resolveProfileOrThrow(parts)).code).toBe(code);
  });

  it("always fits the record", () => {
    for (const profile of [
      resolveProfileOrThrow({ detected }),
      resolveProfileOrThrow({ tests: ["a", "b"] }),
      resolveProfileOrThrow({ noTests: "x" }),
    ]) {
      expect(check(Profile, profile).ok).toBe(true);
    }
  });
});

describe("a preset file", () => {
  const root = mkdtempSync(join(tmpdir(), "pairflow-presets-"));
  mkdirSync(join(root, "presets"));
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  it.each([
    [
      "name: x\nfiles: [a]\ngates:\n  - name: t\n    command: make\n    requird: true\n",
      /x\.yaml:\d+:\d+: gates\[0\]\.(requird is not a key|required is missing)/,
    ],
    [
      "name: X\nfiles: [a]\ngates: [{ name: t, command: m, required: true }]\n",
      /x\.yaml:1:7: name must be a short word/,
    ],
    ["name: x\nname: y\n", /x\.yaml:2:1: this key is there twice/],
    ["name: x\nfiles: a\ngates: []\n", /x\.yaml:2:8: files must be a list, not "a"/],
  ])("is refused at its line: %j", (text, message) => {
    writeFileSync(join(root, "presets", "x.yaml"), text);
    const error = thrownBy(() => loadPresets(root));
    expect(error.code).toBe("gates.bad-preset");
    expect(error.message).toMatch(message);
  });
});
