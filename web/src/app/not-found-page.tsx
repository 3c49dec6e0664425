import { ButtonLink } from '../components/button.js';

export function NotFoundPage(): React.ReactNode {
  return (
    <div className="wrap flex min-h-[60svh] flex-col items-start justify-center py-16">
      <title>Page not found · Fanvas</title>
      <h1 className="display text-64 sm:text-96">Page not found</h1>
      <p className="mt-4 max-w-[52ch] text-18 text-ink-2">
        There is nothing at this address. The link may be old, or a letter may be missing.
      </p>
      <ButtonLink to="/" kind="solid" size={48} className="mt-8">
        Back to Discovery
      </ButtonLink>
    </div>
  );
}
