import { useMemo } from 'react';
import { cx } from '../../../lib/cx.js';
import { useSectionInView } from '../../../lib/use-section-in-view.js';

/** The section in view has its title in the upper part of the window. */
const lineOf = (windowHeight: number): number => windowHeight / 3;

interface SectionMenuProps {
  readonly sections: readonly { readonly id: string; readonly title: string }[];
}

/** The sections of the tab, with the one in view; not on phones. */
export function SectionMenu({ sections }: SectionMenuProps): React.ReactNode {
  const ids = useMemo(() => sections.map(({ id }) => id), [sections]);
  const current = useSectionInView(ids, lineOf);
  return (
    <nav aria-label="Controls" className="sticky top-24 hidden self-start lg:block">
      <ol className="border-l border-line">
        {sections.map(({ id, title }, index) => (
          <li key={id}>
            <a
              href={`#${id}`}
              aria-current={index === current ? 'true' : undefined}
              className={cx(
                '-ml-px block border-l-2 py-2 pl-4 text-14 hover:text-ink',
                index === current ? 'border-seal-mark font-[560] text-ink' : 'border-transparent text-ink-2',
              )}
              onClick={(event) => {
                // The address stays: it names the tab.
                event.preventDefault();
                openSection(id);
              }}
            >
              {title}
            </a>
          </li>
        ))}
      </ol>
    </nav>
  );
}

/** Scrolls to a section and moves the focus to its title. */
export function openSection(id: string): void {
  const title = document.getElementById(id);
  title?.scrollIntoView({ block: 'start' });
  title?.focus({ preventScroll: true });
}
