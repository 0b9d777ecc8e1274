// One bubble or review as one file that opens without network: the same payloads as on the page, redacted, with the page's
// own style sheet and no script.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { findPackageRoot } from "../../app/host/package-root.ts";
import { noNotes } from "../../core/model/page/notes.ts";
import { refuse } from "../../core/model/refusal.ts";
import { renderBubble, renderHead } from "../../core/views/export/bubble.ts";
import { buildDocument, writeElement } from "../../core/views/export/html.ts";
import { redactAll, redactDiff } from "../../core/views/export/redact.ts";
import { renderReview } from "../../core/views/export/review.ts";
import type { OverviewPage } from "../../core/views/page/overview.ts";
import type { ReviewPage } from "../../core/views/page/review/payload.ts";
import { openGrants } from "../commands/grants.ts";
import { readOverview } from "./bubble.ts";
import { findNamedBubble, type NamedBubble } from "./record.ts";
import { type ReviewDependencies, readFileDiff, readReviewPage } from "./review.ts";

export interface ExportOptions {
  readonly repo: string;
  readonly bubble: string;
  /** The change alone. */
  readonly onlyReview: boolean;
  readonly at: string;
}

/** Notes of a person are not exported, and nothing is granted here. */
const blankDependencies: ReviewDependencies = {
  notes: { read: () => noNotes, change: () => noNotes },
  grants: openGrants(undefined, () => {}),
};

export async function buildExport({ repo, bubble, onlyReview, at }: ExportOptions): Promise<string> {
  const name = basename(repo);
  const named = await findNamedBubble([{ name, path: repo }], name, bubble);
  const redact = (text: string) => named.world.redaction.redact(text);
  const overview = redactAll((await readOverview([named.repository], named)) as OverviewPage, redact);
  const change = overview.can_review || onlyReview ? await renderChange(named, redact) : [];
  const style = readStyle();
  return buildDocument(
    {
      title: `${overview.title} · ${bubble}`,
      style,
      styleHash: createHash("sha256").update(style).digest("base64"),
    },
    writeElement(
      "main",
      { class: "export" },
      renderHead(overview),
      ...(onlyReview ? [] : renderBubble(overview)),
      ...change,
      writeElement(
        "footer",
        { class: "quiet" },
        `Exported ${at} at line ${overview.head} of the record. What looked like a secret is redacted. `,
        writeElement("code", {}, `pairflow verify --id ${bubble}`),
        " checks the record itself.",
      ),
    ),
  );
}

async function renderChange(named: NamedBubble, redact: (text: string) => string) {
  const whole = new URLSearchParams();
  const page = (await readReviewPage([named.repository], named, whole, blankDependencies)) as ReviewPage;
  const diffs = [];
  for (const { path } of page.files)
    diffs.push(
      redactDiff(await readFileDiff([named.repository], named, new URLSearchParams({ path })), redact),
    );
  return renderReview(redactAll(page, redact), diffs);
}

/** That of the page, as the build made it. */
function readStyle(): string {
  const folder = join(findPackageRoot(), "dist", "web");
  try {
    const name = readdirSync(folder).find((one) => /^style-.*\.css$/.test(one));
    return readFileSync(join(folder, name ?? ""), "utf8");
  } catch {
    throw refuse("ui.not-built", `the page's files are missing in ${folder}`, "npm run build");
  }
}
