/** A name, e-mail address or handle within a sentence: programs that translate the page leave it as it is. */
export function Name({ children }: { readonly children: string }): React.ReactNode {
  return <bdi translate="no">{children}</bdi>;
}

interface NamedProps {
  readonly text: string;
  /** The names that the text may contain. */
  readonly name: string | readonly (string | null | undefined)[] | undefined;
}

/** A finished sentence that may contain names. */
export function Named({ text, name }: NamedProps): React.ReactNode {
  const names = [name]
    .flat()
    .filter((each): each is string => typeof each === 'string' && each !== '')
    .sort((one, other) => other.length - one.length);
  if (names.length === 0) return <span>{text}</span>;
  const pattern = names.map((each) => each.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|');
  const parts = text.split(new RegExp(`(${pattern})`));
  if (parts.length === 1) return <span>{text}</span>;
  return (
    <span>
      {parts.map((part, index) =>
        // Each second part is a name.
        index % 2 === 1 ? <Name key={index}>{part}</Name> : part !== '' && <span key={index}>{part}</span>,
      )}
    </span>
  );
}
