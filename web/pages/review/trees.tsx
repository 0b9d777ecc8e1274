// Which two trees are compared, always by name; and how the change is shown.
import type { ReviewPage } from "../../../src/core/views/page/review/payload.ts";
import { Editor } from "../../parts/editor.tsx";
import { TreeName } from "../../parts/tree-name.tsx";
import { isViewed, type Reading } from "./reading.ts";

interface TreesProps {
  readonly page: ReviewPage;
  readonly reading: Reading;
  choose(query: string): void;
}

export const queryOf = (from: string, to: string): string => `?from=${from}&to=${to}`;

export function Trees({ page, reading, choose }: TreesProps) {
  const { from, to, newer, files } = page;
  const viewed = files.filter((file) => isViewed(reading, file)).length;
  return (
    <div class="trees">
      {newer ? (
        <p class="newer">
          <TreeName tree={newer.id} /> ({newer.name}) is newer: {newer.changed}{" "}
          {newer.changed === 1 ? "file" : "files"} changed since this one.{" "}
          <button type="button" onClick={() => choose("")}>
            Show the newer one
          </button>
        </p>
      ) : null}
      <Choice name="from" page={page} value={from.id} choose={(id) => choose(queryOf(id, to.id))} />
      <Choice name="to" page={page} value={to.id} choose={(id) => choose(queryOf(from.id, id))} />
      <span class="steps">
        {comparisons(page).map(({ name, query, isNow }) => (
          <button key={name} type="button" class="plain" aria-pressed={isNow} onClick={() => choose(query)}>
            {name}
          </button>
        ))}
      </span>
      <span class="show">
        <button
          type="button"
          class="plain"
          aria-pressed={reading.isSplit.value}
          onClick={() => {
            reading.isSplit.value = !reading.isSplit.value;
          }}
        >
          side by side
        </button>
        <button
          type="button"
          class="plain"
          aria-pressed={reading.ignoresSpace.value}
          onClick={() => {
            reading.ignoresSpace.value = !reading.ignoresSpace.value;
          }}
        >
          hide white space
        </button>
        {page.can_open ? <Editor repo={page.repo} bubble={page.id} isPlain /> : null}
        <span class="quiet viewed">
          {viewed} of {files.length} {files.length === 1 ? "file" : "files"} viewed
        </span>
      </span>
    </div>
  );
}

interface ChoiceProps {
  readonly name: string;
  readonly page: ReviewPage;
  readonly value: string;
  choose(id: string): void;
}

function Choice({ name, page, value, choose }: ChoiceProps) {
  return (
    <label>
      {name}
      <select value={value} onChange={(event) => choose(event.currentTarget.value)}>
        {page.trees.map((tree) => (
          <option key={tree.id} value={tree.id}>
            {tree.name} · {tree.id.slice(0, 8)}
          </option>
        ))}
      </select>
    </label>
  );
}

interface Comparison {
  readonly name: string;
  readonly query: string;
  readonly isNow: boolean;
}

/** The whole change, the last step, and what is new since the person looked. */
export function comparisons({ trees, from, to, notes }: ReviewPage): Comparison[] {
  const [base] = trees;
  const last = trees.at(-1);
  const before = trees.at(-2);
  const looked = trees.find(({ id }) => id === notes.looked?.before);
  const pairs = [
    { name: "whole", a: base, b: last },
    ...(before && before !== base ? [{ name: "last round", a: before, b: last }] : []),
    ...(looked && looked.id !== last?.id ? [{ name: "since I looked", a: looked, b: last }] : []),
  ];
  return pairs.flatMap(({ name, a, b }) =>
    a && b ? [{ name, query: queryOf(a.id, b.id), isNow: from.id === a.id && to.id === b.id }] : [],
  );
}
