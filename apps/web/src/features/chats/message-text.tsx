/** An address of the web: what ends a sentence or closes a bracket does not belong to it. */
const ADDRESS = /(https?:\/\/[^\s<>"“”]*[^\s<>"“”.,;:!?)\]'’])/;

/** What a member wrote. Addresses of the web lead there, in another tab which learns nothing of this one. */
export function MessageText({ text }: { text: string }) {
  return text.split(ADDRESS).map((part, index) =>
    // Every second part is an address.
    index % 2 === 1 && URL.canParse(part) ? (
      <a
        key={index}
        href={part}
        target="_blank"
        rel="noopener noreferrer nofollow"
        className="underline underline-offset-2 wrap-anywhere"
      >
        {part}
      </a>
    ) : (
      <span key={index}>{part}</span>
    ),
  );
}
