// A tree by its first characters, in groups that can be compared.
export function TreeName({ tree }: { readonly tree: string }) {
  return (
    <code title={tree}>
      {tree.slice(0, 4)} {tree.slice(4, 8)}
    </code>
  );
}
