// Gates by word and shape: a mark alone would be a colour puzzle.
interface Gate {
  readonly name: string;
  readonly status: string;
}

const marks: Readonly<Record<string, string>> = { passed: "✓", failed: "✗", skipped: "–", waived: "~" };

export function GateMarks({ gates }: { readonly gates: readonly Gate[] }) {
  if (gates.length === 0) return <span class="gates quiet">no gate ran</span>;
  return (
    <span class="gates">
      {gates.map(({ name, status }) => (
        <span key={name} class={`gate ${status}`}>
          {name}{" "}
          <span role="img" aria-label={status}>
            {marks[status] ?? status}
          </span>
        </span>
      ))}
    </span>
  );
}
