import { useEffect, useState } from 'react';
import { cx } from '../../../lib/cx.js';

interface SectionMenuProps {
  readonly sections: readonly { readonly id: string; readonly title: string }[];
}

/** The sections of the tab, with the one in view; not on phones. */
export function SectionMenu({ sections }: SectionMenuProps): React.ReactNode {
  const current = useSectionInView(sections.map(({ id }) => id).join(' '));
  return (
    <nav aria-label="Controls" className="sticky top-24 hidden self-start lg:block">
      <ol className="border-l border-line">
        {sections.map(({ id, title }) => (
          <li key={id}>
            <a
              href={`#${id}`}
              aria-current={id === current ? 'true' : undefined}
              className={cx(
                '-ml-px block border-l-2 py-2 pl-4 text-14 hover:text-ink',
                id === current ? 'border-seal-mark font-[560] text-ink' : 'border-transparent text-ink-2',
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

/** The id of the last section whose title has passed the upper part of the window. @param ids separated by spaces */
function useSectionInView(ids: string): string | undefined {
  const [current, setCurrent] = useState(ids.split(' ')[0]);
  useEffect(() => {
    const look = (): void => {
      const passed = ids.split(' ').filter((id) => {
        const title = document.getElementById(id);
        return title !== null && title.getBoundingClientRect().top < window.innerHeight / 3;
      });
      setCurrent(passed.at(-1) ?? ids.split(' ')[0]);
    };
    window.addEventListener('scroll', look, { passive: true });
    return () => window.removeEventListener('scroll', look);
  }, [ids]);
  return current;
}
