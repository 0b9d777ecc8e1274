// What the referee sees in the tree after a turn: scope, git's own objections, a critic's hands, no progress.
import { describe, expect, it } from "vitest";
import { findScopeViolations } from "../../../src/core/permission/scope.ts";
import { operator, wholePackage } from "../../../src/testing/scenario-actors.ts";
import { p1, pair, underReview } from "../pair.ts";

const scope = { in: ["src/**", "tests/**"], out: ["src/legacy/**"], do_not_touch: ["src/secrets.ts"] };
const passed = (config = {}) => pair({ config }).started().implementerPasses();
const file = (path: string, more = {}) => ({
  path,
  status: "modified" as const,
  added: 1,
  removed: 0,
  ...more,
});

describe("a producer's handoff", () => {
  it("is pinned with changed files from git, not from the agent's words", () => {
    passed()
      .handsOver("T1", { files: [file("src/a.ts"), file("src/b.ts", { added: null, removed: null })] })
      .has({
        tree: {
          id: "T1",
          commit: "commit-of-T1",
          by: "alice",
          filesTotal: 2,
          added: 1,
          removed: 0,
          files: [{ path: "src/a.ts" }, { path: "src/b.ts", added: null }],
        },
      });
  });

  it("is reported once", () => {
    const scene = passed();
    const command = scene.handoff("T1");
    scene.does(command).tries(command).refuses("driver.not-due");
  });

  it("without any change is refused, unless the producer says why none is needed", () => {
    const empty = passed().handsOver("T0", { files: [] });
    empty.has({
      position: { step: "implement", outcome: "refused", refusals: 1, why: /nothing was changed/ },
      round: 1,
      turn: { id: "t2", role: "implementer" },
    });
    const reasoned = pair()
      .started()
      .implementerPasses({ noChange: "the bug is in the caller", package: wholePackage })
      .handsOver("T0", { files: [] });
    reasoned.has({ tree: { id: "T0" }, position: { step: "gates", why: /alice says no change is needed/ } });
  });

  it("that is refused loses no part of its package: the next one need not say it again", () => {
    const { what, ...others } = wholePackage;
    const refused = pair({ config: { scope } })
      .started()
      .implementerPasses({ package: { what: "an old word", ...others } })
      .handsOver("T1", { files: [file("src/legacy/a.ts")] });
    refused.has({ position: { outcome: "refused" }, refusedPackage: { parts: others } });
    expect(refused.state.package).toBeUndefined();
    const again = refused
      .implementerPasses({ package: { what } })
      .handsOver("T2", { files: [file("src/a.ts")] });
    expect(again.state.package).toEqual(wholePackage);
    expect(again.state.refusedPackage).toBeUndefined();
  });

  it("that did change is not called unchanged", () => {
    const changed = pair().started().implementerPasses({ noChange: "nothing" }).handsOver("T1");
    changed.has({ position: { why: /alice handed over/ } });
  });

  it("is refused for what git objects to", () => {
    passed()
      .handsOver("T1", { problems: ["a merge is under way"] })
      .has({ position: { outcome: "refused", why: /a merge is under way/ } });
  });

  it("keeps the first files and all totals when there are very many", () => {
    const files = Array.from({ length: 3000 }, (_, i) =>
      file(`src/a/rather/long/path/of/a/generated/file-number-${i}.ts`),
    );
    const large = passed().handsOver("T1", { files });
    large.has({ tree: { filesTotal: 3000, added: 3000 } });
    expect(new TextEncoder().encode(JSON.stringify(large.last("HANDOFF"))).length).toBeLessThan(60_000);
  });
});

describe("the scope", () => {
  it.each([
    ["outside scope.in", "docs/readme.md", /docs\/readme\.md is not in scope/],
    ["in scope.out", "src/legacy/old.ts", /is out of scope/],
    ["named in do_not_touch", "src/secrets.ts", /must not be touched/],
  ])("refuses the handoff of a file %s", (_where, path, why) => {
    passed({ scope })
      .handsOver("T1", { files: [file("src/ok.ts"), file(path)] })
      .has({ position: { outcome: "refused", why }, turn: { why } });
  });

  it("looks at both names of a renamed file", () => {
    passed({ scope })
      .handsOver("T1", { files: [file("src/renamed.ts", { status: "renamed", from: "src/secrets.ts" })] })
      .has({ position: { outcome: "refused", why: /src\/secrets\.ts must not be touched/ } });
  });

  it("takes dot files like others", () => {
    expect(findScopeViolations([".env"], { in: [], out: [], do_not_touch: ["**/.env*"] }, [])).toHaveLength(
      1,
    );
    expect(findScopeViolations(["anything"], { in: [], out: [], do_not_touch: [] }, [])).toEqual([]);
  });

  it("is overridden only by a human with a reason, for named paths, on the record", () => {
    const override = { type: "override-scope", actor: operator, paths: ["docs/**"], reason: "" } as const;
    passed({ scope }).tries(override).refuses("scope.no-reason");
    passed({ scope })
      .does({ ...override, reason: "the manual belongs to it" })
      .handsOver("T1", { files: [file("docs/readme.md")] })
      .has({ tree: { id: "T1" }, scopeOverrides: ["docs/**"] });
  });

  it("refused three times in a row is a human's business", () => {
    const outside = { files: [file("docs/readme.md")] };
    const twice = passed({ scope }).handsOver("T1", outside).implementerPasses().handsOver("T1", outside);
    twice.has({ lifecycle: "RUNNING", position: { refusals: 2 } });
    const thrice = twice.implementerPasses().handsOver("T1", outside);
    thrice.has({
      lifecycle: "WAITING_HUMAN",
      questions: [{ kind: "refused", text: /alice \(implementer\) was refused 3 times/ }],
    });
    const retried = thrice
      .replies({ message: "leave the docs alone" })
      .has({ lifecycle: "RUNNING", deliveries: [{ turn: "t4", text: "leave the docs alone" }] });
    retried.implements("T1").has({ turn: { role: "reviewer" }, position: { refusals: 0 } });
  });
});

describe("a critic that changed the tree", () => {
  const changed = (options = {}) =>
    underReview()
      .reviewerPasses()
      .handsOver("T9", { files: [file("src/cart.ts")], put_back: "round-001.put-back.patch", ...options });

  it("is refused: its review does not count, and it goes again", () => {
    changed().has({
      reviews: [],
      tree: { id: "T1" },
      position: {
        step: "review",
        outcome: "refused",
        why: /files changed during the turn of bob \(reviewer\): src\/cart\.ts/,
      },
      turn: { role: "reviewer", status: "due" },
    });
  });

  it("keeps what was undone as a patch", () => {
    expect(changed().last("HANDOFF").refs).toEqual(["artifact://round-001.put-back.patch"]);
  });

  it("may have left new files behind: they were put back and the review stands", () => {
    const left = changed({ files: [file("notes.txt", { status: "added" })] });
    left.has({ reviews: [{ agent: "bob", tree: "T1", clean: true }], position: { outcome: "swap" } });
  });

  it("three times is a human's business", () => {
    const again = { files: [file("src/cart.ts")] };
    const thrice = changed().reviewerPasses().handsOver("T9", again).reviewerPasses().handsOver("T9", again);
    thrice.has({ lifecycle: "WAITING_HUMAN", questions: [{ kind: "refused", text: /bob \(reviewer\)/ }] });
  });
});

describe("no progress", () => {
  const stillOpen = { answers: [{ id: "F1", status: "open" as const }] };
  const round = (scene: ReturnType<typeof pair>, tree: string) => scene.implements(tree).reviews(stillOpen);
  const first = () => underReview().reviews({ findings: [p1] });

  it("once is not stuck yet", () => {
    round(first(), "T1").has({ progress: { repeats: 1 }, position: { step: "implement" } });
  });

  it("twice, with the same open findings on the same tree, is a human's business", () => {
    round(round(first(), "T1"), "T1").has({
      lifecycle: "WAITING_HUMAN",
      questions: [
        {
          kind: "stuck",
          text: /same findings stayed open on the same tree twice: F1/,
          options: [{ key: "accept" }, { key: "continue" }, { key: "reject" }],
        },
      ],
    });
  });

  it("is not excused by a question of the agent in between", () => {
    const asked = round(first(), "T1").asks("Really?").replies({ message: "yes" });
    round(asked, "T1").has({ lifecycle: "WAITING_HUMAN", questions: [{ kind: "stuck" }] });
  });

  it("is forgotten when the tree moves on", () => {
    round(round(round(first(), "T1"), "T2"), "T2").has({ progress: { repeats: 1 }, lifecycle: "RUNNING" });
  });

  it("is no question of clean reviews: an empty open set makes no progress and needs none", () => {
    underReview()
      .reviews()
      .reviews({ findings: [p1] })
      .has({ progress: { repeats: 0 } });
  });

  it.each([
    ["accept", "good enough", { position: { step: "approval" }, findings: [{ status: "waived" }] }],
    [
      "continue",
      "look at line 41",
      { position: { step: "implement" }, round: 4, notes: ["look at line 41"] },
    ],
    ["reject", "give up", { lifecycle: "CANCELLED" }],
  ] as const)("ends as the human says: %s", (choice, message, state) => {
    round(round(first(), "T1"), "T1")
      .replies({ choice, message })
      .has(state as never);
  });
});
