// What does not wait for the person: who works, who is silent, plans nobody committed to, records that cannot be read.
import type { ComponentChildren } from "preact";
import type { PlanRow, ProblemRow, WorkingRow } from "../../../src/core/views/page/inbox.ts";
import { bubblePath, planPath } from "../../app/route.ts";
import { duration, now } from "../../live/clock.ts";
import { Actions } from "../../parts/actions.tsx";
import { Age } from "../../parts/age.tsx";
import { Command } from "../../parts/command.tsx";

function Section({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  const id = name.replaceAll(" ", "-").toLowerCase();
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{name}</h2>
      <ul class="rows">{children}</ul>
    </section>
  );
}

export function Works({ rows }: { readonly rows: readonly WorkingRow[] }) {
  if (rows.length === 0) return null;
  return (
    <Section name="Works">
      {rows.map((row) => (
        <li key={`${row.repo}/${row.bubble}`}>
          <Name row={row} mark="●" />
          <span>
            {row.doing} · round {row.round} of {row.max_rounds}
            {row.host ? ` · on ${row.host}` : ""}
          </span>
          <span class="quiet">
            {row.says ? `“${row.says}” · ` : ""}
            {row.sign_at ? (
              <>
                sign <Age at={row.sign_at} /> ago
              </>
            ) : row.since ? (
              <>
                for <Age at={row.since} />
              </>
            ) : null}
          </span>
        </li>
      ))}
    </Section>
  );
}

export function Silent({ rows }: { readonly rows: readonly WorkingRow[] }) {
  if (rows.length === 0) return null;
  return (
    <Section name="Silent">
      {rows.map((row) => (
        <li key={`${row.repo}/${row.bubble}`}>
          <Name row={row} mark="○" />
          <span>
            {row.doing} · {row.silent}
            {row.host ? ` · on ${row.host}` : ""}
            {row.sign_at ? (
              <>
                {" for "}
                <Age at={row.sign_at} />
              </>
            ) : null}
          </span>
          <span class="quiet">
            {row.watchdog_at ? `watchdog in ${duration(Date.parse(row.watchdog_at) - now.value)}` : ""}
            {row.command ? <Command text={row.command} /> : null}{" "}
            <Actions repo={row.repo} bubble={row.bubble} actions={row.actions} />
          </span>
        </li>
      ))}
    </Section>
  );
}

function Name({ row, mark }: { readonly row: { repo: string; bubble: string }; readonly mark: string }) {
  return (
    <span class="name">
      <span class="mark" aria-hidden="true">
        {mark}
      </span>
      <a href={bubblePath(row.repo, row.bubble)}>{row.bubble}</a> <span class="repo">{row.repo}</span>
    </span>
  );
}

export function Plans({ rows }: { readonly rows: readonly PlanRow[] }) {
  if (rows.length === 0) return null;
  return (
    <Section name="Plans not committed">
      {rows.map((row) => (
        <li key={`${row.repo}/${row.slug}`}>
          <span class="name">
            <a href={planPath(row.repo, row.slug)}>{row.slug}</a> <span class="repo">{row.repo}</span>
          </span>
          <span>{row.title}</span>
          <span class="quiet">
            <Age at={row.created_at} /> ago <Command text={row.next} />
          </span>
        </li>
      ))}
    </Section>
  );
}

export function Problems({ rows }: { readonly rows: readonly ProblemRow[] }) {
  if (rows.length === 0) return null;
  return (
    <Section name="Something is wrong">
      {rows.map((row) => (
        <li key={`${row.repo}/${row.bubble}`}>
          <Name row={row} mark="▲" />
          <span>{row.problem}</span>
          <Command text={row.command} />
        </li>
      ))}
    </Section>
  );
}
