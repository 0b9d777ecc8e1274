// Twelve languages as trees of words. No HTML is made: the tree becomes elements by us.

import bash from "highlight.js/lib/languages/bash";
import css from "highlight.js/lib/languages/css";
import go from "highlight.js/lib/languages/go";
import java from "highlight.js/lib/languages/java";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import markdown from "highlight.js/lib/languages/markdown";
import python from "highlight.js/lib/languages/python";
import rust from "highlight.js/lib/languages/rust";
import sql from "highlight.js/lib/languages/sql";
import typescript from "highlight.js/lib/languages/typescript";
import xml from "highlight.js/lib/languages/xml";
import yaml from "highlight.js/lib/languages/yaml";
import { createLowlight } from "lowlight";
import type { Token } from "./rows.ts";

const languages = {
  bash,
  css,
  go,
  java,
  javascript,
  json,
  markdown,
  python,
  rust,
  sql,
  typescript,
  xml,
  yaml,
};
const low = createLowlight(languages);

interface Node {
  readonly type: string;
  readonly value?: string;
  readonly properties?: { readonly className?: readonly string[] };
  readonly children?: readonly Node[];
}

/** The tokens of each line. */
export function tokensOf(language: string, text: string): Token[][] {
  const lines: Token[][] = [[]];
  const walk = (node: Node, kind: string) => {
    const own = node.properties?.className?.[0]?.replace(/^hljs-/, "") ?? kind;
    if (node.type === "text") put(lines, node.value ?? "", own);
    for (const child of node.children ?? []) walk(child, own);
  };
  walk(low.highlight(language, text) as Node, "");
  return lines;
}

function put(lines: Token[][], text: string, kind: string): void {
  text.split("\n").forEach((part, index) => {
    if (index > 0) lines.push([]);
    if (part) lines.at(-1)?.push({ text: part, kind });
  });
}
