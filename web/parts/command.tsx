// A command to type in a terminal, and a button that copies it.
import { useSignal } from "@preact/signals";

export function Command({ text }: { readonly text: string }) {
  const copied = useSignal(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    copied.value = true;
    setTimeout(() => {
      copied.value = false;
    }, 2000);
  };
  return (
    <span class="command">
      <code>{text}</code>
      <button type="button" class="plain" aria-label="Copy the command" onClick={() => void copy()}>
        {copied.value ? "copied" : "copy"}
      </button>
    </span>
  );
}
