/** A name, e-mail address or handle within a sentence: programs that translate the page leave it as it is. */
export function Name({ children }: { readonly children: string }): React.ReactNode {
  return <bdi translate="no">{children}</bdi>;
}

/** A finished sentence that may contain a name. */
export function Named({ text, name }: { readonly text: string; readonly name: string | undefined }): React.ReactNode {
  const at = name ? text.indexOf(name) : -1;
  if (!name || at < 0) return <span>{text}</span>;
  return (
    <span>
      {at > 0 && <span>{text.slice(0, at)}</span>}
      <Name>{name}</Name>
      {at + name.length < text.length && <span>{text.slice(at + name.length)}</span>}
    </span>
  );
}
