/** A text of ours in which names stand between backticks, as in the API reference. */
export function MarkedText({ text }: { readonly text: string }) {
  return text.split('`').map((part, at) =>
    at % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts have nothing else
      <code key={at} className="mono">
        {part}
      </code>
    ) : (
      part
    ),
  );
}
