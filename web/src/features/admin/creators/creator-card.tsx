import { useState } from 'react';
import type { AdminCreatorRow } from '../../../../../src/contract/applications.js';
import { Button, ButtonLink } from '../../../components/button.js';
import { Modal } from '../../../components/dialog.js';
import { Seal } from '../../../components/icons.js';
import { Picture } from '../../../components/picture.js';
import { Portrait } from '../../../components/portrait.js';
import { Switch } from '../../../components/switch.js';
import { toast } from '../../../components/toast.js';
import { useRpcEffect } from '../../../lib/use-rpc-effect.js';
import { Acts } from '../../../components/work-area/acts.js';
import { Name } from '../../../components/name.js';

const WORKS_SHOWN = 3;

interface CreatorCardProps {
  readonly creator: AdminCreatorRow;
  /** Called after a change that the public pages show. */
  readonly onChange: () => void;
}

/** A creator with the acts of an admin (creator spec, section 2). Each act is busy until the list is fetched again. */
export function CreatorCard({ creator, onChange }: CreatorCardProps): React.ReactNode {
  const { name, username, bio, instagram, is_visible: active } = creator;
  return (
    <article
      aria-label={name}
      tabIndex={-1}
      className="flex min-w-0 scroll-mt-20 flex-col rounded-tile focus-visible:outline-offset-8"
    >
      <div className="grid aspect-[1.5] grid-cols-[2fr_1fr] grid-rows-3 gap-1 overflow-hidden rounded-tile sm:aspect-[1.2]">
        <Portrait
          creator={creator}
          sizes="(min-width: 1024px) 16vw, 66vw"
          ratio="auto"
          className="row-span-3 size-full"
        />
        {Array.from({ length: WORKS_SHOWN }, (_, index) => {
          const work = creator.works[index];
          return work ? (
            <Picture
              key={work.url}
              image={work}
              alt=""
              sizes="(min-width: 1024px) 8vw, 33vw"
              ratio="auto"
              className="size-full min-h-0"
            />
          ) : (
            <span key={index} className="bg-hover" />
          );
        })}
      </div>
      <h2 className="mt-3 flex min-w-0 items-center gap-1.5">
        <span translate="no" className="display-sm truncate pb-0.5 text-24">
          {name}
        </span>
        <Seal className="size-[18px]" />
      </h2>
      <p translate="no" className="truncate text-14 text-ink-2">
        {handle(instagram, username)}
      </p>
      <p className="mt-2 mb-3 line-clamp-2 min-h-[2lh] text-14 break-words text-ink-2">{bio}</p>
      <div className="mt-auto border-t border-line pt-3">
        {active ? (
          <ActiveActs creator={creator} onChange={onChange} />
        ) : (
          <Acts>
            <Unarchive creator={creator} onChange={onChange} />
          </Acts>
        )}
      </div>
    </article>
  );
}

function ActiveActs({ creator, onChange }: CreatorCardProps): React.ReactNode {
  const feature = useRpcEffect('toggle_creator_featured', ['list_creators_admin']);
  const [asking, setAsking] = useState(false);
  const visibility = useVisibility(creator, onChange);
  const { name, is_featured: featured } = creator;
  return (
    <>
      <Acts>
        <div className="mb-3 flex [&>button]:flex-1 [&>button]:justify-between">
          <Switch
            label="Featured on Homepage"
            checked={featured}
            busy={feature.isPending}
            onChange={(next) =>
              feature.mutate(
                { p_creator_id: creator.id, p_is_featured: next },
                { onSuccess: onChange, onError: alertOf('Failed to update feature status. Please try again.') },
              )
            }
          />
        </div>
      </Acts>
      <div className="flex gap-2">
        <ButtonLink to={`/admin/gallery/${encodeURIComponent(creator.username)}`} size={32} className="min-w-0 flex-1">
          Manage Gallery
        </ButtonLink>
        <Acts>
          <Button
            kind="quiet"
            size={32}
            busy={visibility.isPending}
            busyLabel="Archiving..."
            onClick={() => setAsking(true)}
          >
            Archive Creator
          </Button>
        </Acts>
      </div>
      <Modal
        open={asking}
        onOpenChange={setAsking}
        role="alertdialog"
        title={`Archive ${name}?`}
        name={name}
        description={`From now on fans cannot generate with ${name}. The page and its gallery stay viewable, and the creator leaves the home page. You can unarchive the creator at any time.`}
        footer={
          <>
            <Button kind="solid" onClick={() => setAsking(false)}>
              Cancel
            </Button>
            <Button
              kind="danger"
              onClick={() => {
                setAsking(false);
                visibility.set(false);
              }}
            >
              Archive <Name>{name}</Name>
            </Button>
          </>
        }
      />
    </>
  );
}

function Unarchive({ creator, onChange }: CreatorCardProps): React.ReactNode {
  const visibility = useVisibility(creator, onChange);
  return (
    <Button
      size={32}
      className="w-full"
      busy={visibility.isPending}
      busyLabel="Unarchiving..."
      onClick={() => visibility.set(true)}
    >
      Unarchive Creator
    </Button>
  );
}

function useVisibility({ id }: AdminCreatorRow, onChange: () => void) {
  const { mutate, isPending } = useRpcEffect('toggle_creator_visibility', ['list_creators_admin']);
  return {
    isPending,
    set: (visible: boolean) =>
      mutate(
        { p_creator_id: id, p_is_visible: visible },
        { onSuccess: onChange, onError: alertOf('Failed to update creator status. Please try again.') },
      ),
  };
}

const alertOf =
  (title: string) =>
  ({ message }: Error): void =>
    void toast({ kind: 'error', title, description: message });

/** The Instagram handle with a leading @; the username for a creator without one. */
function handle(instagram: string, username: string): string {
  return `@${(instagram || username).replace(/^@+/, '')}`;
}
