// Elements as text. Every string is escaped; only what this file made is markup, so no word of a record can be.

export interface Markup {
  readonly markup: string;
}

export type Child = Markup | string | number | null | readonly Child[];

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

const escapeText = (text: string): string => text.replace(/[&<>"']/g, (one) => entities[one] ?? one);

/** `writeElement("p", { class: "quiet" }, "words")`; an attribute that is undefined is left out. */
export function writeElement(
  name: string,
  attributes: Readonly<Record<string, string | undefined>>,
  ...children: readonly Child[]
): Markup {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}="${escapeText(value ?? "")}"`);
  return { markup: `<${name}${written.join("")}>${children.map(write).join("")}</${name}>` };
}

function write(child: Child): string {
  if (child === null) return "";
  if (typeof child === "string") return escapeText(child);
  if (typeof child === "number") return String(child);
  return "markup" in child ? child.markup : child.map(write).join("");
}

/** The whole file. Its policy loads nothing and runs nothing, and takes this one style sheet. */
export function buildDocument(
  { title, style, styleHash }: { readonly title: string; readonly style: string; readonly styleHash: string },
  ...body: readonly Child[]
): string {
  const policy = `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'`;
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escapeText(title)}</title><style>${style}</style></head>`,
    `<body>${body.map(write).join("")}</body></html>\n`,
  ].join("\n");
}
