interface SectionProps {
  /** Also the target of the section menu. */
  readonly id: string;
  readonly title: string;
  /** Right of the title. */
  readonly aside?: React.ReactNode;
  readonly lead?: React.ReactNode;
  readonly children?: React.ReactNode;
}

/** A titled part of the tab. Its title can take the focus, for the menu and when a focused control disappears. */
export function Section({ id, title, aside, lead, children }: SectionProps): React.ReactNode {
  return (
    <section
      aria-labelledby={id}
      className="scroll-mt-24 border-line not-first:mt-8 not-first:border-t not-first:pt-8 sm:scroll-mt-28"
    >
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-3">
        <h2 id={id} tabIndex={-1} className="display-sm scroll-mt-28 text-32 outline-none">
          {title}
        </h2>
        {aside}
      </div>
      {lead && <p className="mt-2 max-w-[100ch] text-16 text-ink-2">{lead}</p>}
      {children}
    </section>
  );
}

/** A row of a record: what, and its value. */
export function Fact({ label, children }: { readonly label: string; readonly children: React.ReactNode }) {
  return (
    <div className="flex gap-4 border-b border-line py-2.5 last:border-0 sm:gap-6">
      <dt className="w-28 shrink-0 text-ink-2 sm:w-36">{label}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </div>
  );
}
