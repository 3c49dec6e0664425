import { EyeOff, LoaderCircle, Undo2 } from 'lucide-react';
import { useRef } from 'react';
import { Link, useLocation, useNavigate } from 'react-router-dom';
import type { GenerationView } from '../../../../../src/contract/generation.js';
import { ART_SIZES, ART_TILE, PromptVeil } from '../../../components/art-grid.js';
import { Badge } from '../../../components/badge.js';
import { MissingPicture, useMissingPicture, type MissingPictureState } from '../../../components/missing-picture.js';
import { Picture } from '../../../components/picture.js';
import { toast } from '../../../components/toast.js';
import { cx } from '../../../lib/cx.js';
import { generationPath } from '../../../lib/paths.js';
import { useArrival, type Returning } from '../../../lib/return-place.js';
import { isDeletable } from '../generation-view.js';
import { textAttributes } from '../../../lib/text-language.js';

interface CreationCardProps {
  readonly generation: GenerationView;
  /** A line instead of a square. */
  readonly line: boolean;
  /** Null while no selection is made. */
  readonly selected: boolean | null;
  readonly onToggle: () => void;
  /** On its page. */
  readonly index: number;
  readonly returning: Returning;
  /** Loads the code of the page to which the card links. */
  readonly loadGenerationPage: () => Promise<unknown>;
}

const POSTER = 'absolute inset-0 flex flex-col justify-between gap-3 rounded-tile border border-line p-4';
const LINE = 'flex min-h-14 flex-wrap items-center gap-x-4 gap-y-1.5 rounded-tile border border-line px-4 py-3';

/** A generation of the list: a link to its page, or a box to tick while a selection is made. */
export function CreationCard(props: CreationCardProps): React.ReactNode {
  const { generation, line, selected, onToggle, index, returning, loadGenerationPage } = props;
  const { pathname, search } = useLocation();
  const { id, prompt, aspect_ratio: aspectRatio, creator_username: username } = generation;
  const navigate = useNavigate();
  const file = useMissingPicture();
  const known = username !== '' && username !== 'unknown';
  const to = known ? generationPath(username, id) : pathname;
  const state = { returnTo: pathname + search, aspectRatio };
  const link = useRef<HTMLAnchorElement>(null);
  useArrival(returning, index, link);
  const view = async (tile: Element): Promise<void> => {
    const returnPlace = returning.leave(index, tile);
    try {
      await loadGenerationPage();
    } catch (error) {
      console.warn('The page of a creation could not be loaded', error);
      return void toast({ title: 'An error occurred while trying to view this creation.', kind: 'error' });
    }
    await navigate(to, { state: { ...state, returnPlace } });
  };
  const look = line ? 'group relative block rounded-tile bg-surface' : ART_TILE;
  const content = <Content generation={generation} file={file} line={line} selecting={selected !== null} />;
  if (selected !== null) {
    return (
      <div className={look}>
        {content}
        {/* The outline lies above the picture, which would cover it. */}
        <label
          className={cx(
            'absolute inset-0 flex cursor-pointer justify-end rounded-tile p-3',
            // Above the mark of the picture, and across from the badge of a hidden one.
            line ? 'items-center' : 'items-start',
            selected && 'outline-3 outline-offset-[-3px] outline-focus',
          )}
        >
          <span className="sr-only">
            Select: <span {...textAttributes(prompt)}>{prompt}</span>
          </span>
          <input
            type="checkbox"
            checked={selected}
            disabled={!isDeletable(generation)}
            className="size-6 accent-(--seal-mark)"
            onChange={onToggle}
          />
        </label>
      </div>
    );
  }
  return (
    <div className="relative">
      <Link
        ref={link}
        to={to}
        state={state}
        onClick={(event) => {
          // The browser opens another tab itself.
          if (known && (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)) return;
          event.preventDefault();
          if (known) void view(event.currentTarget);
          else toast({ title: 'Unable to view this creation. The creator information is missing.', kind: 'error' });
        }}
        className={look}
      >
        {content}
      </Link>
      {file.missing && <MissingPicture state={file} prompt={prompt} className="rounded-tile" />}
    </div>
  );
}

interface ContentProps extends Pick<CreationCardProps, 'generation' | 'line'> {
  readonly file: MissingPictureState;
  /** A box to tick lies over its end. */
  readonly selecting: boolean;
}

/** The picture; before and without one, the prompt and the state. */
function Content({ generation, file, line, selecting }: ContentProps): React.ReactNode {
  const { status, prompt, image, refunded, hidden, moderation } = generation;
  if (status === 'completed' && image) {
    return (
      <>
        <Picture key={file.attempt} image={image} alt={prompt} sizes={ART_SIZES} ratio="1 / 1" {...file.listeners} />
        {!file.missing && <PromptVeil prompt={prompt} />}
        {hidden && (
          <Badge icon={<EyeOff aria-hidden />} className="absolute left-3 top-3">
            Hidden
          </Badge>
        )}
      </>
    );
  }
  return (
    <span className={cx(line ? LINE : POSTER, selecting && 'pr-14')}>
      <span
        {...textAttributes(prompt)}
        className={
          line
            ? 'line-clamp-1 min-w-0 flex-1 basis-60 break-words text-16'
            : 'display-sm line-clamp-2 shrink-0 break-words pb-0.5 text-20 text-balance lg:line-clamp-4 lg:text-24'
        }
      >
        {prompt}
      </span>
      <span className={cx('flex gap-2 text-14', line ? 'flex-wrap items-center gap-x-4' : 'flex-col items-start')}>
        {status === 'pending' ? (
          <span className="inline-flex items-center gap-2 text-ink-2">
            <LoaderCircle aria-hidden className="size-4 text-seal-mark motion-safe:animate-spin" />
            Generating...
          </span>
        ) : (
          <span className="text-ink-2">
            {moderation?.decision === 'taken_down' ? 'Taken down' : 'Generation Unsuccessful'}
          </span>
        )}
        {refunded && (
          <Badge tone="good" icon={<Undo2 aria-hidden />}>
            Credits Refunded
          </Badge>
        )}
      </span>
    </span>
  );
}
