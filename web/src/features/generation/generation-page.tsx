import { Archive, EyeOff } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Navigate, useParams } from 'react-router-dom';
import { GENERATION_COST } from '../../../../src/contract/prices.js';
import type { GenerationView } from '../../../../src/contract/generation.js';
import { pictureTitle } from '../../../../src/contract/picture-title.js';
import { Banner } from '../../components/badge.js';
import { cx } from '../../lib/cx.js';
import { useHydrated } from '../../lib/first-draw.js';
import { generationPath } from '../../lib/paths.js';
import { siteOrigin } from '../../lib/site-origin.js';
import { useWayBack } from '../../lib/way-back.js';
import { CreatorLine } from './components/creator-line.js';
import { GalleryPaging, type PressedStep } from './components/gallery-paging.js';
import { GenerationFrame } from './components/generation-frame.js';
import { EndedFoot, FinishedImage, PendingFoot, PosterPanel } from './components/generation-panels.js';
import { LoadingScreen, MissingScreen } from './components/generation-screens.js';
import { EndedSide, PendingSide } from './components/generation-side.js';
import { ImageActions } from './components/image-actions.js';
import { ImageCredits } from './components/image-credits.js';
import { OwnerActions } from './components/owner-actions.js';
import { PromptBar } from './components/prompt-bar.js';
import { ReportImage } from './components/report-dialog.js';
import {
  ARCHIVED_TEXT,
  CONNECTION_TROUBLE_TEXT,
  formatElapsed,
  HIDDEN_BY_ADMIN_TEXT,
  LEFT_TEXT,
  moderationReason,
} from './generation-view.js';
import { placeText } from './use-gallery-paging.js';
import {
  useGenerationPage,
  type GenerationPageOptions,
  type GenerationScreenOptions,
  type ShownScreen,
} from './use-generation-page.js';
import type { PromptBarHandle } from './use-prompt-bar.js';

interface GenerationPageProps extends GenerationPageOptions {
  /** The creator's gallery, to show below the generation. */
  readonly gallery: React.ReactNode;
  /** The fan's credits, once known. */
  readonly balance: number | undefined;
  /** When free credits come; shown when the fan has too few. */
  readonly refill: React.ReactNode;
}

/** `/{username}/generate/{generationId}`: one generation, from its start to its end. */
export function GenerationPage(props: GenerationPageProps): React.ReactNode {
  const { username = '', generationId = '' } = useParams();
  const pressedRef = useRef<-1 | 1 | null>(null);
  // Outside the screen, which is remounted for each picture.
  const [announced, setAnnounced] = useState('');
  const frame = useRef<HTMLDivElement>(null);
  return (
    <div ref={frame} tabIndex={-1} className="outline-none">
      <p role="status" className="sr-only">
        {announced}
      </p>
      <GenerationScreen
        key={generationId}
        {...props}
        username={username}
        generationId={generationId}
        pressedRef={pressedRef}
        paged={announced !== ''}
        onPaged={(place) => {
          setAnnounced(placeText(place));
          frame.current?.focus({ preventScroll: true });
        }}
      />
    </div>
  );
}

interface GenerationScreenProps extends GenerationPageProps, GenerationScreenOptions {
  readonly pressedRef: PressedStep;
}

function GenerationScreen(props: GenerationScreenProps): React.ReactNode {
  const screen = useGenerationPage(props);
  const back = useWayBack();
  switch (screen.kind) {
    case 'loading':
      return <LoadingScreen {...screen} />;
    case 'signed-out':
      return <Navigate to="/sign-in" replace state={back} />;
    case 'missing':
      return <MissingScreen text={screen.text} username={props.creator && props.username} />;
    case 'shown':
      return <Shown {...props} screen={screen} />;
  }
}

interface ShownProps extends GenerationScreenProps {
  readonly screen: ShownScreen;
}

function Shown(props: ShownProps): React.ReactNode {
  const { screen, generationId, creator, gallery, balance, refill, onCreditsChange, pressedRef } = props;
  const { row, view, prompt, aspectRatio, image, open, place } = screen;
  const bar = useRef<PromptBarHandle>(null);
  const frame = useFocusKept(view.pending);
  const hydrated = useHydrated();
  return (
    <>
      <title translate="no">{`${view.pending ? `(${formatElapsed(view.elapsedSeconds)}) ` : ''}${pictureTitle(prompt, row?.creator_name ?? creator?.name ?? 'Fanvas')}`}</title>
      <p role="status" className="sr-only">
        {screen.trouble && view.pending ? CONNECTION_TROUBLE_TEXT : screen.announced}
      </p>
      <GenerationFrame
        shape={screen.shape}
        paging={place && <GalleryPaging place={place} pressedRef={pressedRef} onStep={screen.step} />}
        banner={
          screen.archived ? (
            <Banner tone="warn" icon={<Archive aria-hidden />}>
              {screen.creatorHasLeft ? LEFT_TEXT : ARCHIVED_TEXT}
            </Banner>
          ) : (
            row?.hidden && image && <HiddenBanner row={row} />
          )
        }
        pictureRef={frame}
        picture={
          <PictureOrPoster
            screen={screen}
            onStartAgain={() => bar.current?.start({ prompt, aspectRatio })}
            onChangePrompt={() => bar.current?.fill({ prompt, aspectRatio })}
          />
        }
        side={<Side {...props} />}
      >
        {open && <div className="mt-12 sm:mt-14">{gallery}</div>}
      </GenerationFrame>
      {/* It shows what this browser has stored, and needs scripts. */}
      {open && hydrated && (
        <PromptBar
          ref={bar}
          creator={open}
          initialPrompt={view.state === 'completed' || row?.is_owner === false ? '' : prompt}
          initialAspectRatio={row?.is_owner === false ? undefined : aspectRatio}
          activeGenerationId={view.pending ? generationId : null}
          startMinimised={view.state === 'completed'}
          balance={balance}
          refill={refill}
          onCreditsChange={onCreditsChange}
        />
      )}
    </>
  );
}

interface PictureOrPosterProps {
  readonly screen: ShownScreen;
  readonly onStartAgain: () => Promise<void> | undefined;
  readonly onChangePrompt: () => void;
}

/** The picture, the poster in its place, or the poster behind the picture while that loads. */
function PictureOrPoster({ screen, onStartAgain, onChangePrompt }: PictureOrPosterProps): React.ReactNode {
  const { row, view, image, prompt, place, poster, retryable } = screen;
  const shown = row && image ? { id: row.id, image, prompt } : null;
  return (
    <>
      {(image === null || poster.shown) && (
        <PosterPanel prompt={prompt} muted={!view.pending && image === null} hidden={image !== null}>
          {view.pending || image ? (
            <PendingFoot
              view={view}
              trouble={screen.trouble}
              cancelling={screen.cancelling}
              onCancel={() => void screen.cancel()}
            />
          ) : (
            <EndedFoot
              view={view}
              refunded={row?.refunded === true}
              cost={screen.open?.credit_cost ?? GENERATION_COST}
              onStartAgain={retryable ? onStartAgain : undefined}
              onChangePrompt={retryable ? onChangePrompt : undefined}
            />
          )}
        </PosterPanel>
      )}
      {image && shown && (
        <FinishedImage
          image={image}
          prompt={prompt}
          pictures={place ? place.items.map((item) => (item.id === shown.id ? shown : item)) : [shown]}
          onSwipe={place ? screen.step : undefined}
          onMove={screen.showPicture}
          fade={poster.shown}
          onShown={poster.hide}
          onDownload={({ id, image: { url }, prompt: words }) => screen.download({ id, url, prompt: words })}
        />
      )}
    </>
  );
}

function Side({ screen, creator, username, onListsChange }: ShownProps): React.ReactNode {
  const { row, view, image, downloading, download } = screen;
  return (
    <>
      {(row ?? creator) && (
        <CreatorLine
          name={creator?.name ?? row?.creator_name ?? username}
          username={username}
          profile={creator?.profile ?? null}
          profileImage={creator?.profile_image ?? null}
        />
      )}
      <div className="mt-7">
        {row && !view.pending ? (
          <EndedSide row={row} view={view}>
            {image && (
              <ImageActions
                url={siteOrigin() + generationPath(username, row.id)}
                creatorName={row.creator_name}
                downloading={downloading}
                onDownload={(format) => download({ id: row.id, url: image.url, prompt: row.prompt, format })}
                onRemix={screen.remix}
              />
            )}
            <div
              className={cx('mt-4 border-t border-line pt-3 [&>*]:-ml-4 noscript:hidden', screen.unsure && 'invisible')}
            >
              {row.is_owner && row.moderation?.decision === 'taken_down' ? null : row.is_owner ? (
                <OwnerActions row={row} onChange={screen.show} onListsChange={onListsChange} />
              ) : (
                image && <ReportImage generationId={row.id} />
              )}
            </div>
            {row.is_owner && image && <ImageCredits row={row} />}
          </EndedSide>
        ) : (
          <PendingSide view={view} cost={row?.credit_cost ?? creator?.credit_cost ?? GENERATION_COST} />
        )}
      </div>
    </>
  );
}

/** Why others do not see the image. */
function HiddenBanner({ row: { moderation } }: { readonly row: GenerationView }): React.ReactNode {
  return (
    <Banner tone={moderation ? 'warn' : 'neutral'} icon={<EyeOff aria-hidden />}>
      {moderation ? `${HIDDEN_BY_ADMIN_TEXT} ${moderationReason(moderation)}` : 'Only you can see this image.'}
    </Banner>
  );
}

/** Moves the focus to the frame when the focused button disappears with the end of the generation. */
function useFocusKept(pending: boolean): React.RefObject<HTMLDivElement | null> {
  const place = useRef<HTMLDivElement>(null);
  const was = useRef(pending);
  useEffect(() => {
    if (was.current && !pending && document.activeElement === document.body)
      place.current?.focus({ preventScroll: true });
    was.current = pending;
  }, [pending]);
  return place;
}
