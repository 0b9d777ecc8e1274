// A digest in groups of four, as in the terminal, to be compared by eye.
export function Digest({ digest }: { readonly digest: string }) {
  const groups = digest.slice(0, 12).match(/.{1,4}/g) ?? [];
  return (
    <span class="digest" title={digest}>
      digest <code>{groups.join(" ")}</code> … <code>{digest.slice(-4)}</code>
    </span>
  );
}
