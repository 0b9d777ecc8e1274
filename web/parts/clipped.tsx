// A long text of an agent or a person: its beginning, and all of it when somebody asks for it.
import { useSignal } from "@preact/signals";

const mostLines = 10;
const mostLetters = 800;

export function Clipped({ text }: { readonly text: string }) {
  const isWhole = useSignal(false);
  const begun = cutText(text);
  if (begun === text) return <>{text}</>;
  return (
    <>
      {isWhole.value ? text : `${begun} …`}{" "}
      <button
        type="button"
        class="plain"
        aria-expanded={isWhole.value}
        onClick={() => {
          isWhole.value = !isWhole.value;
        }}
      >
        {isWhole.value ? "show less" : `show all ${text.length} characters`}
      </button>
    </>
  );
}

/** At the end of a line or a word; a text that is only a little longer is not worth a button. */
function cutText(text: string): string {
  const lines = text.split("\n").slice(0, mostLines).join("\n");
  const begun =
    lines.length > mostLetters
      ? lines.slice(0, lines.lastIndexOf(" ", mostLetters) + 1 || mostLetters)
      : lines;
  return text.length - begun.length < mostLetters / 4 && text.split("\n").length <= mostLines + 2
    ? text
    : begun.trimEnd();
}
