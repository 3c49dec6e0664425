import { useEffect, useMemo, useRef } from 'react';
import type { FoundPicture, PublicCreator } from '../../../../../src/contract/gallery.js';
import { Avatar } from '../../../components/avatar.js';
import { Picture } from '../../../components/picture.js';
import { Skeleton } from '../../../components/skeleton.js';
import { useSettled } from '../../../components/work-area/use-settled.js';
import { cx } from '../../../lib/cx.js';
import { generationPath } from '../../../lib/paths.js';
import { textAttributes } from '../../../lib/text-language.js';
import { usePublicCreators } from '../api/get-public-creators.js';
import { isSearchable, useFoundPictures } from '../api/search-pictures.js';
import { creatorMatches } from '../creator-matches.js';
import { searchedText } from '../search-text.js';

/** The suggestions that the arrow keys and Enter of the search box choose from. */
export interface Suggestions {
  /** Addresses of the suggestions, in their order. */
  readonly paths: readonly string[];
  /** The address for Enter without a selection: that of the only creator, or of the only suggestion. */
  readonly likely: string | null;
}

interface SearchPanelProps {
  /** Prefix of ids: the list is `<id>-list`, a suggestion `<id>-<index>`. */
  readonly id: string;
  /** Empty while the box is closed. */
  readonly text: string;
  /** Index of the selected suggestion; -1 without one. */
  readonly active: number;
  readonly onActive: (index: number) => void;
  readonly onChoose: (path: string) => void;
  readonly onSuggestions: (suggestions: Suggestions) => void;
}

const NO_PICTURES: readonly FoundPicture[] = [];

/** The suggestions of the search box: creators, and below them pictures. The box keeps the focus and the keys. */
export default function SearchPanel({
  id,
  text,
  active,
  onActive,
  onChoose,
  onSuggestions,
}: SearchPanelProps): React.ReactNode {
  const panel = useRef<HTMLDivElement>(null);
  const creators = usePublicCreators();
  const found = useMemo(() => creatorMatches(creators.data ?? [], text), [creators.data, text]);
  const searched = searchedText(text);
  const looking = isSearchable(searched) && !searched.startsWith('@');
  const settled = useSettled(looking ? searched : '');
  const pictures = useFoundPictures(settled);
  const shown = (looking && pictures.data) || NO_PICTURES;
  const suggestions = useMemo(() => {
    const paths = [
      ...found.map(({ username }) => `/${username}`),
      ...shown.map(({ creator_username: username, id: picture }) => generationPath(username, picture)),
    ];
    return { paths, likely: found.length === 1 || paths.length === 1 ? (paths[0] ?? null) : null };
  }, [found, shown]);
  useEffect(() => onSuggestions(suggestions), [onSuggestions, suggestions]);
  useEffect(() => {
    panel.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [active]);

  const { paths } = suggestions;
  const outdated = looking && (settled !== searched || pictures.isPlaceholderData);
  const loading = looking && shown.length === 0 && (outdated || pictures.isPending);
  const noCreators = found.length === 0 && (creators.data !== undefined || creators.isError);
  const noPictures = looking && !loading && shown.length === 0;
  const option = (index: number): React.LiHTMLAttributes<HTMLLIElement> & { readonly id: string } => ({
    id: `${id}-${index}`,
    role: 'option',
    'aria-selected': index === active,
    onMouseDown: (event) => event.preventDefault(),
    onMouseMove: ({ movementX, movementY }) => {
      // A list that scrolls under a resting pointer moves nothing.
      if (movementX !== 0 || movementY !== 0) onActive(index);
    },
    onClick: () => onChoose(paths[index] ?? '/'),
    className: cx('flex cursor-pointer items-center gap-3 rounded-[10px] p-2', index === active && 'bg-hover'),
  });

  return (
    <>
      <div role="status" className="sr-only">
        {text.trim() !== '' && creators.data && announcement(found.length, looking && !loading ? shown.length : null)}
      </div>
      {text.trim() !== '' && (
        <div
          ref={panel}
          className="absolute inset-x-0 top-full z-(--z-header) mt-2 max-h-[min(75dvh,600px)] overflow-y-auto overscroll-contain rounded-panel border border-line-strong bg-raised p-2 shadow-float sm:w-[380px]"
        >
          {noCreators && (
            <Note>
              {creators.isError ? (
                <Failure message="Creators could not be loaded." onRetry={() => void creators.refetch()} />
              ) : (
                'No creator by that name or style.'
              )}
            </Note>
          )}
          <div id={`${id}-list`} role="listbox" aria-label="Suggestions" hidden={paths.length === 0}>
            {found.length > 0 && (
              <ul role="group" aria-label="Creators">
                {found.map((creator, index) => (
                  <li key={creator.id} {...option(index)}>
                    <CreatorLine creator={creator} />
                  </li>
                ))}
              </ul>
            )}
            {shown.length > 0 && <Heading />}
            {shown.length > 0 && (
              <ul role="group" aria-label="Pictures" className={cx(outdated && 'opacity-60')}>
                {shown.map((picture, index) => (
                  <li key={picture.id} {...option(found.length + index)}>
                    <PictureLine picture={picture} />
                  </li>
                ))}
              </ul>
            )}
          </div>
          {loading && (
            <div>
              <Heading />
              <LoadingLine />
              <LoadingLine />
            </div>
          )}
          {noPictures && (
            <Note>
              {pictures.isError ? (
                <Failure message="Pictures could not be loaded." onRetry={() => void pictures.refetch()} />
              ) : (
                'No public picture with these words.'
              )}
            </Note>
          )}
        </div>
      )}
    </>
  );
}

function Heading(): React.ReactNode {
  return (
    <p aria-hidden className="mx-2 mt-2 border-t border-line pb-1 pt-3 text-14 font-[600] text-ink-2">
      Pictures
    </p>
  );
}

function CreatorLine({ creator }: { readonly creator: PublicCreator }): React.ReactNode {
  return (
    <>
      <Avatar name={creator.name} image={creator.profile} src={creator.profile_image} shape="tile" />
      <span className="min-w-0">
        <span translate="no" className="block truncate text-14 font-[600]">
          {creator.name}
        </span>
        <span translate="no" className="block truncate text-14 text-ink-2">
          @{creator.username}
          {creator.style && ` · ${creator.style}`}
        </span>
      </span>
    </>
  );
}

function PictureLine({ picture }: { readonly picture: FoundPicture }): React.ReactNode {
  return (
    <>
      <Picture image={picture.image} alt="" sizes="56px" ratio="1 / 1" className="w-14 shrink-0 rounded-[8px]" />
      <span className="min-w-0">
        <span {...textAttributes(picture.prompt)} className="line-clamp-2 break-words text-14">
          {picture.prompt}
        </span>
        <span className="block truncate text-14 text-ink-2">
          by <span translate="no">{picture.creator_name}</span>
        </span>
      </span>
    </>
  );
}

function LoadingLine(): React.ReactNode {
  return (
    <div className="flex items-center gap-3 p-2">
      <Skeleton className="size-14 shrink-0 rounded-[8px]" />
      <div className="flex-1 space-y-2">
        <Skeleton className="h-4 rounded-[4px]" />
        <Skeleton className="h-4 w-1/2 rounded-[4px]" />
      </div>
    </div>
  );
}

function Note({ children }: { readonly children: React.ReactNode }): React.ReactNode {
  return <div className="p-2 text-14 text-ink-2">{children}</div>;
}

function Failure({ message, onRetry }: { readonly message: string; readonly onRetry: () => void }): React.ReactNode {
  return (
    <span role="alert">
      <span>{message}</span>{' '}
      <button type="button" className="link" onClick={onRetry}>
        Retry
      </button>
    </span>
  );
}

/** Text for screen readers: how many creators were found, and pictures unless they are null. */
function announcement(creators: number, pictures: number | null): string {
  const count = (number: number, noun: string): string =>
    `${number === 0 ? 'no' : number} ${noun}${number === 1 ? '' : 's'}`;
  return `Found ${count(creators, 'creator')}${pictures === null ? '' : ` and ${count(pictures, 'picture')}`}`;
}
