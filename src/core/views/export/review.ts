// A change for a file: what stands behind it, and every file with its lines.
import type { DiffFile, DiffRow, FileDiffPage } from "../page/review/diff.ts";
import type { EvidenceGroup } from "../page/review/evidence.ts";
import type { ReviewPage } from "../page/review/payload.ts";
import { renderFinding, renderGate } from "./bubble.ts";
import { type Markup, writeElement } from "./html.ts";

export function renderReview(page: ReviewPage, diffs: readonly FileDiffPage[]): Markup[] {
  return [
    renderAbout(page),
    writeElement(
      "section",
      {},
      writeElement("h2", {}, `${page.from.name} → ${page.to.name}`),
      writeElement("p", { class: "quiet" }, `${page.from.id} → ${page.to.id}`),
      ...page.files.map((file) =>
        renderFile(
          file,
          diffs.find(({ path }) => path === file.path),
          page,
        ),
      ),
    ),
  ];
}

/** Nothing is said as a sentence too: an empty line could be one that was lost. */
function renderKnow(know: ReviewPage["know"]): Markup[] {
  if (know.length === 0) return [writeElement("p", { class: "quiet" }, "nothing beyond this page")];
  return know.map(({ text }) => writeElement("p", {}, text));
}

function renderAbout({ know, gates, gates_clean: isClean, evidence, sign }: ReviewPage): Markup {
  const part = (name: string, ...children: readonly Markup[]) =>
    writeElement("div", {}, writeElement("dt", {}, name), writeElement("dd", {}, ...children));
  const where = isClean ? "on a clean checkout of exactly this tree" : "on this tree, in the worktree";
  return writeElement(
    "section",
    { class: "about-change" },
    writeElement(
      "dl",
      { class: "parts" },
      part("Know", ...renderKnow(know)),
      part(
        "Gates",
        ...gates.map(renderGate),
        writeElement("p", { class: "quiet" }, gates.length > 0 ? where : "none ran"),
      ),
      part("Evidence", ...evidence.flatMap(renderEvidence)),
      ...(sign
        ? [
            part("Message", writeElement("p", { class: "prose" }, sign.message)),
            part(
              "Digest",
              writeElement("p", {}, writeElement("code", {}, sign.digest.match(/.{1,4}/g)?.join(" ") ?? "")),
            ),
          ]
        : []),
    ),
  );
}

function renderEvidence({ id, text, places, none }: EvidenceGroup): Markup[] {
  return [
    writeElement("p", {}, writeElement("b", {}, id), ` ${text}${none ? ` (${none})` : ""}`),
    ...places.map(({ agent, place, says, holds }) =>
      writeElement(
        "p",
        {},
        `${agent} `,
        writeElement("code", {}, place),
        ` ${says}`,
        holds ? null : writeElement("span", { class: "note" }, " is not in this tree"),
      ),
    ),
  ];
}

function renderFile(file: DiffFile, diff: FileDiffPage | undefined, page: ReviewPage): Markup {
  const about = page.findings.filter((finding) => finding.file === file.path);
  return writeElement(
    "details",
    { class: "file", ...(file.generated ? {} : { open: "" }) },
    writeElement(
      "summary",
      {},
      writeElement("b", {}, `${file.from ? `${file.from} → ` : ""}${file.path}`),
      writeElement("span", { class: "quiet" }, ` ${file.status} `),
      writeElement("ins", {}, `+${file.added ?? "?"}`),
      " ",
      writeElement("del", {}, `−${file.removed ?? "?"}`),
      ...file.notes.map((note) => writeElement("span", { class: "note" }, note)),
    ),
    ...about.map(renderFinding),
    diff?.hunks
      ? writeElement(
          "div",
          { class: "hunks unified" },
          ...diff.hunks.map(({ rows }) =>
            writeElement("table", { class: "hunk" }, writeElement("tbody", {}, ...rows.map(renderRow))),
          ),
        )
      : writeElement("p", { class: "quiet" }, diff?.note ?? "not shown"),
  );
}

const marks = { added: "+", removed: "−", kept: " " } as const;

function renderRow({ kind, before, after, text, is_open: isOpen }: DiffRow): Markup {
  return writeElement(
    "tr",
    { class: `line ${kind}` },
    writeElement("td", { class: "number" }, before),
    writeElement("td", { class: "number" }, after),
    writeElement(
      "td",
      { class: kind },
      writeElement(
        "code",
        { class: "code" },
        writeElement("span", { class: "sign" }, marks[kind]),
        text,
        isOpen ? writeElement("span", { class: "hides" }, "no newline at the end") : null,
      ),
    ),
  );
}
