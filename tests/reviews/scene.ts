// A real git repository and four bubbles in it, each waiting for a review of the same cart: one measured by criteria,
// one by SOPs, one by its changed files, and one whose finding of the round before is still open.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  createEmptyKnowledge,
  type Knowledge,
  serializeKnowledge,
} from "../../src/core/knowledge/knowledge.ts";
import type { CommandOf } from "../../src/core/model/command.ts";
import type { NewFinding } from "../../src/core/model/review/finding.ts";
import { firstMoment } from "../../src/testing/given.ts";
import { Scenario } from "../../src/testing/scenario.ts";
import { operator, wholePackage } from "../../src/testing/scenario-actors.ts";
import { cartCriteria, cartFile, cartText, places } from "../core/dialect-cart.ts";
import { pair } from "../core/pair.ts";
import { record } from "../helpers/recorded.ts";
import { openShop, type Shop } from "../helpers/shop.ts";

/** A quote alone needs eight letters or digits; this line of the cart has only seven, so it is written out. */
export const written = (text: string): string => text.replaceAll("let sum = 0;", "let sum: number = 0;");

export const money = "source.doc.sops.money";
export const naming = "source.doc.sops.naming";
export const moneyRule = "Amounts are whole cents and never become floats on their way to the customer";
export const namingRule = "Functions are named after what they return";

const sopFile = (rule: string, severity: string) =>
  `---\napplies_to: ["**/*.ts"]\nseverity: ${severity}\nrequirements:\n  - ${rule}\n---\n# A rule\n\nIt holds for every file that customers meet, without exception.\n`;

const tax =
  "// What the state gets.\nexport const rateOf = (country: string) => (country === 'at' ? 0.2 : 0.19);\n";
const notes = `first line of the notes\n${"\n".repeat(12)}last line of the notes\n`;

/** Six lines that went away and six that stayed and moved up: the base is longer than the tree. */
const shrunk = (name: string) =>
  Array.from({ length: 6 }, (_, i) => `export const ${name}${i + 1} = ${i};\n`);
const rates = ["export const reducedRate = 0.1;\n", "export const usualRate = 0.2;\n"];

const atBase: Readonly<Record<string, string | Buffer>> = {
  "README.md": "# shop\n\nTotals of carts, with discount and tax.\n",
  [cartFile]: "export const totalOf = (cents: number[]) => cents.reduce((a, b) => a + b, 0);\n",
  "src/legacy.ts": "export const legacyTotal = (sum: number) => sum * 1.2;\n",
  "src/shrunk.ts": [...shrunk("droppedCents"), ...shrunk("keptCents")].join(""),
  "src/old-rates.ts": `export const luxuryRate = 0.33;\n${rates.join("")}`,
  ".pairflow/sops/money.md": sopFile(moneyRule, "error"),
  ".pairflow/sops/naming.md": sopFile(namingRule, "warning"),
};
const made: Readonly<Record<string, string | Buffer | undefined>> = {
  [cartFile]: written(cartText),
  "src/tax.ts": tax,
  "src/legacy.ts": undefined,
  "src/shrunk.ts": shrunk("keptCents").join(""),
  "src/old-rates.ts": undefined,
  "src/rates.ts": rates.join(""),
  "notes.txt": notes,
  "empty.txt": "",
  "docs/my notes.md": "# Notes\n\nAmounts are rounded once, at the very end.\n",
  "src/größe.ts": "export const größeIn = (cm: number) => `${cm} Zentimeter`;\n",
  "app/[id]/page.tsx": "export const pageOf = (id: string) => `cart ${id}`;\n",
  "src/windows.ts": "\uFEFFexport const newlineOf = () => 'CRLF';\r\nexport const second = 2;\r\n",
  "logo.png": Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3, 0, 255]),
};
/** One round later another function was put at the end; where the finding stands nothing changed. */
const remade = { [cartFile]: `${written(cartText)}\nexport const vatOf = (net: number) => net * 0.2;\n` };

export const open: NewFinding = {
  severity: "P1",
  title: "A negative percent raises the price",
  file: cartFile,
  line: places.off.line,
  evidence: places.off.quote,
};

const file = (path: string, status: "added" | "modified" | "deleted" | "renamed", added = 1) =>
  ({ path, status, added, removed: 1 }) as const;

const renamed = {
  ...file("src/rates.ts", "renamed", 0),
  from: "src/old-rates.ts",
} as const;

export const bubbles = ["criteria", "rules", "files", "again"] as const;
export type BubbleName = (typeof bubbles)[number];

export interface Stage {
  readonly shop: Shop;
  readonly tree: string;
  /** What an answer may name instead: trees and commits that are not under review. */
  readonly stale: { readonly baseTree: string; readonly commit: string; readonly firstTree: string };
  /** The tree each bubble has under review. */
  treeOf(bubble: BubbleName): string;
}

export async function openStage(): Promise<Stage> {
  const shop = openShop();
  const commit = (files: Readonly<Record<string, string | Buffer | undefined>>) => {
    for (const [path, text] of Object.entries(files)) put(shop.repo, path, text);
    shop.git("add", "-A", "-f", "--", ".", ":!.pairflow/bubbles", ":!.pairflow/locks");
    shop.git("-c", "user.name=T", "-c", "user.email=t@localhost", "commit", "-q", "-m", "work");
    const id = shop.git("rev-parse", "HEAD").trim();
    return { commit: id, tree: shop.git("rev-parse", `${id}^{tree}`).trim() };
  };
  const base = commit(atBase);
  const first = commit(made);
  const second = commit(remade);
  for (const name of bubbles) await playBubble(shop, name, { base, first, second });
  return {
    shop,
    tree: first.tree,
    stale: { baseTree: base.tree, commit: first.commit, firstTree: first.tree },
    treeOf: (name) => (name === "again" ? second.tree : first.tree),
  };
}

function put(repo: string, path: string, text: string | Buffer | undefined): void {
  mkdirSync(dirname(join(repo, path)), { recursive: true });
  if (text === undefined) rmSync(join(repo, path));
  else writeFileSync(join(repo, path), text);
}

type Commits = Record<"base" | "first" | "second", { readonly commit: string; readonly tree: string }>;

async function playBubble(shop: Shop, id: BubbleName, { base, first, second }: Commits): Promise<void> {
  await shop.world.records.create(id);
  const pinned = await pin(shop, id, base.commit);
  const created = new Scenario([], firstMoment).does({
    ...creation(shop, id),
    base_commit: base.commit,
    knowledge: pinned,
  });
  const handedOver = produced(created.started(), id, first.tree);
  const scene =
    id === "again" ? produced(handedOver.reviews({ findings: [open] }), id, second.tree) : handedOver;
  await record(shop.world, scene.atWork().log);
}

function creation(shop: Shop, id: BubbleName): CommandOf<"create"> {
  const isMeasured = id === "criteria" || id === "again";
  const [line] = pair({
    config: { id, repo_path: shop.repo, review: { require_evidence: true } },
    criteria: isMeasured ? cartCriteria : [],
  }).log;
  if (line?.type !== "BUBBLE_CREATED") throw new Error("a bubble begins with its creation");
  return { ...line.payload, type: "create", actor: operator };
}

const severities = { [money]: "error", [naming]: "warning" } as const;

function produced(scene: Scenario, id: BubbleName, tree: string): Scenario {
  const sops = Object.entries(severities).map(([sop, severity]) => ({ id: sop, severity }));
  const files = [
    file(cartFile, "modified", 38),
    ...(id === "files" ? [file("src/tax.ts", "added"), file("src/legacy.ts", "deleted", 0)] : []),
    ...(id === "rules" ? [renamed] : []),
  ];
  return scene
    .implementerPasses({ package: wholePackage })
    .handsOver(tree, { files, context: { sops: id === "rules" ? sops : [], digest: "told" } })
    .gatesPass();
}

/** The SOPs as the bubble has pinned them: what they say themselves is no evidence. */
async function pin(shop: Shop, id: string, commit: string): Promise<CommandOf<"create">["knowledge"]> {
  const sop = (slug: string, rule: string, severity: "error" | "warning"): Knowledge["sops"][number] => ({
    id: `source.doc.sops.${slug}`,
    file: `.pairflow/sops/${slug}.md`,
    title: "A rule",
    applies_to: ["**/*.ts"],
    severity,
    requirements: [rule],
    body: "# A rule\n\nIt holds for every file that customers meet, without exception.\n",
  });
  const text = serializeKnowledge({
    ...createEmptyKnowledge(commit),
    sops: [sop("money", moneyRule, "error"), sop("naming", namingRule, "warning")],
  });
  const { name } = await shop.world.records.put(id, "knowledge.json", text);
  return { artifact: name, sha256: shop.world.hash.sha256(text), sops: 2 };
}
