// One place of the machine as a confined program meets it.

export type Mount =
  /** As it is, and never written. */
  | { readonly kind: "read"; readonly path: string }
  /** As it is. */
  | { readonly kind: "write"; readonly path: string }
  /** Nothing of it is there; nothing can be put there. */
  | { readonly kind: "hide"; readonly path: string }
  /** An own folder in its place. */
  | { readonly kind: "own"; readonly path: string; readonly from: "home" | "temporary" }
  /** As it is; what is written goes into an own folder. `layer` names it, `below` one that was written before. */
  | { readonly kind: "copy"; readonly path: string; readonly layer: string; readonly below?: string }
  /** As it is; what is written is dropped when the run ends. */
  | { readonly kind: "draft"; readonly path: string };
