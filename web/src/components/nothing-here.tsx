import { ButtonLink } from './button.js';

interface NothingHereProps {
  /** `Page not found` */
  readonly title: string;
  /** The reasons that there may be. */
  readonly children?: React.ReactNode;
}

/** A page for an address that has nothing. */
export function NothingHere({ title, children }: NothingHereProps): React.ReactNode {
  return (
    <div className="wrap flex min-h-[60svh] flex-col items-start justify-center py-16">
      <title>{`${title} · Fanvas`}</title>
      <h1 className="display text-64 sm:text-96">{title}</h1>
      {children !== undefined && <p className="mt-4 max-w-[52ch] text-18 text-ink-2">{children}</p>}
      <ButtonLink to="/" kind="solid" size={48} className="mt-8">
        Back to Discovery
      </ButtonLink>
    </div>
  );
}
