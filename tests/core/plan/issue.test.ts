// An issue as a task.
import { expect, it } from "vitest";
import { buildIssueTask, parseIssueText } from "../../../src/core/plan/issue.ts";

it("the title is the heading, the body follows", () => {
  expect(buildIssueTask({ title: " Totals are wrong ", body: "See\r\n- [ ] 1080\r\n" })).toBe(
    "# Totals are wrong\n\nSee\n- [ ] 1080\n",
  );
  expect(buildIssueTask({ title: "Totals", body: "" })).toBe("# Totals\n");
});

it("what gh prints into a pipe loses its fields, other texts stay as they are", () => {
  const printed = "title:\tTotals are wrong\nstate:\tOPEN\nnumber:\t12\n--\nSee the cart\n";
  expect(parseIssueText(printed)).toBe("# Totals are wrong\n\nSee the cart\n");
  expect(parseIssueText("Totals\n\ntitle:\tno\n")).toBe("Totals\n\ntitle:\tno\n");
});
