import { BackLink } from './back-link.js';

interface GenerationFrameProps {
  /** Next to the back link. */
  readonly paging?: React.ReactNode;
  readonly banner?: React.ReactNode;
  /** Fills the square. */
  readonly square: React.ReactNode;
  readonly squareRef?: React.Ref<HTMLDivElement>;
  readonly side: React.ReactNode;
  /** Below square and side. */
  readonly children?: React.ReactNode;
}

/** The layout of the generation pages: a square as large as the screen allows, a side, and content below. */
export function GenerationFrame({
  paging,
  banner,
  square,
  squareRef,
  side,
  children,
}: GenerationFrameProps): React.ReactNode {
  return (
    <div className="wrap min-h-svh pt-2">
      <div className="flex items-center justify-between gap-4">
        <BackLink />
        {paging}
      </div>
      {banner && <div className="mb-4 mt-2">{banner}</div>}
      <div className="mt-2 grid gap-6 lg:grid-cols-[max(320px,min(100svh-232px,100%-48px-clamp(320px,37%,448px)))_minmax(0,1fr)] lg:gap-12">
        <div className="w-full max-w-[max(280px,calc(100svh-232px))] lg:max-w-none">
          <div
            ref={squareRef}
            tabIndex={-1}
            className="relative aspect-square overflow-hidden rounded-panel bg-surface outline-none"
          >
            {square}
          </div>
        </div>
        <div className="min-w-0">{side}</div>
      </div>
      {children}
    </div>
  );
}
