import { ChevronDown } from 'lucide-react';
import { useId } from 'react';
import {
  CREATOR_TERMS,
  CREATOR_TERMS_EFFECTIVE,
  CREATOR_TERMS_VERSION,
} from '../../../../../src/contract/creator-terms.js';
import { cx } from '../../../lib/cx.js';
import { useSectionInView } from '../../../lib/use-section-in-view.js';

interface TermsArticleProps {
  /** Next to the text on wide screens, below it on others. */
  readonly aside?: React.ReactNode;
}

const WORDS_PER_MINUTE = 230;
/** A section is read while its top is above this line. */
const lineOf = (): number => 160;
const IDS = CREATOR_TERMS.map((_, index) => `terms-${index + 1}`);
const HIGHLIGHTS = [
  [
    'You Own Your Likeness',
    'Your name, face, voice and style stay yours. You allow Fanvas to use them for pictures that fans ask for, and for nothing else.',
  ],
  [
    'Exit Anytime',
    'Withdraw when you like. New pictures stop at once, your model is deleted, and what you have earned is still paid.',
  ],
] as const;

/** The Creator Terms of Use with title, highlights and sections. */
export function TermsArticle({ aside }: TermsArticleProps): React.ReactNode {
  const current = useSectionInView(IDS, lineOf);
  return (
    <div className="wrap pb-12 pt-1 sm:pb-16">
      <div className="flex flex-wrap items-end justify-between gap-x-12 gap-y-4">
        <h1 className="display -ml-0.5 max-w-[5em] text-[3.5rem] sm:text-[4.5rem]">Creator Terms of Use</h1>
        <p className="pb-1.5 text-14 text-ink-2">
          Version {CREATOR_TERMS_VERSION}, effective {CREATOR_TERMS_EFFECTIVE}
          <br />
          <span>About {minutesToRead()} minutes to read</span>
        </p>
      </div>
      <div className="mt-8 grid border-t border-line sm:grid-cols-2 sm:border-b">
        {HIGHLIGHTS.map(([title, text]) => (
          <section
            key={title}
            className="border-b border-line py-4.5 sm:border-b-0 sm:pb-6.5 sm:pr-10 sm:pt-6 sm:not-first:border-l sm:not-first:pl-10"
          >
            <h2 className="display-sm text-32">{title}</h2>
            <p className="mt-2 text-16 text-ink-2">{text}</p>
          </section>
        ))}
      </div>
      <div className="mt-10 grid grid-cols-[minmax(0,1fr)] gap-x-12 gap-y-4 lg:grid-cols-[216px_minmax(0,1fr)] xl:grid-cols-[216px_minmax(0,1fr)_296px]">
        <Contents current={current} />
        <SectionSelect current={current} />
        <article aria-label="Terms" className="leading-[1.625rem]">
          {CREATOR_TERMS.map(({ title, paragraphs }, index) => (
            <section key={title} aria-labelledby={IDS[index]} className="not-first:mt-8">
              <h2
                id={IDS[index]}
                tabIndex={-1}
                className="display-sm scroll-mt-34 text-24 outline-none lg:scroll-mt-24"
              >
                {index + 1}. {title}
              </h2>
              {paragraphs.map((text, position) => (
                <p key={text} className="mt-3.5 max-w-[66ch] text-16 first-of-type:mt-3">
                  <span className="tabular-nums text-ink-2">
                    {index + 1}.{position + 1}
                  </span>{' '}
                  <span>{text}</span>
                </p>
              ))}
            </section>
          ))}
        </article>
        {aside && <div className="mt-8 lg:col-start-2 xl:col-start-auto xl:mt-0">{aside}</div>}
      </div>
    </div>
  );
}

interface CurrentProps {
  readonly current: number;
}

function Contents({ current }: CurrentProps): React.ReactNode {
  return (
    <nav
      aria-label="Sections"
      className="sticky top-24 hidden max-h-[calc(100svh-200px)] self-start overflow-y-auto border-r border-line lg:block"
    >
      <ol>
        {CREATOR_TERMS.map(({ title }, index) => (
          <li key={title} className="relative pr-4">
            <a
              href={`#${IDS[index] ?? ''}`}
              aria-current={index === current ? 'location' : undefined}
              className={cx(
                'flex gap-3 py-1.75 text-14',
                index === current
                  ? 'font-[560] text-ink after:absolute after:inset-y-1 after:right-0 after:w-0.5 after:bg-seal-mark'
                  : 'text-ink-2 hover:text-ink',
              )}
              onClick={(event) => {
                // The navigation state of the page must stay, and a hash would replace it.
                event.preventDefault();
                showSection(index);
              }}
            >
              <span aria-hidden className="w-5 shrink-0 tabular-nums">
                {index + 1}
              </span>
              <span>{title}</span>
            </a>
          </li>
        ))}
      </ol>
    </nav>
  );
}

/** The sections on phones. */
function SectionSelect({ current }: CurrentProps): React.ReactNode {
  const id = useId();
  return (
    <div className="sticky top-14 z-10 -mx-(--gutter) bg-bg px-(--gutter) py-2 sm:top-16 lg:hidden">
      <label htmlFor={id} className="sr-only">
        Section
      </label>
      <div className="relative">
        <select
          id={id}
          value={current}
          className="block h-11 w-full appearance-none truncate rounded-ctl border border-line-strong bg-bg pl-3.5 pr-10 text-14 font-[560]"
          onChange={(event) => showSection(Number(event.target.value))}
        >
          {CREATOR_TERMS.map(({ title }, index) => (
            <option key={title} value={index}>
              {`${index + 1} of ${CREATOR_TERMS.length}: ${title}`}
            </option>
          ))}
        </select>
        <ChevronDown aria-hidden className="pointer-events-none absolute right-3 top-3 size-5" />
      </div>
    </div>
  );
}

function showSection(index: number): void {
  const heading = document.getElementById(IDS[index] ?? '');
  heading?.scrollIntoView();
  heading?.focus({ preventScroll: true });
}

function minutesToRead(): number {
  const text = CREATOR_TERMS.flatMap(({ title, paragraphs }) => [title, ...paragraphs]).join(' ');
  return Math.max(1, Math.round(text.split(/\s+/).length / WORDS_PER_MINUTE));
}
