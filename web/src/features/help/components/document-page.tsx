import { useEffect } from 'react';
import { useLocation } from 'react-router-dom';
import { slug } from '../slug.js';

/** One part of a text page. */
export interface Section {
  readonly title: string;
  /** A string is a paragraph, a list of strings a list. */
  readonly body: readonly (React.ReactNode | readonly string[])[];
}

interface DocumentPageProps {
  readonly title: string;
  /** Effective date; absent for texts that are not a contract. */
  readonly effective?: string;
  readonly intro: React.ReactNode;
  readonly sections: readonly Section[];
}

/** A text page: title, contents, and sections with anchors. */
export function DocumentPage({ title, effective, intro, sections }: DocumentPageProps): React.ReactNode {
  const { hash } = useLocation();
  // The browser resolved the fragment before this page was loaded.
  useEffect(() => {
    if (hash !== '') document.getElementById(hash.slice(1))?.scrollIntoView();
  }, [hash]);

  return (
    <article className="wrap pt-1 sm:pt-3">
      <title>{`${title} · Fanvas`}</title>
      <h1 className="display text-[3.25rem] text-balance sm:text-[4.5rem]">{title}</h1>
      {effective && <p className="mt-4 text-14 text-ink-2">Effective {effective}</p>}
      <p className="mt-5 max-w-[64ch] text-18 text-ink-2">{intro}</p>
      <div className="mt-8 gap-16 border-t border-line pt-8 sm:mt-12 sm:pt-10 lg:grid lg:grid-cols-[16rem_minmax(0,1fr)]">
        <nav aria-label="Contents" className="mb-10 lg:sticky lg:top-24 lg:mb-0 lg:self-start">
          <ul className="space-y-1.5 text-14">
            {sections.map((section) => (
              <li key={section.title}>
                <a
                  href={`#${slug(section.title)}`}
                  className="inline-flex min-h-6 items-center text-ink-2 underline-offset-4 hover:text-ink hover:underline"
                >
                  {section.title}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <div className="max-w-[68ch] space-y-10">
          {sections.map((section) => (
            <section key={section.title} aria-labelledby={slug(section.title)}>
              <h2 id={slug(section.title)} className="scroll-mt-24 text-20 font-[620]">
                {section.title}
              </h2>
              <div className="mt-3 space-y-3 text-16 text-ink-2">{section.body.map(block)}</div>
            </section>
          ))}
        </div>
      </div>
    </article>
  );
}

function block(part: Section['body'][number], index: number): React.ReactNode {
  if (!Array.isArray(part)) return <p key={index}>{part as React.ReactNode}</p>;
  return (
    <ul key={index} className="list-disc space-y-1.5 pl-5 marker:text-ink-3">
      {(part as readonly string[]).map((item) => (
        <li key={item}>{item}</li>
      ))}
    </ul>
  );
}
