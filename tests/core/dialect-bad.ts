// Bad answers in every dialect, made from one good approval by breaking one thing: malformed, fenced, doubled, lazy,
// contradictory, in the wrong dialect, copied from the prompt. None of them is a verdict.
import { type Dialect, dialects } from "../../src/core/model/review/verdict.ts";
import { buildExampleReviews } from "../../src/core/review/dialect/examples.ts";
import { ownFailings } from "./dialect-bad-own.ts";
import { places, TREE } from "./dialect-cart.ts";
import { type Sample, saidIn } from "./dialect-honest.ts";
import { reviews } from "./dialect-reviews.ts";

export interface Bad extends Sample {
  readonly reason: RegExp;
}

type Fields = Readonly<Record<string, unknown>>;
type Failing = readonly [name: string, text: string, reason: RegExp];

const approval = reviews.find(({ name }) => name === "plain");
if (!approval) throw new Error("the plain approval is missing");
const good = Object.fromEntries(
  dialects.map((dialect) => [dialect, { sop_review: [], ...saidIn[dialect](approval), confidence: 0.9 }]),
) as unknown as Readonly<Record<Dialect, Fields>>;
const text = (value: unknown) => JSON.stringify(value);

const wordsOf: Readonly<Record<Dialect, string>> = {
  findings: "summary",
  decision: "feedback",
  status: "summary",
  verdict: "feedback",
  challenge: "critique",
};
const decidesBy: Readonly<Record<Dialect, string>> = {
  findings: "findings",
  decision: "decision",
  status: "status",
  verdict: "verdict",
  challenge: "challenger_approved",
};

/** What is not one JSON document at all. */
function malformed(dialect: Dialect): Failing[] {
  const whole = text(good[dialect]);
  const pretty = JSON.stringify(good[dialect], null, 2);
  const field = decidesBy[dialect];
  const value = text(good[dialect][field]);
  const inside = (added: string) => `{${added},${whole.slice(1)}`;
  return [
    ["fenced as json, with talk behind it", `\`\`\`json\n${pretty}\n\`\`\`\nThat is all.`, /code fence/],
    ["fenced as something else", `\`\`\`yaml\n${whole}\n\`\`\`\n`, /code fence|should begin/],
    ["two fenced blocks", `\`\`\`json\n${whole}\n\`\`\`\n\`\`\`json\n${whole}\n\`\`\``, /two JSON documents/],
    ["fenced with tildes", `~~~\n${whole}\n~~~`, /code fence/],
    ["a fence after it", `${whole}\n\`\`\``, /code fence stands after/],
    ["prose before it on the same line", `Here is my review: ${whole}`, /should begin/],
    ["taken back behind it", `${whole}\nCorrection: I withdraw that.`, /text stands after/],
    ["prose after it", `${whole}\nLet me know if you need more.`, /text stands after/],
    ["taken back between the lines", `I approve.\n${whole}\nNo, wait.\n${whole}`, /text stands after/],
    ["twice on two lines", `${whole}\n${whole}`, /two JSON documents/],
    ["twice without space", `${whole}${whole}`, /two JSON documents/],
    ["a list behind it", `${whole} []`, /two JSON documents/],
    ["in a list", `[${whole}]`, /no JSON object/],
    ["as a JSON text", text(whole), /no JSON object/],
    ["broken off", whole.slice(0, -20), /has no end|breaks off|missing/],
    ["broken off after a colon", `{"${field}":`, /breaks off/],
    ["a comma too many", `${whole.slice(0, -1)},}`, /property's name/],
    ["single quotes", whole.replaceAll('"', "'"), /property's name/],
    ["a comment", `{ // my verdict\n${whole.slice(1)}`, /property's name/],
    ["a comment behind it", `${whole} // done`, /text stands after/],
    ["names without quotes", `{${field}: ${value}}`, /property's name/],
    ["empty", "", /it is empty/],
    ["only white space", " \n\t ", /it is empty/],
    ["LGTM", "LGTM", /should begin/],
    ["Approved.", "Approved. Ship it!", /should begin/],
    ["the bare word", "approved", /should begin/],
    ["null", "null", /no JSON object/],
    ["true", "true", /no JSON object/],
    ["a number", "10", /no JSON object/],
    ["yaml", `${field}: approved\nsummary: fine`, /should begin/],
    ["xml", `<review><${field}>approved</${field}></review>`, /should begin/],
    ["the deciding field twice", inside(`"${field}":${value}`), /stands twice in one object/],
    ["the tree twice", inside(`"tree":"${TREE}"`), /"tree" stands twice/],
    ["a name twice, once escaped", inside('"\\u0074ree":"x"'), /"tree" stands twice/],
    ["a name twice further in", whole.replace('"why":', '"why":"x","why":'), /"why" stands twice/],
    ["a raw line break", whole.replace("I followed", "I\nfollowed"), /raw control character or line break/],
    ["an escaped NUL", whole.replace("I followed", "I\\u0000 followed"), /U\+0000/],
    ["an escape sequence", whole.replace("I followed", "\\u001b[2J followed"), /U\+001B/],
    ["a backspace", whole.replace("I followed", "I\\b followed"), /U\+0008/],
    ["a C1 control", whole.replace("I followed", "\\u009b2J followed"), /U\+009B/],
    ["half a surrogate pair", whole.replace("I followed", "\\ud83d followed"), /half a surrogate pair/],
    ["an unknown escape", whole.replace("I followed", "\\x41 followed"), /unknown escape/],
    ["longer than 256 KiB", `${whole}${" ".repeat(256 * 1024)}`, /longer than 256 KiB/],
    ["nested like a bomb", inside(`"x":${"[".repeat(500)}${"]".repeat(500)}`), /deeper than 12/],
    ["NaN", whole.replace(":0.9", ":NaN"), /no JSON value/],
    ["infinite", whole.replace(":0.9", ":1e999"), /too large/],
    ["a number with a plus", whole.replace(":0.9", ":+1"), /no JSON value/],
    ["a hexadecimal number", whole.replace(":0.9", ":0x1"), /no JSON value/],
    ["words of another language", whole.replace(":0.9", ":True"), /no JSON value/],
    ["two byte order marks", `\uFEFF\uFEFF${whole}`, /should begin/],
  ];
}

/** One JSON object, but not in the form. */
function misshapen(dialect: Dialect): Failing[] {
  const own = wordsOf[dialect];
  const but = (more: Fields) => text({ ...good[dialect], ...more });
  const rest = (name: string) =>
    text(Object.fromEntries(Object.entries(good[dialect]).filter(([key]) => key !== name)));
  const place = { file: places.net.file, line: places.net.line, why: "the discount comes first" };
  const sop = {
    sop_id: "source.doc.sops.money",
    status: "passed",
    evidence: "src/cart.ts:4",
    violations: [],
  };
  const approvedProto = `{"__proto__":{"verdict":"approved"},${text(good[dialect]).slice(1)}`;
  return [
    ["nothing said", "{}", / is missing/],
    ["without its words", rest(own), new RegExp(`${own} is missing`)],
    ["without what decides", rest(decidesBy[dialect]), new RegExp(`${decidesBy[dialect]} is missing`)],
    ["empty words", but({ [own]: "" }), new RegExp(`${own} is missing`)],
    ["blank words", but({ [own]: " \t " }), new RegExp(`${own} is missing`)],
    ["words that are null", but({ [own]: null }), new RegExp(`${own} is missing`)],
    ["a thumb", but({ [own]: "👍" }), /says nothing/],
    ["only signs", but({ [own]: "--- !!" }), /says nothing/],
    ["invisible words", but({ [own]: "\u200b\u2060" }), /says nothing/],
    ["words in a list", but({ [own]: ["fine"] }), new RegExp(`^${own}: `)],
    ["words in a number", but({ [own]: 10 }), new RegExp(`^${own}: `)],
    ["a field too many", but({ approved: true }), /^approved is not a field/],
    ["a misspelt field", but({ confidance: 0.9 }), /did you mean confidence\?/],
    ["a field in capitals", but({ CHECKED: [] }), /did you mean checked\?/],
    ["a prototype", approvedProto, /__proto__ is not a field/],
    ["too sure", but({ confidence: 1.5 }), /from 0 to 1/],
    ["surer than sure", but({ confidence: 95 }), /from 0 to 1/],
    ["less than unsure", but({ confidence: -0.1 }), /from 0 to 1/],
    ["sure in words", but({ confidence: "high" }), /from 0 to 1/],
    ["a tree that is a number", but({ tree: 7 }), /^tree: /],
    ["a tree that is too long", but({ tree: "a".repeat(65) }), /^tree: /],
    ["checked is an object", but({ checked: place }), /^checked: /],
    ["checked is a text", but({ checked: "everything" }), /^checked: /],
    ["checked without a file", but({ checked: [{ ...place, file: null }] }), /file is missing/],
    ["checked without a reason", but({ checked: [{ ...place, why: "" }] }), /why is missing/],
    ["line nought", but({ checked: [{ ...place, line: 0 }] }), /checked\.0\.line/],
    ["half a line", but({ checked: [{ ...place, line: 1.5 }] }), /checked\.0\.line/],
    ["a line in words", but({ checked: [{ ...place, line: "36" }] }), /checked\.0\.line/],
    ["an unknown part of a place", but({ checked: [{ ...place, lines: 3 }] }), /did you mean line\?/],
    ["evidence for a text", but({ checked: [{ ...place, for: "C1" }] }), /checked\.0\.for/],
    ["an empty place", but({ checked: [{}] }), /is missing/],
    ["a place that is null", but({ checked: [null] }), /^checked\.0: /],
    [
      "violated without violations",
      but({ sop_review: [{ ...sop, status: "violated" }] }),
      /violations are missing/,
    ],
    ["passed with violations", but({ sop_review: [{ ...sop, violations: ["x"] }] }), /lists a violation/],
    [
      "not applicable with violations",
      but({ sop_review: [{ ...sop, status: "not_applicable", violations: ["x"] }] }),
      /lists a violation/,
    ],
    [
      "an SOP judged in its own words",
      but({ sop_review: [{ ...sop, status: "ok" }] }),
      /sop_review\.0\.status/,
    ],
    ["an SOP answered twice", but({ sop_review: [sop, sop] }), /answered twice/],
    ["SOPs in an object", but({ sop_review: { money: "passed" } }), /^sop_review: /],
    [
      "a finding judged done",
      but({ prior_findings: [{ id: "F1", status: "done" }] }),
      /prior_findings\.0\.status/,
    ],
    [
      "a finding without its letter",
      but({ prior_findings: [{ id: "1", status: "fixed" }] }),
      /not a finding id/,
    ],
    ["a finding without a title", but({ findings: [{ severity: "P3" }] }), /title is missing/],
    [
      "a severity of its own",
      but({ findings: [{ severity: "blocker", title: "t" }] }),
      /findings\.0\.severity/,
    ],
    ["findings in a text", but({ findings: "none" }), /^findings: /],
    ["a pattern without a name", but({ patterns: [{ pattern: "p", applies_to: "*" }] }), /name is missing/],
    ["questions with a verdict", but({ questions: [{ question: "Which?" }] }), /it asks questions/],
    ["not ready", but({ status: "in_progress" }), /hands over no review/],
    ["failed", but({ status: "error", message: "no network" }), /hands over no review/],
    ["asks", but({ status: "needs_input", questions: [{ question: "Which?" }] }), /hands over no review/],
  ];
}

/** Copied instead of thought. */
function echoed(dialect: Dialect): Failing[] {
  const own = wordsOf[dialect];
  const but = (more: Fields) => text({ ...good[dialect], ...more });
  const { approving, rejecting } = buildExampleReviews(dialect, { tree: TREE });
  const checked = (why: string) => but({ checked: [{ ...places.net, why }] });
  const copied = /is copied from the prompt/;
  return [
    ["the approving example", text(approving), copied],
    ["the rejecting example", text(rejecting), copied],
    ["the words of the example", but({ [own]: approving[own] }), copied],
    ["the words of the example in capitals", but({ [own]: String(approving[own]).toUpperCase() }), copied],
    ["the evidence of the example", but({ checked: approving.checked }), copied],
    ["three dots", but({ [own]: "..." }), copied],
    ["an ellipsis", but({ [own]: "…" }), copied],
    ["the type", but({ [own]: "string" }), copied],
    ["a blank", but({ [own]: "<your feedback>" }), copied],
    ["a template", but({ [own]: "{{feedback}}" }), copied],
    ["the reason of the form", checked("why it is right"), copied],
    ["three dots as a reason", checked("..."), copied],
    ["the path of the form", but({ checked: [{ file: "path", line: 1, why: "the sum is right" }] }), copied],
    ["the tree of the form", but({ tree: "<tree>" }), copied],
    ["the time of the form", but({ timestamp: "ISO8601" }), copied],
  ];
}

/** The verdict of another dialect: alone, and beside the own one. */
function foreign(dialect: Dialect): Failing[] {
  return dialects
    .filter((other) => other !== dialect && other !== "findings")
    .flatMap((other): Failing[] => [
      [`an answer in the dialect ${other}`, text(good[other]), /in the dialect|two verdicts/],
      [
        `a second verdict in the dialect ${other}`,
        text({ ...good[dialect], [decidesBy[other]]: good[other][decidesBy[other]] }),
        /two verdicts in one answer/,
      ],
    ]);
}

export const bad: readonly Bad[] = dialects.flatMap((dialect) =>
  [
    ...malformed(dialect),
    ...misshapen(dialect),
    ...echoed(dialect),
    ...foreign(dialect),
    ...ownFailings(dialect, good[dialect]),
  ].map(([name, said, reason]) => ({ name, dialect, text: said, reason })),
);
