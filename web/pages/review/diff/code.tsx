// One line of code: its colours, the words that differ, and whatever hides written out.
import type { ComponentChildren } from "preact";
import type { DiffRow } from "../../../../src/core/views/page/review/diff.ts";
import type { Token } from "./rows.ts";

interface CodeProps {
  readonly row: DiffRow;
  readonly tokens: readonly Token[] | undefined;
  readonly words: readonly number[] | undefined;
}

const marks = { added: "+", removed: "−", kept: " " } as const;

export function Code({ row, tokens, words = [] }: CodeProps) {
  const parts: ComponentChildren[] = [];
  let at = 0;
  for (const { text, kind } of tokens ?? [{ text: row.text, kind: "" }]) {
    for (const piece of cut(text, at, words))
      parts.push(<Piece key={`${at}/${piece.from}`} text={piece.text} kind={kind} differs={piece.differs} />);
    at += text.length;
  }
  return (
    <code class="code">
      <span class="sign">
        {marks[row.kind]}
        {row.kind === "kept" ? null : <span class="unseen">{row.kind} </span>}
      </span>
      {parts}
      {row.is_open ? <span class="hides">no newline at the end</span> : null}
    </code>
  );
}

interface PieceProps {
  readonly text: string;
  readonly kind: string;
  readonly differs: boolean;
}

/** What hides is told in brackets by the server; it must not look like code. */
function Piece({ text, kind, differs }: PieceProps) {
  const name = [kind && `hl-${kind}`, differs ? "word" : ""].filter(Boolean).join(" ");
  const parts = text.split(/(⟦[^⟧]*⟧)/).map((part, index) =>
    part.startsWith("⟦") ? (
      <span key={index} class="hides">
        {part.slice(1, -1)}
      </span>
    ) : (
      part
    ),
  );
  return <span class={name}>{parts}</span>;
}

/** A token in pieces, by whether their words differ. */
function cut(text: string, start: number, words: readonly number[]) {
  const edges = [
    start,
    ...words.filter((edge) => edge > start && edge < start + text.length),
    start + text.length,
  ];
  return edges.slice(0, -1).map((from, index) => ({
    from,
    text: text.slice(from - start, (edges[index + 1] ?? from) - start),
    differs: isInside(from, words),
  }));
}

function isInside(at: number, words: readonly number[]): boolean {
  for (let i = 0; i + 1 < words.length; i += 2)
    if (at >= (words[i] ?? 0) && at < (words[i + 1] ?? 0)) return true;
  return false;
}
