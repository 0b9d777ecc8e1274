// Tokens of Markdown as elements of ours. A link is its text with the address beside it, a picture is its name; neither leads
// anywhere, and HTML is shown as it is written.
import { lexer, type Token, type Tokens } from "marked";
import type { ComponentChildren } from "preact";

/** Longer texts are no prose, and reading them as such takes too long. */
const longest = 200_000;
/** Nobody writes deeper; who does wants to exhaust something. */
const deepest = 12;

export function elementsOf(text: string): ComponentChildren {
  if (text.length > longest) return <pre>{text}</pre>;
  return blocks(lexer(text, { gfm: true }), 0);
}

const blocks = (tokens: readonly Token[], depth: number): ComponentChildren =>
  tokens.map((token, index) => <Block key={index} token={token} depth={depth} />);

interface Part {
  readonly token: Token;
  readonly depth: number;
}

function Block({ token, depth }: Part) {
  if (depth > deepest) return <p>{token.raw}</p>;
  switch (token.type) {
    case "space":
    case "def":
      return null;
    case "hr":
      return <hr />;
    case "heading":
      return <p class={`heading level-${token.depth}`}>{inline(token.tokens ?? [], depth + 1)}</p>;
    case "paragraph":
      return <p>{inline(token.tokens ?? [], depth + 1)}</p>;
    case "code":
      return <pre>{token.text}</pre>;
    case "blockquote":
      return <blockquote>{blocks(token.tokens ?? [], depth + 1)}</blockquote>;
    case "list":
      return <List list={token as Tokens.List} depth={depth} />;
    case "table":
      return <Table table={token as Tokens.Table} depth={depth} />;
    case "text":
      return <>{"tokens" in token && token.tokens ? inline(token.tokens, depth + 1) : token.raw}</>;
    default:
      return <p>{token.raw}</p>;
  }
}

function List({ list, depth }: { readonly list: Tokens.List; readonly depth: number }) {
  const items = list.items.map((item, index) => (
    <li key={index}>
      {item.task ? (item.checked ? "☑ " : "☐ ") : null}
      {blocks(
        item.tokens.filter(({ type }) => type !== "checkbox"),
        depth + 1,
      )}
    </li>
  ));
  return list.ordered ? <ol start={list.start || 1}>{items}</ol> : <ul>{items}</ul>;
}

function Table({ table, depth }: { readonly table: Tokens.Table; readonly depth: number }) {
  return (
    <table>
      <thead>
        <tr>
          {table.header.map((cell, index) => (
            <th key={index} scope="col">
              {inline(cell.tokens, depth + 1)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {table.rows.map((row, index) => (
          <tr key={index}>
            {row.map((cell, column) => (
              <td key={column}>{inline(cell.tokens, depth + 1)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const inline = (tokens: readonly Token[], depth: number): ComponentChildren =>
  tokens.map((token, index) => <Inline key={index} token={token} depth={depth} />);

function Inline({ token, depth }: Part) {
  if (depth > deepest) return <>{token.raw}</>;
  const inner = () => inline(("tokens" in token && token.tokens) || [], depth + 1);
  switch (token.type) {
    case "strong":
      return <b>{inner()}</b>;
    case "em":
      return <em>{inner()}</em>;
    case "del":
      return <s>{inner()}</s>;
    case "codespan":
      return <code>{token.text}</code>;
    case "br":
      return <br />;
    case "escape":
      return <>{token.text}</>;
    case "link":
      return <Link link={token as Tokens.Link}>{inner()}</Link>;
    case "image":
      return <span class="quiet">{`[picture: ${token.text || token.href}]`}</span>;
    case "text":
      return <>{"tokens" in token && token.tokens ? inner() : token.raw}</>;
    default:
      return <>{token.raw}</>;
  }
}

/** Where it would lead is read, not followed. */
function Link({ link, children }: { readonly link: Tokens.Link; readonly children: ComponentChildren }) {
  if (link.text === link.href || link.raw === link.href) return <span class="address">{link.href}</span>;
  return (
    <span>
      {children} <span class="address">({link.href})</span>
    </span>
  );
}
