// The approval: what a person sees before signing, what the signature is over, and what sending back does to it.
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { forCriterion, fullPackage, oneLoop, type Rig, rig, shortest } from "../acceptance/rig.ts";
import { goOn, grant, openTerminal, readArtifact, runHeadless, type Terminal } from "../helpers/operator.ts";

let tool: Rig;
let desk: Terminal | undefined;
beforeAll(() => {
  tool = rig();
});
afterEach(() => {
  desk?.close();
  desk = undefined;
});
afterAll(() => tool.close());

const sit = (...args: string[]) => {
  desk = openTerminal(tool, ["bubble", ...args]);
  return desk;
};
const decisions = (id: string) =>
  tool.log(id).flatMap((envelope) => (envelope.type === "APPROVAL_DECISION" ? [envelope.payload] : []));

describe("at a terminal", () => {
  it("shows the six parts, the diff on d, and signs on a, recorded as the terminal's", async () => {
    await runHeadless(tool, "look", forCriterion(oneLoop), "--criterion", "the total is two");
    const { approval, seq } = await tool.status("look");
    const person = sit("approve", "--id", "look");
    const screen = await person.sees("[a]pprove  [d]iff  [r]ework  [q]uit");
    const digest = approval?.digest.slice(0, 12).match(/.{4}/g)?.join(" ");
    expect(screen).toMatch(new RegExp(`^look asks for approval\\s+digest ${digest} · head ${seq}`));
    expect(screen).toMatch(/what\s+The total is right/);
    expect(screen).toMatch(/why\s+It was wrong/);
    expect(screen).toMatch(/risk\s+None known/);
    expect(screen).toMatch(/files\s+src\/cart\.txt \+1 −1/);
    expect(screen).toMatch(/gates\s+test ✓\s+on a clean checkout of exactly this tree/);
    expect(screen).toMatch(/reviews\s+claude clean \(round 2\) · codex clean \(round 3\) · 1 finding fixed/);
    expect(screen).toMatch(/wanted\s+C1 the total is two \(evidence by claude, codex\)/);
    expect(screen).toMatch(/try\s+Read src\/cart\.txt/);
    expect(screen).toMatch(/message\s+fix: the total is right/);
    person.types("");
    await person.sees(/Press one of the keys a, d, r, q\.\n.*\[q\]uit *\n*$/);
    person.types("d");
    await person.sees(/-total: 1\n\+total: 2\n[\s\S]*\[a\]pprove/);
    expect(decisions("look")).toEqual([]);
    person.types("a");
    const end = approval?.digest.slice(-4) ?? "";
    await person.sees(`…${end}: type its last four characters to sign:`);
    person.types(end);
    const signed = await person.ends();
    expect(signed.code).toBe(0);
    expect(signed.screen).toContain(`, digest ${approval?.digest.slice(0, 12)}, by terminal`);
    expect(signed.screen).toContain("Next: pairflow bubble commit --id look");
    expect(decisions("look")).toMatchObject([
      { decision: "approve", digest: approval?.digest, via: "terminal" },
    ]);
    const committed = await sit("commit", "--id", "look").ends();
    expect(committed.code).toBe(0);
    expect(tool.log("look").find((envelope) => envelope.type === "COMMITTED")).toMatchObject({
      payload: { via: "terminal" },
    });
  });

  it("q signs nothing; r asks what must change and sends it back", async () => {
    const again = {
      implementer: [
        ...shortest.implementer,
        {
          role: "reviewer",
          steps: [
            {
              pass: {
                summary: "ok",
                no_findings: true,
                checked: ["src/cart.txt:1 holds the total the task asks for"],
              },
            },
          ],
        },
      ],
      reviewer: [
        ...shortest.reviewer,
        {
          role: "implementer",
          steps: [{ write: { path: "src/cart.txt", text: "total: 2.0\n" } }, { pass: { summary: "cents" } }],
        },
        {
          role: "reviewer",
          steps: [
            { converge: { summary: "fine", checked: ["src/cart.txt:1 holds the total the task asks for"] } },
          ],
        },
      ],
    };
    await runHeadless(tool, "back", again);
    const leaving = sit("approve", "--id", "back");
    await leaving.sees("[q]uit");
    leaving.types("q");
    expect(await leaving.ends()).toMatchObject({
      code: 0,
      screen: expect.stringContaining("Nothing was signed"),
    });
    leaving.close();
    const person = sit("approve", "--id", "back");
    await person.sees("[r]ework");
    person.types("r");
    await person.sees("What must change?");
    person.types("show the cents");
    expect(await person.ends()).toMatchObject({
      code: 0,
      screen: expect.stringContaining("Sent back. back is RUNNING, round 3"),
    });
    expect(decisions("back")).toMatchObject([
      { decision: "revise", message: "show the cents", via: "terminal" },
    ]);
    const ready = await tool.until(
      "back",
      (status) => status.state === "READY_FOR_APPROVAL",
      "the rework is done",
    );
    expect(ready.approval?.decision).toBeNull();
  });

  it("what an agent wrote cannot move the cursor of the person who looks at the diff", async () => {
    const text = "total: 2\u001b[2J\u001b[H fake screen \u202e\n";
    const steps = [{ write: { path: "src/cart.txt", text } }, { pass: { summary: "x", ...fullPackage } }];
    await runHeadless(tool, "escape", {
      ...shortest,
      implementer: [{ role: "implementer", steps }, shortest.implementer[1]],
    });
    const person = sit("approve", "--id", "escape");
    await person.sees("[q]uit");
    person.types("d");
    const screen = await person.sees(/fake screen/);
    expect(screen).toContain("escape asks for approval");
    expect(screen).toContain("+total: 2␛[2J␛[H fake screen");
  });
});

describe("the digest", () => {
  it("names what is signed: a wrong or short one is refused, the right one signs", async () => {
    await runHeadless(tool, "digest", shortest);
    const { approval } = await tool.status("digest");
    const right = approval?.digest ?? "";
    const wrong = await grant(
      tool,
      "bubble",
      "approve",
      "--id",
      "digest",
      "--digest",
      `${right[0] === "0" ? "1" : "0"}${right.slice(1)}`,
    );
    expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining("approve.digest") });
    expect(wrong.stderr).toContain(`has digest ${right.slice(0, 12)}`);
    const short = await grant(tool, "bubble", "approve", "--id", "digest", "--digest", right.slice(0, 7));
    expect(short).toMatchObject({ code: 1, stderr: expect.stringContaining("approve.short-digest") });
    expect(decisions("digest")).toEqual([]);
    const done = await grant(
      tool,
      "bubble",
      "approve",
      "--id",
      "digest",
      "--digest",
      right.slice(0, 8),
      "--message",
      "seen",
      "--json",
    );
    expect(JSON.parse(done.stdout)).toMatchObject({ bubble: "digest", digest: right, via: "operator-key" });
    expect(decisions("digest")).toMatchObject([
      { decision: "approve", message: "seen", via: "operator-key" },
    ]);
    const twice = await grant(tool, "bubble", "approve", "--id", "digest", "--yes");
    expect(twice).toMatchObject({ code: 1, stderr: expect.stringContaining("approve.already") });
    expect(twice.stderr).toContain("pairflow bubble commit --id digest");
  });
});

describe.concurrent("sent back", () => {
  const reworked = (text: string) => ({
    implementer: [
      ...shortest.implementer,
      {
        role: "reviewer",
        steps: [
          {
            pass: {
              summary: "ok",
              no_findings: true,
              checked: ["src/cart.txt:1 holds the total the task asks for"],
            },
          },
        ],
      },
    ],
    reviewer: [
      ...shortest.reviewer,
      {
        role: "implementer",
        steps: [{ write: { path: "src/cart.txt", text } }, { pass: { summary: "reworked" } }],
      },
      {
        role: "reviewer",
        steps: [
          { converge: { summary: "fine", checked: ["src/cart.txt:1 holds the total the task asks for"] } },
        ],
      },
    ],
  });

  it.each([
    ["revise", [] as string[]],
    ["reject", ["--reject"]],
  ])(
    "%s goes back to the implementer with the words, and a new approval is needed",
    async (decision, more) => {
      const id = `to-${decision}`;
      const first = await runHeadless(tool, id, reworked("total: 2, net\n"));
      const args = ["bubble", "request-rework", "--id", id, "--message", "Also say net or gross", ...more];
      const said = await tool.run(...args, "--json");
      expect(JSON.parse(said.stdout)).toEqual({ bubble: id, state: "RUNNING", round: 3 });
      const second = await tool.until(id, (status) => status.state === "READY_FOR_APPROVAL", "ready again");
      expect(decisions(id)).toMatchObject([{ decision, message: "Also say net or gross" }]);
      const prompt = readArtifact(tool, id, "prompts/t4.1-claude.md");
      expect(prompt).toContain("claude is the implementer");
      expect(prompt).toMatch(/## From the human\n\n- Also say net or gross/);
      expect(second.approval?.digest).not.toBe(first.approval?.digest);
      const early = await grant(tool, "bubble", "commit", "--id", id);
      expect(early).toMatchObject({ code: 1, stderr: expect.stringContaining("commit.not-approved") });
      const stale = await grant(
        tool,
        "bubble",
        "approve",
        "--id",
        id,
        "--digest",
        first.approval?.digest ?? "",
      );
      expect(stale).toMatchObject({ code: 1, stderr: expect.stringContaining("approve.digest") });
      expect(await grant(tool, "bubble", "approve", "--id", id, "--yes")).toMatchObject({ code: 0 });
      expect(await grant(tool, "bubble", "commit", "--id", id)).toMatchObject({ code: 0 });
      expect(tool.git("show", `bubble/${id}:src/cart.txt`)).toBe("total: 2, net\n");
    },
  );

  it("an empty message is refused: the implementer must know what to do", async () => {
    await runHeadless(tool, "wordless", shortest);
    const refused = await tool.run("bubble", "request-rework", "--id", "wordless", "--message", " ");
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("rework.no-message") });
    expect(await tool.run("bubble", "request-rework", "--id", "wordless")).toMatchObject({ code: 2 });
    expect((await goOn(tool, "wordless", "bubble", "status", "--id", "wordless")).state).toBe(
      "READY_FOR_APPROVAL",
    );
  });
});
