// How the bubbles a bubble makes are called, who works in them, and what they are told.
import { describe, expect, it } from "vitest";
import { nodeHash } from "../../src/adapters/clock/node.ts";
import { addUsualRoles } from "../../src/app/making/agents.ts";
import { addPayload } from "../../src/app/making/handed-on.ts";
import { generateSiblingIds } from "../../src/app/making/names.ts";
import { BubbleId } from "../../src/core/model/config.ts";
import { describeSchemaProblem } from "../../src/core/model/value/validate.ts";

const first = (name: string, count: number) => [...generateSiblingIds(name, nodeHash)].slice(0, count);

describe("the ids of siblings", () => {
  it("are parent and key, numbered when the name is taken", () => {
    expect(first("all-cart", 3)).toEqual(["all-cart", "all-cart-2", "all-cart-3"]);
  });

  it("are ids whatever the key is", () => {
    expect(first("all-design/$first part", 1)).toEqual(["all-design-first-part"]);
    for (const id of first(`all-${"long/".repeat(30)}`, 99))
      expect(describeSchemaProblem(BubbleId, id)).toBeUndefined();
  });

  it("differ although they are cut", () => {
    const long = `${"p".repeat(40)}-${"k".repeat(40)}`;
    const ids = [...first(long, 9), ...first(`${long}x`, 9)];
    expect(new Set(ids).size).toBe(18);
    expect(ids.every((id) => id.length === 63)).toBe(true);
  });
});

describe("the usual roles", () => {
  it("go by other names to the agent of their side, and what the settings say counts first", () => {
    expect(addUsualRoles({ implementer: "codex", reviewer: "claude", author: "ann" })).toEqual({
      implementer: "codex",
      developer: "codex",
      coder: "codex",
      driver: "codex",
      author: "ann",
      reviewer: "claude",
      challenger: "claude",
      critic: "claude",
    });
    expect(addUsualRoles({ developer: "codex", judge: "j" })).toMatchObject({
      implementer: "codex",
      judge: "j",
    });
    expect(addUsualRoles({ judge: "j" })).toEqual({ judge: "j" });
    expect(addUsualRoles({ implementer: "codex" }, { developer: {} })).not.toHaveProperty("developer");
  });
});

describe("a payload in a task", () => {
  it("is told in words under the task it belongs to", () => {
    const payload = {
      feedback: "Too big\nto review",
      open_findings: ["F1", { id: "F2" }],
      split: { by: "area" },
      left: 3,
      none: "",
    };
    expect(addPayload("# Cart\n\nMend it.\n", payload)).toBe(
      `# Cart

Mend it.

## Started with

### Feedback

Too big
to review

### Open findings

- F1
- {"id":"F2"}

### Split

- by: area

### Left

3

`,
    );
    expect(addPayload("# Cart\n", {})).toBe("# Cart\n");
  });
});
