import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'react-router-dom';
import type { PublicCreator } from '../../../../src/contract/gallery.js';
import { Banner } from '../../components/badge.js';
import { ButtonLink } from '../../components/button.js';
import { CreatorLeft } from '../../components/creator-left.js';
import { SuspensionNotice } from '../../components/suspension-notice.js';
import { ErrorState } from '../../components/states.js';
import { promptDrafts } from './prompt-drafts.js';
import type { CreditsListener } from './credits-listener.js';
import { CreatorLine } from './components/creator-line.js';
import { GenerationFrame } from './components/generation-frame.js';
import { LoadingScreen } from './components/generation-screens.js';
import { PosterPanel } from './components/generation-square.js';
import { generationNavState } from './navigation.js';
import { PromptBar } from './components/prompt-bar.js';

interface GenerateEntryPageProps {
  /** The creator of the address; its data is null when there is none. */
  readonly creatorQuery: UseQueryResult<PublicCreator | null>;
  readonly onCreditsChange: CreditsListener;
}

/** `/{username}/generate`: the place to write a prompt. */
export function GenerateEntryPage({ creatorQuery, onCreditsChange }: GenerateEntryPageProps): React.ReactNode {
  const { data: creator, isError, error, isFetching, refetch } = creatorQuery;

  if (creator?.withdrawn) return <CreatorLeft name={creator.name} />;
  if (creator) return <Entry key={creator.id} creator={creator} onCreditsChange={onCreditsChange} />;
  if (isError) {
    return (
      <div className="wrap min-h-svh py-16">
        <title>Fanvas</title>
        <ErrorState title="This page could not be loaded" onRetry={() => void refetch()} retrying={isFetching}>
          {error.message}
        </ErrorState>
      </div>
    );
  }
  if (creator === undefined) return <LoadingScreen trouble={false} onRetry={() => void refetch()} />;
  return (
    <div className="wrap flex min-h-[60svh] flex-col items-start justify-center py-16">
      <title>Creator not found · Fanvas</title>
      <h1 className="display text-64 sm:text-96">Creator not found</h1>
      <ButtonLink to="/" kind="solid" size={48} className="mt-8">
        Back to Discovery
      </ButtonLink>
    </div>
  );
}

/** The prompt is set as a poster while it is written. */
interface EntryProps {
  readonly creator: PublicCreator;
  readonly onCreditsChange: CreditsListener;
}

function Entry({ creator, onCreditsChange }: EntryProps): React.ReactNode {
  const nav = generationNavState(useLocation().state);
  const [prompt, setPrompt] = useState(() => promptDrafts.read(creator.id) || (nav.prompt ?? ''));
  const words = prompt.replace(/\s+/g, ' ').trim();
  return (
    <>
      <title>{`Create in ${creator.name}’s style · Fanvas`}</title>
      <GenerationFrame
        square={
          <PosterPanel prompt={words || 'Ready to generate your image'} muted={words === ''}>
            {creator.can_generate && <p className="pt-4 text-16 text-ink-2">Write what you want to see below.</p>}
          </PosterPanel>
        }
        side={
          <>
            <CreatorLine
              name={creator.name}
              username={creator.username}
              profile={creator.profile}
              profileImage={creator.profile_image}
            />
            {creator.bio && <p className="mt-5 text-18 text-ink">{creator.bio}</p>}
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
        <PromptBar creator={creator} onPromptChange={setPrompt} onCreditsChange={onCreditsChange} />
      )}
    </>
  );
}
