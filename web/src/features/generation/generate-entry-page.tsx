import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'react-router-dom';
import { DEFAULT_ASPECT_RATIO, DRAWN_SHAPES } from '../../../../src/contract/aspect-ratios.js';
import type { ImageInfo } from '../../../../src/contract/media.js';
import type { PublicCreator } from '../../../../src/contract/gallery.js';
import { Banner } from '../../components/badge.js';
import { NothingHere } from '../../components/nothing-here.js';
import { CreatorLeft } from '../../components/creator-left.js';
import { SuspensionNotice } from '../../components/suspension-notice.js';
import { Picture } from '../../components/picture.js';
import { QueryProblem } from '../../components/states.js';
import { promptDrafts } from './prompt-drafts.js';
import type { CreditsListener } from './credits-listener.js';
import { CreatorLine } from './components/creator-line.js';
import { GenerationFrame } from './components/generation-frame.js';
import { LoadingScreen } from './components/generation-screens.js';
import { PosterPanel } from './components/generation-panels.js';
import { generationNavState } from './navigation.js';
import { PromptBar } from './components/prompt-bar.js';

interface GenerateEntryPageProps {
  /** The creator of the address; its data is null when there is none. */
  readonly creatorQuery: UseQueryResult<PublicCreator | null>;
  /** The fan's credits, once known. */
  readonly balance: number | undefined;
  /** When free credits come; shown when the fan has too few. */
  readonly refill: React.ReactNode;
  readonly onCreditsChange: CreditsListener;
}

/** `/{username}/generate`: the place to write a prompt. */
export function GenerateEntryPage({ creatorQuery, ...rest }: GenerateEntryPageProps): React.ReactNode {
  const { data: creator, isError, refetch } = creatorQuery;

  if (creator?.withdrawn) return <CreatorLeft name={creator.name} />;
  if (creator) return <Entry key={creator.id} creator={creator} {...rest} />;
  if (isError) {
    return (
      <div className="wrap min-h-svh py-16">
        <title>Fanvas</title>
        <QueryProblem title="This page could not be loaded" query={creatorQuery} />
      </div>
    );
  }
  if (creator === undefined) return <LoadingScreen trouble={false} onRetry={() => void refetch()} />;
  return <NothingHere title="Creator not found" />;
}

interface EntryProps extends Omit<GenerateEntryPageProps, 'creatorQuery'> {
  readonly creator: PublicCreator;
}

/** The prompt is set as a poster while it is written. A remix shows the picture that it starts from instead. */
function Entry({ creator, onCreditsChange, ...credits }: EntryProps): React.ReactNode {
  const nav = generationNavState(useLocation().state);
  const [draft] = useState(() => promptDrafts.read(creator.id));
  const [prompt, setPrompt] = useState(draft?.prompt ?? nav.prompt ?? '');
  const [aspectRatio, setAspectRatio] = useState(draft?.aspectRatio ?? nav.aspectRatio ?? DEFAULT_ASPECT_RATIO);
  const words = prompt.replace(/\s+/g, ' ').trim();
  return (
    <>
      <title translate="no">{`Create in ${creator.name}’s style · Fanvas`}</title>
      <GenerationFrame
        shape={nav.remixSource?.image ?? DRAWN_SHAPES[aspectRatio]}
        picture={
          nav.remixSource?.image ? (
            <RemixedPicture image={nav.remixSource.image} title={nav.remixSource.title} />
          ) : (
            <PosterPanel prompt={words || 'Ready to generate your image'} muted={words === ''}>
              {creator.can_generate && <p className="pt-4 text-16 text-ink-2">Write what you want to see below.</p>}
            </PosterPanel>
          )
        }
        side={
          <>
            <CreatorLine
              name={creator.name}
              username={creator.username}
              profile={creator.profile}
              profileImage={creator.profile_image}
            />
            {creator.bio && <p className="mt-5 max-w-[60ch] text-18 text-ink">{creator.bio}</p>}
            {!creator.can_generate && !creator.paused && (
              <Banner tone="warn" className="mt-6">
                Creator not available for generation. Please try a different creator.
              </Banner>
            )}
            <SuspensionNotice className="mt-6" />
            <p className="mt-8 border-t border-line pt-5 text-14 text-ink-2">
              An image costs {creator.credit_cost} credits. If it fails, times out or you cancel, they are refunded
              automatically.
            </p>
          </>
        }
      />
      {creator.is_visible && (
        <PromptBar
          creator={creator}
          {...credits}
          onPromptChange={setPrompt}
          onAspectRatioChange={setAspectRatio}
          onCreditsChange={onCreditsChange}
        />
      )}
    </>
  );
}

/** The picture that a remix starts from. */
function RemixedPicture({ image, title }: { readonly image: ImageInfo; readonly title: string }): React.ReactNode {
  return (
    <div className="relative overflow-hidden rounded-panel">
      <h1 className="sr-only">Remix of {title}</h1>
      <Picture image={image} alt={title} priority sizes="(min-width: 1024px) 720px, 100vw" />
      <p className="absolute inset-x-0 top-0 bg-surface/90 px-5 py-3 text-16 text-ink sm:px-10 sm:py-5">
        You start from the prompt of this image; the picture itself is not used. Change the prompt below, then press
        Generate.
      </p>
    </div>
  );
}
