// One bubble of the table.
import type { BubbleRow, Mark } from "../../../src/core/views/page/bubbles.ts";
import { bubblePath } from "../../app/route.ts";
import { Actions } from "../../parts/actions.tsx";
import { Age } from "../../parts/age.tsx";
import { GateMarks } from "../../parts/gates.tsx";
import { dollars } from "../../parts/money.ts";

const marks: Readonly<Record<Mark, string>> = {
  waits: "◆",
  works: "●",
  silent: "○",
  rests: "–",
  over: "·",
  wrong: "▲",
};

export function Row({ row }: { readonly row: BubbleRow }) {
  return (
    <tr class={row.mark}>
      <th scope="row">
        <span class="mark" aria-hidden="true">
          {marks[row.mark]}
        </span>
        <a href={bubblePath(row.repo, row.id)}>{row.id}</a> <span class="repo">{row.repo}</span>
        <span class="title">{row.title}</span>
      </th>
      <td>
        {row.state}
        {row.problem ? <span class="quiet"> {row.problem}</span> : null}
      </td>
      <td class="quiet">{row.where}</td>
      <td>{row.round > 0 ? `${row.round}/${row.max_rounds}` : ""}</td>
      <td>
        {row.who}
        {row.host ? <span class="quiet"> on {row.host}</span> : null}
      </td>
      <td>{row.open}</td>
      <td>{row.gates.length > 0 ? <GateMarks gates={row.gates} /> : null}</td>
      <td>{row.usd === null ? "" : dollars(row.usd)}</td>
      <td class="quiet">{row.sign_at ? <Age at={row.sign_at} /> : null}</td>
      <td>
        <Actions repo={row.repo} bubble={row.id} actions={row.actions} />
      </td>
    </tr>
  );
}
