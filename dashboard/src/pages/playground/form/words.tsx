/** A sentence of the description; what stands in backticks is code. */
export function Words({ text }: { readonly text: string }) {
  return text.split('`').map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one sentence do not move
      <code key={index} className="mono">
        {part}
      </code>
    ),
  );
}
