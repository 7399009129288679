/** A sentence of the document, in which words between backticks are code. */
export function Described({ text }: { text: string }) {
  return text.split('`').map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      // The parts have no other identity than their places.
      <code key={`${index} ${part}`} className="font-mono text-[0.92em] text-ink">
        {part}
      </code>
    ),
  );
}
