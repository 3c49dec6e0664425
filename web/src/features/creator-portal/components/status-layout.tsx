import { Check } from 'lucide-react';
import { initials } from '../../../components/avatar.js';
import { cx } from '../../../lib/cx.js';

interface StatusLayoutProps {
  readonly title: string;
  readonly badge: React.ReactNode;
  /** Next to the badge. */
  readonly date: string;
  readonly children: React.ReactNode;
  /** On the right; below on phones. */
  readonly aside: React.ReactNode;
}

/** The state of an application. */
export function StatusLayout({ title, badge, date, children, aside }: StatusLayoutProps): React.ReactNode {
  return (
    <div className="wrap grid grid-cols-[minmax(0,1fr)] gap-8 pb-4 pt-1 sm:pt-3 lg:grid-cols-[minmax(0,1fr)_340px] lg:gap-x-18">
      <title>{`${title} · Fanvas`}</title>
      <div>
        <p className="flex flex-wrap items-center gap-3 text-14 text-ink-2">
          {badge}
          {date}
        </p>
        <h1 className="display -ml-0.5 mt-4 text-[3.5rem] sm:text-[5rem]">{title}</h1>
        {children}
      </div>
      <div>{aside}</div>
    </div>
  );
}

export interface StatusStep {
  readonly title: string;
  readonly text: React.ReactNode;
  readonly state: 'done' | 'now' | 'to-come';
}

/** The way from the application to the dashboard. */
export function StatusSteps({ steps }: { readonly steps: readonly StatusStep[] }): React.ReactNode {
  return (
    <ol className="mt-8">
      {steps.map(({ title, text, state }) => (
        <li
          key={title}
          aria-current={state === 'now' ? 'step' : undefined}
          className="relative flex gap-3.5 pb-5 not-last:before:absolute not-last:before:bottom-0 not-last:before:left-[11.5px] not-last:before:top-6 not-last:before:w-px not-last:before:bg-line"
        >
          <span
            aria-hidden
            className={cx(
              'relative flex size-6 shrink-0 items-center justify-center rounded-full',
              state === 'done' ? 'bg-inverse text-on-inverse' : 'border-2',
              state === 'now' && 'border-seal-mark after:size-2 after:rounded-full after:bg-seal-mark',
              state === 'to-come' && 'border-line-strong',
            )}
          >
            {state === 'done' && <Check className="size-3.5" strokeWidth={2.5} />}
          </span>
          <div>
            <p className="text-16 font-[600]">
              <span>{title}</span>
              {state === 'done' && <span className="sr-only"> (done)</span>}
            </p>
            <p className="text-14 text-ink-2">{text}</p>
          </div>
        </li>
      ))}
    </ol>
  );
}

/** The creator's card on the home page, still empty. */
export function CardToCome({ name, caption }: { readonly name: string; readonly caption: string }): React.ReactNode {
  const frame = 'border border-dashed border-line-strong';
  return (
    <figure className="max-w-[260px] lg:max-w-none">
      <div aria-hidden className="grid aspect-square grid-cols-[2fr_1fr] grid-rows-3 gap-1">
        <div
          className={cx(
            frame,
            'display row-span-3 flex items-center justify-center rounded-sm rounded-l-tile text-64 text-ink-3 lg:text-96',
          )}
        >
          {initials(name)}
        </div>
        <div className={cx(frame, 'rounded-sm rounded-tr-tile')} />
        <div className={cx(frame, 'rounded-sm')} />
        <div className={cx(frame, 'rounded-sm rounded-br-tile')} />
      </div>
      <figcaption className="mt-3 text-13 text-ink-2">{caption}</figcaption>
    </figure>
  );
}
