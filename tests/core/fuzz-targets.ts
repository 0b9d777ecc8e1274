// Every reader of what people and agents write, with texts it knows to begin from.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseBubbleToml, renderBubbleToml } from "../../src/app/config/bubble-file.ts";
import { parseProjectConfig } from "../../src/app/config/project.ts";
import { parseSopText as readSop } from "../../src/app/knowledge/sops.ts";
import { parseCriteria, parseTitle } from "../../src/app/task/criteria.ts";
import { parseWorkflow } from "../../src/app/workflows/file.ts";
import { checkDocument } from "../../src/core/document/check.ts";
import { readCoverage } from "../../src/core/gates/reports/read.ts";
import { parseConstitution } from "../../src/core/knowledge/constitution.ts";
import { parseConventions } from "../../src/core/knowledge/conventions.ts";
import { readSentence } from "../../src/core/review/evidence/sentence.ts";
import { isSubstantialBesidePraise } from "../../src/core/review/evidence/words.ts";
import {
  parseAnswer,
  parseChecked,
  parseDispute,
  parseFinding,
  parseFindings,
  parseSopAnswer,
} from "../../src/core/review/typed-flags.ts";
import { loadWorkflow } from "../../src/core/workflow/load.ts";
import type { Target } from "./fuzz-run.ts";
import { verdicts } from "./fuzz-verdict.ts";
import { configOf } from "./pair.ts";

const root = join(import.meta.dirname, "..", "..");
const folder = (...path: string[]) =>
  readdirSync(join(root, ...path)).map((name) => readFileSync(join(root, ...path, name), "utf8"));
const config = configOf();
const nothing = (_result: unknown): undefined => undefined;

const projectConfigs: Target = {
  name: ".pairflow/config.yaml",
  seeds: [
    "agents:\n  codex: {adapter: codex, model: gpt}\ndefaults:\n  max_rounds: 4\n  review: {dialect: verdict}\n",
    "gates:\n  preset: go\n  overrides:\n    test: {command: go test ./..., timeout: 5m}\n  additional:\n    - name: coverage\n      command: go test -cover\n      required: false\n      threshold: 80\n",
    "defaults:\n  agents: {implementer: codex, reviewer: claude}\n  scope: {in: ['src/**'], do_not_touch: [go.mod]}\n  severity:\n    core_paths: &core [src/core/**]\n",
  ],
  words: [
    "agents:",
    "defaults:",
    "gates:",
    "preset: rust",
    "required: true",
    "threshold: 80",
    "timeout: 10m",
    "trigger: ['*.go']",
    "isolated: true",
    "parallel: true",
    "<<: *core",
    "!!binary",
    "review:",
    "dialect: status",
  ],
  read: (text) => nothing(parseProjectConfig(text, "config.yaml")),
};

const bubbleFiles: Target = {
  name: "bubble.toml",
  seeds: [
    renderBubbleToml(config),
    'id = "cart"\nrepo_path = "/repo"\nbase_branch = "main"\nbubble_branch = "b"\n[agents]\nimplementer = "a"\nreviewer = "b"\n[agent.a]\nadapter = "scripted"\n',
  ],
  words: [
    "[review]",
    "[agents]",
    "[[agent]]",
    'dialect = "verdict"',
    "max_rounds = 3",
    "true",
    "1979-05-27T07:32:00Z",
    "inf",
    "'''",
    '"""',
    "[agent.codex]",
    "budget = {max_usd = 2}",
    "0x1F",
    "id = ",
  ],
  read: (text) => nothing(parseBubbleToml(text, "bubble.toml")),
};

const sopFiles: Target = {
  name: "SOPs, constitutions and conventions",
  seeds: [
    '---\ntitle: Errors\napplies_to: ["*.go", src/**]\nseverity: warning\nrequirements:\n  - Wrap every error\ncategory: sop\n---\n# Errors\n\nWrap them.\n',
    "# No settings\n\n## Rules\n- one\n",
    "## Purpose\nSell.\n\n## Standards\n- Tests first\n\n```\n## no heading\n```\n## Rules\nNone\n",
    '{"name":"Cents","pattern":"Money is cents","applies_to":"src/**","accepted_by":"ann","accepted_at":"2026-03-01"}\n{"name":"Late","pattern":"p","applies_to":["a","b"]}\n',
  ],
  words: [
    "---",
    "applies_to:",
    "severity: error",
    "severity: info",
    "requirements:",
    "category: doc",
    "## Standards",
    "## Purpose",
    "**",
    "{a,b}",
    "[!x]",
    '"name":',
    '"accepted_by":"x"',
  ],
  read(text) {
    parseConventions(text);
    parseConstitution("docs/constitution.md", text);
    return nothing(readSop({ file: ".pairflow/sops/errors.md", text }));
  },
};

const workflows: Target = {
  name: "workflows, as YAML",
  seeds: folder("workflows").map((text) => text.replace(/^ *#.*\n/gm, "")),
  words: [
    "kind: turn",
    "kind: gates",
    "kind: check",
    "kind: question",
    "kind: approval",
    "on:",
    "success: judge",
    "${bubble.max_rounds}",
    "${nothing:-3}",
    "round: next",
    "roles: swap",
    "duties: [adversarial]",
    "start: review",
    "$cancel",
    "&a",
    "*a",
  ],
  read: (text) => nothing(parseWorkflow(text, "pair.yaml", config)),
};

const programs: Target = {
  name: "workflows, as JSON",
  seeds: folder("workflows").map((text) => JSON.stringify(parseWorkflow(text, "w", config))),
  words: [
    '"kind":"turn"',
    '"on":{}',
    '"start":"x"',
    '"max_rounds":"${bubble.max_rounds}"',
    '"steps":[]',
    '"name":"judge"',
    '"role":7',
    "[[]]",
    '"round":"next"',
  ],
  read(text) {
    const loaded = loadWorkflow(jsonIn(text), config);
    return loaded.ok || loaded.problems.length > 0 ? undefined : "it was refused without a problem";
  },
};

const documents: Target = {
  name: "documents and tasks",
  seeds: folder("tests", "fixtures", "documents").map((text) => text.slice(0, 1500)),
  words: [
    "## Scope",
    "## Non-goals",
    "- R1: ",
    "AC1 (R1)",
    "R1–R99",
    "fast",
    "as soon as possible",
    "30 s",
    "| a | b |",
    "|---|",
    "```",
    "<!--",
    "-->",
    "## Acceptance criteria",
    "[x](y)",
    "> ",
  ],
  read(text) {
    parseCriteria(text);
    parseTitle(text);
    const lines = text.split(/\r\n|\n|\r/).length;
    const wrong = checkDocument(text)
      .flatMap(({ problems }) => problems)
      .find(({ line }) => !(line >= 1 && line <= lines));
    return wrong && `line ${wrong.line} of ${lines}`;
  },
};

const spoken: Target = {
  name: "findings, answers and evidence as flags",
  seeds: [
    "P1(core-logic):Total ignores discount @ src/cart.ts:41 | sum += price",
    "P3:Name is vague",
    "F1:it is fixed at src/cart.ts:9",
    "C1,C2 src/cart.ts:41 the discount comes first",
    "sop:error-handling src/cart.ts:4 wraps it",
    "for:contradictions doc.md:3 compared both",
    "error-handling violated src/cart.ts:4 it is swallowed",
    '[{"severity":"P1","title":"t","file":"a","line":3}]',
  ],
  words: [
    "P0",
    "P9",
    " @ ",
    " | ",
    "F1",
    "F0",
    ":",
    "C1,",
    "sop:",
    "for:",
    "source.doc.sops.",
    "passed",
    "violated",
    "not_applicable",
    " : 99999999999",
  ],
  read(text) {
    const results = [
      ...[parseFinding(text), parseChecked(text), parseSopAnswer(text), parseDispute(text)],
      ...(["fixed", "open", "withdrawn"] as const).map((status) => parseAnswer(text, status)),
      parseFindings(jsonIn(text)),
    ];
    return results.some((result) => !result.ok && !result.problem) ? "refused without a reason" : undefined;
  },
};

const reports: Target = {
  name: "coverage reports",
  seeds: [
    "mode: set\nshop/cart.go:3.20,5.2 3 1\nshop/cart.go:7.20,9.2 1 0\n",
    "TN:\nSF:src/a.js\nDA:1,3\nDA:2,0\nLF:2\nLH:1\nend_of_record\n",
    '{"total":{"lines":{"total":200,"covered":161,"skipped":0,"pct":80.5}}}',
    '<?xml version="1.0" ?><coverage lines-valid="40" lines-covered="31" line-rate="0.775"><packages/></coverage>',
    '<report name="r"><counter type="LINE" missed="3" covered="7"/></report>',
    "Name    Stmts   Miss  Cover\n-----\nTOTAL      10      2    80%\n",
  ],
  words: [
    "mode: count",
    "DA:1,1",
    "LF:",
    "end_of_record",
    '"pct":',
    '"lines":',
    "line-rate=",
    "<coverage",
    "/>",
    "<!--",
    "-->",
    "<![CDATA[",
    "&amp;",
    '<counter type="LINE"',
    "100%",
    "TOTAL",
  ],
  read(text) {
    const percent = readCoverage(text);
    const isFigure = percent === undefined || (percent >= 0 && percent <= 100);
    return isFigure ? undefined : `${percent} %`;
  },
};

const sentences: Target = {
  name: "places and quotes in sentences",
  seeds: [
    "src/cart.ts:41 rounds once with `Math.round(net)` and so does lib/tax.ts:7, see docs/why.md.",
    "Makefile:3 (and `./bin/run:12`), at 10:30; http://localhost:8080/path",
    "looks good to me, no issues found, everything works as expected",
    "数量が1未満なら BadItem になる src/カート.ts:3",
  ],
  words: [
    "src/cart.ts:41",
    "`",
    "a/",
    "a.",
    ".a",
    ":1",
    "LGTM",
    "looks good ",
    "no issues ",
    "@scope/",
    "../",
    "a.b.c.d",
    "is good ",
    "README",
    "-",
    "+",
  ],
  read(text) {
    isSubstantialBesidePraise(text);
    const named = new Set<string>();
    const names = (word: string) => {
      if (!/^[\w@./+-]+\.\w+$/.test(word)) return undefined;
      named.add(word);
      return word;
    };
    const { places, quotes } = readSentence(text, names);
    const strange = places.find(
      ({ file, line = 1 }) => line < 1 || (!named.has(file) && !file.includes("/")),
    );
    const lost = quotes.find(({ at }) => at.length === 0 && places.length > 0);
    return strange || lost ? `a place without a file: ${JSON.stringify(strange ?? lost)}` : undefined;
  },
};

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** What agents say, each with its share of a long campaign. */
export const words: readonly (readonly [target: Target, share: number])[] = [
  [verdicts, 0.22],
  [spoken, 0.25],
  [sentences, 0.21],
  [reports, 0.16],
];

/** What people keep in files. */
export const files: typeof words = [
  [bubbleFiles, 0.05],
  [programs, 0.05],
  [projectConfigs, 0.02],
  [sopFiles, 0.02],
  [documents, 0.012],
  [workflows, 0.008],
];
