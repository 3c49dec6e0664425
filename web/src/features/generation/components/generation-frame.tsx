import { BackLink } from './back-link.js';

/** Width and height in any unit: only their ratio counts. */
export interface FrameShape {
  readonly width: number;
  readonly height: number;
}

interface GenerationFrameProps {
  /** The shape of the picture, also before there is one. */
  readonly shape: FrameShape;
  /** Next to the back link. */
  readonly paging?: React.ReactNode;
  readonly banner?: React.ReactNode;
  /** Fills the frame. Content in the flow makes the frame higher when it needs more space. */
  readonly picture: React.ReactNode;
  readonly pictureRef?: React.Ref<HTMLDivElement>;
  readonly side: React.ReactNode;
  /** Below picture and side. */
  readonly children?: React.ReactNode;
}

/** The layout of the generation pages: a frame as large as the screen allows, a side, and content below. */
export function GenerationFrame({
  shape: { width, height },
  paging,
  banner,
  picture,
  pictureRef,
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
      <div
        style={{ '--shape': width / height } as React.CSSProperties}
        className="mt-2 grid gap-6 lg:grid-cols-[max(320px*min(1,var(--shape)),min((100svh-232px)*var(--shape),100%-48px-clamp(320px,37%,448px)))_minmax(0,1fr)] lg:gap-12"
      >
        <div className="w-full max-w-[max(280px*min(1,var(--shape)),(100svh-232px)*var(--shape))] lg:max-w-none">
          <div
            ref={pictureRef}
            tabIndex={-1}
            className="@container relative grid aspect-(--shape) grid-cols-1 overflow-clip rounded-panel bg-surface outline-none"
          >
            {picture}
          </div>
        </div>
        <div className="@container min-w-0">{side}</div>
      </div>
      {children}
    </div>
  );
}
