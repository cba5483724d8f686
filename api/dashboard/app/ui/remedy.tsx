/** A text of the service; the pages of docs/ that it names are links. */
export function Remedy({ text }: { text: string }) {
  const parts = text.split(/(\bdocs\/[a-z-]+\.md\b)/);
  return (
    <>
      {parts.map((part, index) =>
        index % 2 === 1 ? (
          <a key={part} href={part}>
            {part}
          </a>
        ) : (
          part
        ),
      )}
    </>
  );
}
