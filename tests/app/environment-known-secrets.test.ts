// What one process knows to be secret, another one keeps off the record too, without ever learning it.
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createRedactionOfRepo } from "../../src/app/secrets/redaction.ts";
import { some } from "../core/redaction-samples.ts";

const key = `a"b-${some(20)}`;
const turn = { PAIRFLOW_TURN: `fix:t1.1:${some(43)}` };
let repo: string;
const folder = () => join(repo, ".pairflow", "runtime", "secrets");
const files = () => readdirSync(folder()).map((name) => join(folder(), name));
const said = `the key is ${key}, in JSON ${JSON.stringify(key)}`;

beforeEach(() => {
  repo = mkdtempSync(join(tmpdir(), "pf-known-"));
});
afterEach(() => rmSync(repo, { recursive: true, force: true }));

describe("an operator's command", () => {
  it("leaves fingerprints by which an agent's command recognises what it was never given", () => {
    createRedactionOfRepo(repo, { DEPLOY_KEY: key }).redact("anything");
    expect(createRedactionOfRepo(repo, turn).redact(said)).toBe(
      'the key is [redacted:env], in JSON "[redacted:env]"',
    );
  });

  it("leaves no value, and nothing that others can read", () => {
    createRedactionOfRepo(repo, { DEPLOY_KEY: key }).redact("anything");
    expect(files()).toHaveLength(1);
    for (const file of files()) {
      expect(readFileSync(file, "utf8")).not.toContain(some(20));
      expect(statSync(file).mode & 0o077).toBe(0);
    }
  });

  it("leaves nothing before it writes a text, and the same file every time", () => {
    const secrets = createRedactionOfRepo(repo, { DEPLOY_KEY: key });
    expect(() => files()).toThrow("ENOENT");
    secrets.redact("anything");
    createRedactionOfRepo(repo, { DEPLOY_KEY: key }).redact("anything");
    createRedactionOfRepo(repo, { DEPLOY_KEY: `${key}2` }).redact("anything");
    expect(files()).toHaveLength(2);
  });

  it("takes away what nobody has needed for a month", () => {
    createRedactionOfRepo(repo, { DEPLOY_KEY: key }).redact("anything");
    for (const file of files()) utimesSync(file, 1_000_000, 1_000_000);
    createRedactionOfRepo(repo, { DEPLOY_KEY: `${key}2` }).redact("anything");
    expect(files()).toHaveLength(1);
    expect(createRedactionOfRepo(repo, turn).redact(said)).toContain(key);
  });
});

describe("an agent's command", () => {
  it("knows its own keys and leaves nothing", () => {
    expect(createRedactionOfRepo(repo, { ...turn, DEPLOY_KEY: key }).redact(said)).not.toContain(key);
    expect(() => files()).toThrow("ENOENT");
  });

  it("continues where a file of fingerprints is none", () => {
    createRedactionOfRepo(repo, { DEPLOY_KEY: key }).redact("anything");
    for (const [i, text] of ["", "{}", "[null, 3]", "not JSON"].entries())
      writeFileSync(join(folder(), `${i}.json`), text);
    expect(createRedactionOfRepo(repo, turn).redact(said)).not.toContain(key);
  });
});
