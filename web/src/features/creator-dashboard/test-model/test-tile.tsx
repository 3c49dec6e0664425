import { CircleX, WifiOff } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { GenerationView, TestGeneration } from '../../../../../src/contract/generation.js';
import { Button } from '../../../components/button.js';
import { Picture } from '../../../components/picture.js';
import { ProgressSegments } from '../../../components/progress-segments.js';
import { refreshQueries } from '../../../lib/query.js';
import { useFollowedGeneration } from '../../../lib/use-followed-generation.js';
import { Rating } from './rating.js';
import { TEST_READS } from './tests.js';

interface TestTileProps {
  readonly test: TestGeneration;
  readonly onRetry: ((prompt: string) => void) | undefined;
}

/** One test: its picture and rating, its progress, or why there is no picture. */
export function TestTile(props: TestTileProps): React.ReactNode {
  // A test that was seen in progress keeps its tile, so that the picture is not loaded twice.
  const [follow] = useState(props.test.generation.status === 'pending');
  return follow ? <FollowedTile {...props} /> : <Tile {...props} generation={props.test.generation} />;
}

function FollowedTile(props: TestTileProps): React.ReactNode {
  const { row, trouble } = useFollowedGeneration(props.test.generation.id);
  const generation = row ?? props.test.generation;
  const ended = generation.status !== 'pending';
  useEffect(() => {
    if (ended) void refreshQueries(...TEST_READS);
  }, [ended]);
  return (
    <>
      <p role="status" className="sr-only">
        {trouble ? TROUBLE : announcement(generation)}
      </p>
      <Tile {...props} generation={generation} trouble={trouble && !ended} />
    </>
  );
}

const TROUBLE = 'Connection issues, retrying...';
const PHASES = ['queued', 'drawing', 'finishing'] as const;
const SIZES = '(min-width: 1280px) 210px, (min-width: 800px) 31vw, 48vw';

function announcement({ status, phase }: GenerationView): string {
  if (status === 'completed') return 'Your test is ready';
  return status === 'failed' ? 'Your test failed' : `Generating: ${phase ?? 'queued'}`;
}

interface TileProps extends TestTileProps {
  readonly generation: GenerationView;
  readonly trouble?: boolean;
}

function Tile({ test, generation, trouble = false, onRetry }: TileProps): React.ReactNode {
  const { status, image, prompt } = generation;
  if (status !== 'completed' || !image) {
    return (
      <div className="flex aspect-square flex-col justify-between gap-3 overflow-hidden rounded-tile border border-line bg-surface p-3 sm:p-4">
        <p translate="no" className="display-sm line-clamp-3 break-words pb-0.5 text-20 leading-[1.1] sm:text-24">
          {prompt}
        </p>
        {status === 'pending' ? (
          <div>
            {trouble && (
              <p className="mb-2 flex items-center gap-1.5 text-13 text-warn">
                <WifiOff aria-hidden className="size-4 shrink-0" />
                {TROUBLE}
              </p>
            )}
            <ProgressSegments steps={stepsOf(generation)} />
          </div>
        ) : (
          <Failure message={generation.error_message} onRetry={onRetry && (() => onRetry(prompt))} />
        )}
      </div>
    );
  }
  return (
    <figure>
      <a href={image.url} target="_blank" rel="noopener" className="block overflow-hidden rounded-tile" title={prompt}>
        <Picture image={image} alt={prompt} sizes={SIZES} ratio="1 / 1" />
        <span className="sr-only"> (opens in a new tab)</span>
      </a>
      <figcaption className="mt-2">
        <Rating test={test} />
      </figcaption>
    </figure>
  );
}

function Failure({
  message,
  onRetry,
}: {
  readonly message: string | null;
  readonly onRetry: (() => void) | undefined;
}): React.ReactNode {
  return (
    <div className="min-h-0 text-13">
      <p className="flex items-center gap-1.5 font-[600]">
        <CircleX aria-hidden className="size-4 shrink-0 text-bad" />
        No picture
      </p>
      {message && <p className="mt-1 line-clamp-2 break-words text-ink-2">{message}</p>}
      {onRetry && (
        <Button size={32} className="mt-2" onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  );
}

function stepsOf({ phase }: GenerationView): React.ComponentProps<typeof ProgressSegments>['steps'] {
  const current = PHASES.indexOf(phase ?? 'queued');
  return PHASES.map((name, index) => ({
    name,
    state: index < current ? 'done' : index === current ? 'current' : 'waiting',
  }));
}
