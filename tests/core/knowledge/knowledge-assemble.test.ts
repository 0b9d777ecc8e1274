// What each side is told: which SOPs, in which order, within which budget, and what a blind producer does not learn.
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import {
  assembleKnowledge,
  type KnowledgeQuery,
  renderAssembled,
} from "../../../src/core/knowledge/assemble.ts";
import { parseConstitution } from "../../../src/core/knowledge/constitution.ts";
import type { Convention } from "../../../src/core/knowledge/conventions.ts";
import { createEmptyKnowledge, type Knowledge } from "../../../src/core/knowledge/knowledge.ts";
import type { Sop } from "../../../src/core/knowledge/sop.ts";
import { listWithheld } from "../../../src/core/knowledge/withheld.ts";

const sop = (slug: string, more: Partial<Sop> = {}): Sop => ({
  id: `source.doc.sops.${slug}`,
  file: `.pairflow/sops/${slug}.md`,
  title: slug,
  severity: "error",
  applies_to: [],
  requirements: [],
  body: `# ${slug}\n\nThe text of ${slug}.`,
  ...more,
});
const convention = (name: string, accepted_at: string, applies_to = ["*.ts"]): Convention => ({
  name,
  pattern: `do ${name}`,
  applies_to,
  accepted_by: "Ada",
  accepted_at,
  evidence: [],
});
const level = parseConstitution(
  ".pairflow/constitution.md",
  "## Purpose\nSell.\n## Rules\n- be kind\n## Standards\n- every branch tested\n",
);
const knowledge: Knowledge = {
  ...createEmptyKnowledge("c0ffee"),
  sops: [
    sop("errors", { applies_to: ["src/**"], requirements: ["wrap it", "name it"] }),
    sop("sql", { applies_to: ["*.sql"], severity: "warning" }),
    sop("all", { severity: "info" }),
  ],
  constitution: [level],
  conventions: [
    convention("newer", "2026-02-01"),
    convention("older", "2026-01-01"),
    convention("go", "2026-01-01", ["*.go"]),
  ],
  hidden: [".pairflow/sops/errors.md", ".pairflow/constitution.md"],
};
const hash = (text: string) => createHash("sha256").update(text).digest("hex");
const asked: KnowledgeQuery = {
  files: ["src/cart.ts"],
  side: "critic",
  blind: true,
  task: "Fix it",
  priorDecisions: ["F1 waived: known", "keep the old route"],
  budget: 200_000,
  hash,
};
const told = (more: Partial<KnowledgeQuery> = {}, of = knowledge) =>
  assembleKnowledge(of, { ...asked, ...more });
const text = (more: Partial<KnowledgeQuery> = {}, of = knowledge) => renderAssembled(told(more, of));
const titles = (more: Partial<KnowledgeQuery> = {}) => told(more).sections.map(({ title }) => title);

describe("a critic", () => {
  it("is told the constitution with Standards, SOPs, decisions, conventions, in this order", () => {
    expect(titles()).toEqual([
      "Constitution",
      "SOPs you must answer for",
      "Decided by a human before",
      "Conventions of this project",
    ]);
    expect(text()).toContain("every branch tested");
  });

  it("gets each SOP with id, severity, patterns, checkpoints and text, its headings below ours", () => {
    expect(text()).toContain(
      "### source.doc.sops.errors (error): errors\n\nApplies to: src/**\n\nKey checkpoints:\n\n- wrap it\n- name it\n\n#### errors\n\nThe text of errors.",
    );
  });

  it("only of those that apply to a changed file; without patterns they apply to every file", () => {
    expect(told().context.sops).toEqual([
      { id: "source.doc.sops.errors", severity: "error" },
      { id: "source.doc.sops.all", severity: "info" },
    ]);
    expect(told({ files: ["db/a.sql"] }).context.sops.map(({ id }) => id)).toEqual([
      "source.doc.sops.sql",
      "source.doc.sops.all",
    ]);
    expect(told({ files: [] }).context.sops).toEqual([]);
  });

  it("only of conventions whose patterns match, oldest consent first", () => {
    expect(text().match(/\*\*(\w+)\*\*/g)).toEqual(["**older**", "**newer**"]);
  });

  it("where nothing is written down, is told nothing", () => {
    const nothing = told({ priorDecisions: [] }, createEmptyKnowledge("c0ffee"));
    expect(nothing.sections).toEqual([]);
    expect(nothing.context).toEqual({ sops: [], digest: hash("") });
  });
});

describe("a producer", () => {
  const leaks = ["every branch tested", "The text of", "wrap it", "sops", "older", "keep the old route"];

  it("that is blind learns Purpose and Rules, and nothing that reviewers judge by", () => {
    const words = text({ side: "producer" });
    expect(titles({ side: "producer" })).toEqual(["Constitution"]);
    expect(words).toContain("be kind");
    expect(leaks.filter((leak) => words.includes(leak))).toEqual([]);
  });

  it("does not learn the Standards of the task either", () => {
    const task = "Fix it\n\n## Standards\n- measure twice\n";
    expect(text({ side: "producer", task })).not.toContain("measure twice");
    expect(text({ task })).toContain("measure twice");
  });

  it("that is not blind is told everything, marked as what reviewers check", () => {
    const words = text({ side: "producer", blind: false });
    expect(titles({ side: "producer", blind: false })).toEqual([
      "Constitution",
      "SOPs that reviewers check",
      "Decided by a human before",
      "Conventions that reviewers know",
    ]);
    expect(leaks.filter((leak) => !words.includes(leak))).toEqual([]);
  });
});

describe("the budget", () => {
  const sops = told().sections.find(({ title }) => title.startsWith("SOPs"))?.body.length ?? 0;

  it("exactly enough for the SOPs is enough, and everything lower is left out by name", () => {
    const { sections, notes, problem } = told({ budget: sops });
    expect(problem).toBeUndefined();
    expect(sections.map(({ title }) => title)).toEqual(["Constitution", "SOPs you must answer for"]);
    expect(notes).toEqual([
      'left out for lack of room: the decision "F1 waived: known"',
      'left out for lack of room: the decision "keep the old route"',
      'left out for lack of room: the convention "older"',
      'left out for lack of room: the convention "newer"',
    ]);
  });

  it("one character less: no SOP at all, and no reviewer can be asked", () => {
    const small = told({ budget: sops - 1 });
    expect(small).toMatchObject({
      too_big: true,
      problem: expect.stringContaining("review.context_chars is"),
    });
    expect(small.problem).toBe(small.context.problem);
    expect(renderAssembled(small)).not.toContain("The text of");
  });

  it("conventions go before decisions, and the oldest first", () => {
    const last = told().sections.at(-1)?.body ?? "";
    const newest = last.split("\n")[1]?.length ?? 0;
    const decisions = told().sections[2]?.body.length ?? 0;
    const some = told({ budget: sops + decisions + 1 + newest + 1 });
    expect(some.notes).toEqual(['left out for lack of room: the convention "older"']);
    expect(told({ budget: sops + decisions + 1 }).notes).toHaveLength(2);
    expect(told({ budget: sops + decisions }).notes[0]).toContain("F1 waived");
  });

  it("at every budget SOPs are whole or absent, and what is told plus what is named is everything", () => {
    const all = told();
    const total = all.sections.slice(1).reduce((sum, { body }) => sum + body.length, 0);
    for (let budget = 0; budget <= total + 10; budget++) {
      const { sections, notes, problem } = told({ budget });
      const body = sections.find(({ title }) => title.startsWith("SOPs"))?.body;
      expect(body === undefined).toBe(problem !== undefined);
      if (body !== undefined) expect(body).toBe(all.sections[1]?.body);
      const lines = sections.slice(2).flatMap((section) => section.body.split("\n"));
      if (!problem) expect(lines.length + notes.length).toBe(4);
      const used = sections.slice(1).reduce((sum, section) => sum + section.body.length, 0);
      expect(used).toBeLessThanOrEqual(budget);
    }
  });

  it("a producer that is not blind continues without the SOPs that do not fit, and is told so", () => {
    const { problem, notes, context } = told({ side: "producer", blind: false, budget: 1 });
    expect(problem).toBeUndefined();
    expect(notes[0]).toContain("all 2 SOPs");
    expect(context.problem).toBeDefined();
  });
});

describe("the digest", () => {
  it("is the same for both sides and whatever a human decides meanwhile", () => {
    const { digest } = told().context;
    expect(told({ side: "producer", priorDecisions: [], budget: 5 }).context.digest).toBe(digest);
  });

  it("is another when an SOP, the constitution, a convention or the matching files change", () => {
    const { digest } = told().context;
    const others: Knowledge[] = [
      { ...knowledge, sops: [sop("errors", { applies_to: ["src/**"] })] },
      { ...knowledge, constitution: [] },
      { ...knowledge, conventions: [] },
    ];
    for (const other of others) expect(told({}, other).context.digest).not.toBe(digest);
    expect(told({ files: ["a.sql"] }).context.digest).not.toBe(digest);
  });
});

describe("what a role is kept from", () => {
  it("a blind producer: SOPs by id, Standards, conventions, hidden files", () => {
    const kept = listWithheld(knowledge, { side: "producer", blind: true, seesSummary: false });
    expect(kept.map(({ what }) => what)).toEqual([
      "SOPs (review.blind = true)",
      "Standards of the constitution",
      "conventions",
      "files that are not checked out",
    ]);
    expect(kept[0]?.items).toContain("source.doc.sops.sql (warning)");
    expect(kept[3]?.items).toEqual(knowledge.hidden);
  });

  it("a critic: the producer's words about itself, unless the bubble shows them", () => {
    expect(listWithheld(knowledge, { side: "critic", blind: true, seesSummary: false })).toHaveLength(1);
    expect(listWithheld(knowledge, { side: "critic", blind: true, seesSummary: true })).toEqual([]);
    expect(listWithheld(knowledge, { side: "producer", blind: false, seesSummary: false })).toEqual([]);
  });
});

it("two hundred SOPs and two hundred files take milliseconds", () => {
  const many: Knowledge = {
    ...knowledge,
    sops: Array.from({ length: 200 }, (_, i) =>
      sop(`s${i}`, { applies_to: [`src/m${i}/**/*.{ts,tsx}`, `*.${i}`] }),
    ),
  };
  const files = Array.from({ length: 200 }, (_, i) => `src/m${i % 50}/deep/er/file-${i}.ts`);
  told({ files }, many);
  // In processor time: how long it takes by the clock, others on the machine decide.
  const before = process.cpuUsage();
  expect(told({ files }, many).context.sops).toHaveLength(50);
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1000).toBeLessThan(150);
});

describe("a critic of a paper", () => {
  const paper = { files: [], named: ["src/cart.ts", "docs/**"] };

  it("is told the SOPs and conventions for the files it names, and answers for none", () => {
    expect(titles(paper)).toEqual([
      "Constitution",
      "SOPs for the files that the paper names",
      "Decided by a human before",
      "Conventions for the files that the paper names",
    ]);
    expect(text(paper)).toContain("### source.doc.sops.errors (error)");
    expect(text(paper)).toContain("### source.doc.sops.all (info)");
    expect(text(paper)).toContain("no rule needs an entry of its own here");
    expect(text(paper)).not.toContain("SOPs you must answer for");
    expect(told(paper).context).toMatchObject({ sops: [] });
  });

  it.each([
    [["src/cart.ts"], ["errors", "all"]],
    [["src/**"], ["errors", "sql", "all"]],
    [["src/**/*.go"], ["errors", "all"]],
    [["lib/*.ts"], ["all"]],
    [["db/schema.sql"], ["sql", "all"]],
    [["lib/"], ["sql", "all"]],
    [[], []],
  ])("that names %j is told %j", (named, slugs) => {
    const found = [...text({ files: [], named }).matchAll(/### source\.doc\.sops\.(\w+)/g)].map(
      ([, slug]) => slug,
    );
    expect(found).toEqual(slugs);
  });

  it("is asked although the SOPs have no room, and told that they are left out", () => {
    const { problem, notes, sections } = told({ ...paper, budget: 10 });
    expect(problem).toBeUndefined();
    expect(sections.map(({ title }) => title)).toEqual(["Constitution"]);
    expect(notes[0]).toContain("all 3 SOPs");
  });

  it("knows more than its author, who is blind", () => {
    expect(titles({ ...paper, side: "producer" })).toEqual(["Constitution"]);
  });
});
