// Remotes, connection strings and commands hold passwords. They are in nobody's environment and have no known form; their
// place tells them. What an agent, a gate or git says with one in it is on the record without it.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { redact } from "../../src/core/redaction/redact.ts";
import { createScripted, forCriterion, fullPackage, rig, shortest } from "../acceptance/rig.ts";
import { inAddresses, innocentAddresses } from "../core/redaction-samples.ts";

describe("an address or a command", () => {
  it.each(inAddresses)("$clean", ({ text, clean }) => {
    expect(redact(text)).toBe(clean);
    expect(redact(redact(text))).toBe(clean);
    expect(redact(`a ${text}, b\n${text}\n`)).toBe(`a ${clean}, b\n${clean}\n`);
  });

  it.each(innocentAddresses)("stays as it is: %s", (text) => {
    expect(redact(text)).toBe(text);
  });

  it("takes no longer the longer a text without one is", () => {
    const started = performance.now();
    for (const text of [
      "://".repeat(60_000),
      "://a:".repeat(40_000),
      "https://a:b".repeat(20_000),
      "curl -u ".repeat(20_000),
    ])
      redact(text);
    expect(performance.now() - started).toBeLessThan(3000);
  });
});

describe("in a whole bubble", () => {
  const tool = rig();
  afterAll(() => tool.close());
  const password = "correct-horse";
  const remote = `https://bob:${password}@git.example.com/shop.git`;

  it("what the task, an agent and a gate say is on the record without the password", async () => {
    const [first, second] = shortest.implementer;
    const write = first?.steps[0];
    const said = { summary: `pushed to ${remote}`, ...fullPackage, risks: `it reads ${remote}` };
    const turns = {
      ...shortest,
      implementer: [{ role: "implementer", steps: [write, { pass: said }] }, second],
    };
    tool.write("gate.sh", `echo "fatal: unable to access '${remote}'"\ngrep -q total src/cart.txt\n`);
    tool.git("add", "-A");
    tool.git("commit", "-q", "-m", "a gate");
    tool.git("remote", "add", "origin", remote);
    await createScripted(
      tool,
      "b1",
      forCriterion(turns),
      "--test",
      "sh gate.sh",
      "--criterion",
      `reads ${remote}`,
    );
    await tool.ok("bubble", "start", "--id", "b1", "--headless");
    expect((await tool.status("b1")).state).toBe("READY_FOR_APPROVAL");
    const folder = join(tool.repo, ".pairflow", "bubbles", "b1");
    for (const file of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (!file.isFile()) continue;
      const text = readFileSync(join(file.parentPath, file.name), "utf8");
      expect(text.includes(password), file.name).toBe(false);
    }
    expect(readFileSync(tool.transcript("b1"), "utf8")).toContain(
      "https://bob:[redacted:url-password]@git.example.com",
    );
  });

  it("a command with one is refused, since it is run as it is", async () => {
    const ran = await tool.run(
      "bubble",
      "create",
      "--id",
      "b2",
      "--task",
      "x",
      "--test",
      `git ls-remote ${remote}`,
    );
    expect(ran.stderr).toMatch(/config\.secret/);
    expect(ran.stderr).not.toContain(password);
  });
});
