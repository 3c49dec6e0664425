import { DEFAULT_ASPECT_RATIO, DRAWN_SHAPES } from '../../../../../src/contract/aspect-ratios.js';
import { Button, ButtonLink } from '../../../components/button.js';
import { IdentityWait } from '../../../components/identity-wait.js';
import { Skeleton } from '../../../components/skeleton.js';
import { useSaysOffline } from '../../../lib/offline-said.js';
import { useOnline } from '../../../lib/use-online.js';
import { GenerationFrame, type FrameShape } from './generation-frame.js';

interface LoadingScreenProps {
  /** The shape of the picture, where it is known. */
  readonly shape?: FrameShape;
  /** It waits to know who views the page. */
  readonly identity?: boolean;
  readonly trouble: boolean;
  readonly onRetry: () => void;
}

/** Shown until the first answer about the generation. */
export function LoadingScreen({
  shape = DRAWN_SHAPES[DEFAULT_ASPECT_RATIO],
  identity = false,
  trouble,
  onRetry,
}: LoadingScreenProps): React.ReactNode {
  const offline = !useOnline();
  useSaysOffline(offline);
  return (
    <div aria-busy={!trouble && !offline}>
      <title>Fanvas</title>
      <h1 className="sr-only">Loading...</h1>
      <GenerationFrame
        shape={shape}
        picture={
          offline ? (
            <Trouble>
              <p className="display-sm text-24 text-balance">
                You are offline. The image opens once the connection is back.
              </p>
            </Trouble>
          ) : trouble ? (
            <Trouble>
              <p className="display-sm mb-2 text-24">Error connecting to server</p>
              <p className="text-16 text-ink-2">Connection error. Please wait or try again later.</p>
              <Button className="mt-4" onClick={onRetry}>
                Retry
              </Button>
            </Trouble>
          ) : (
            <>
              <Skeleton className="size-full" />
              {identity && <IdentityWait className="absolute inset-x-0 bottom-0 p-5 text-16 text-ink-2 sm:p-10" />}
            </>
          )
        }
        side={
          <>
            <div className="flex items-center gap-3">
              <Skeleton className="size-11" />
              <div className="flex-1">
                <Skeleton className="h-4 w-32" />
                <Skeleton className="mt-2 h-3 w-24" />
              </div>
            </div>
            <Skeleton className="mt-7 h-11 w-4/5" />
            <Skeleton className="mt-3 h-5 w-48" />
          </>
        }
      />
    </div>
  );
}

function Trouble({ children }: { readonly children: React.ReactNode }): React.ReactNode {
  return (
    <div
      role="alert"
      className="flex size-full flex-col items-start justify-end rounded-panel border border-line p-5 sm:p-10"
    >
      {children}
    </div>
  );
}

/** Shown when the generation is missing or not visible to this person. */
export function MissingScreen({ text, username }: { text: string; username: string | null }): React.ReactNode {
  return (
    <div className="wrap flex min-h-[60svh] flex-col items-start justify-center py-16">
      <title>{`${text} · Fanvas`}</title>
      <h1 className="display max-w-[18ch] text-44 text-balance sm:text-64">{text}</h1>
      <p className="mt-4 max-w-[52ch] text-18 text-ink-2">
        The link may be old or not complete, or the image may not be shared. Nothing happened to your credits.
      </p>
      <div className="mt-8 flex flex-wrap gap-2">
        {username !== null && (
          <ButtonLink to={`/${username}`} kind="solid" size={48}>
            See the creator
          </ButtonLink>
        )}
        <ButtonLink to="/" kind={username === null ? 'solid' : 'line'} size={48}>
          Back to Discovery
        </ButtonLink>
      </div>
    </div>
  );
}
