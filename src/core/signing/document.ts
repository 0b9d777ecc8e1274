// The approved document that a bubble implements, as people read it on screens and in the package.
import type { ImplementedDocument } from "../model/record/payloads/parts.ts";

/** `docs/cart.md as approved in cart-prd`. */
export const describeImplementedDocument = ({
  path,
  bubble,
}: Pick<ImplementedDocument, "path" | "bubble">): string => `${path} as approved in ${bubble}`;

/** The same, with where its bytes are and their hash: what the person who signs can check. */
export const renderImplementedDocument = (document: ImplementedDocument): string =>
  `${describeImplementedDocument(document)} (tree ${document.tree.slice(0, 10)}; artifact ${document.artifact}, sha256 ${document.sha256})`;
