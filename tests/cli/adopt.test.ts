// pairflow adopt: one repository with something of every earlier tool, looked at, taken over, and taken over again.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openShop, type Shop } from "../helpers/shop.ts";

let shop: Shop;
const put = (path: string, text: string) => {
  mkdirSync(dirname(join(shop.repo, path)), { recursive: true });
  writeFileSync(join(shop.repo, path), text);
};
const get = (path: string) => readFileSync(join(shop.repo, path), "utf8");
const line = (id: string) =>
  `${JSON.stringify({ id: "m1", ts: "2026-02-21T10:00:00Z", bubble_id: id, sender: "codex", type: "PASS", round: 1, payload: { summary: "First try" } })}\n`;

beforeAll(async () => {
  shop = openShop();
  put(
    ".task/user-story.json",
    JSON.stringify({ title: "Log in", test_criteria: { commands: ["npm test"] } }),
  );
  put(".task/review-opus.json", "{}");
  put(".semspec/config.yaml", "gates:\n  preset: go\nnats: { url: x }\n");
  put(".semspec/sources/docs/sops/errors.md", "---\ntitle: Errors\napplies_to: '*.go'\n---\nWrap them.\n");
  put(".semspec/sources/docs/sops/broken.md", "---\nseverity: terrible\n---\n");
  put("workflows/design.yaml", "tasks:\n  design:\n    agent: implementer\n");
  put("workflows/bad.yaml", "tasks:\n  design:\n    agnet: implementer\n");
  put(".pairflow/bubbles/b_old/transcript.ndjson", line("b_old"));
  put(".pairflow/bubbles/b_old/state.json", '{"state":"DONE"}');
  put(".pairflow/bubbles/b_busy/transcript.ndjson", line("b_busy"));
  put(".pairflow/bubbles/b_busy/state.json", '{"state":"RUNNING"}');
  await shop.bubble("ours");
});
afterAll(() => shop.close());

const results = (...flags: string[]) =>
  shop
    .json("adopt", ...flags)
    .found.map(({ from, result, to }: Record<string, string>) => `${result} ${from}${to ? ` → ${to}` : ""}`);

const planned = [
  "mapped .task/user-story.json → .pairflow/adopted/pipeline/task.md",
  "left .task/review-opus.json",
  "left workflows/bad.yaml",
  "mapped workflows/design.yaml → .pairflow/workflows/design.yaml",
  "mapped .semspec/config.yaml: gates → .pairflow/config.yaml",
  "left .semspec/config.yaml: nats",
  "left .semspec/sources/docs/sops/broken.md",
  "mapped .semspec/sources/docs/sops/errors.md → .pairflow/sops/errors.md",
  "left .pairflow/bubbles/b_busy",
  "mapped .pairflow/bubbles/b_old → .pairflow/adopted/records/b_old",
];

it("a dry run says what would be done, and changes nothing", () => {
  expect(results("--dry-run")).toEqual(planned);
  expect(existsSync(join(shop.repo, ".pairflow/sops"))).toBe(false);
  expect(shop.session("adopt", "--dry-run")).toContain("workflows/bad.yaml:3:5");
});

it("adopting maps what it can, says why it leaves the rest, and does nothing the second time", () => {
  const ran = shop.session("adopt");
  expect(ran).toContain(
    'Next: pairflow bubble create --task .pairflow/adopted/pipeline/task.md --gate test="npm test"',
  );
  expect(ran).toContain("its state is RUNNING: end it with the tool that made it, then adopt again");
  expect(get(".pairflow/config.yaml")).toBe("gates:\n  preset: go\n");
  expect(get(".pairflow/sops/errors.md")).toContain("Wrap them.");
  expect(existsSync(join(shop.repo, ".pairflow/bubbles/b_old"))).toBe(false);
  expect(shop.json("bubble", "list").bubbles.map((one: { bubble: string }) => one.bubble)).toContain("ours");
  const again = results();
  expect(again.filter((one: string) => one.startsWith("mapped"))).toEqual([]);
  expect(again).toContain("present .semspec/sources/docs/sops/errors.md → .pairflow/sops/errors.md");
});

it("what says something else is not overwritten, and a record that was moved aside can be read", () => {
  put(".pairflow/sops/errors.md", "Mine\n");
  expect(results()).toContain("left .semspec/sources/docs/sops/errors.md → .pairflow/sops/errors.md");
  expect(get(".pairflow/sops/errors.md")).toBe("Mine\n");
  expect(shop.session("adopt", "--show", "b_old")).toMatch(
    /nothing here is proven[\s\S]*codex +PASS +round 1 +First try/,
  );
  expect(shop.session("adopt", "--show", "none")).toContain("(adopt.no-record)");
});

it("a checklist's checks become gates once, its setup is named, and each standard is an SOP that loads", () => {
  const other = openShop();
  try {
    mkdirSync(join(other.repo, ".semspec"), { recursive: true });
    const checks = [
      { name: "vet", command: "true", category: "lint", required: true, trigger: ["*.go"], timeout: "60s" },
      { name: "install", command: "npm ci", category: "setup", required: true, trigger: [] },
    ];
    writeFileSync(join(other.repo, ".semspec/checklist.json"), JSON.stringify({ checks }));
    const items = [{ id: "sec-1", text: "No: secrets.", severity: "must", category: "security" }];
    writeFileSync(join(other.repo, ".semspec/standards.json"), JSON.stringify({ items }));
    expect(other.session("adopt")).toContain('Next: pairflow bubble create --setup "npm ci"');
    expect(readFileSync(join(other.repo, ".pairflow/config.yaml"), "utf8")).toContain('command: "true"');
    expect(other.json("adopt").found.map(({ result }: { result: string }) => result)).toEqual([
      ...["present", "left", "present"],
    ]);
    other.git("add", "-f", ".pairflow/sops");
    other.git("-c", "user.name=A", "-c", "user.email=a@localhost", "commit", "-qm", "SOPs");
    expect(other.session("sop", "list")).toContain("source.doc.sops.sec-1");
  } finally {
    other.close();
  }
});
