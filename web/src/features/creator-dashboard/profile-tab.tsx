import { CircleCheck, Link as LinkIcon } from 'lucide-react';
import type { OwnCreator } from '../../../../src/contract/creators.js';
import type { PublicCreator } from '../../../../src/contract/gallery.js';
import { Button, ButtonLink } from '../../components/button.js';
import { copyLink } from '../../components/copy.js';
import { Seal } from '../../components/icons.js';
import { Picture } from '../../components/picture.js';
import { SupportLink } from '../../components/support-link.js';
import { cx } from '../../lib/cx.js';
import { useRpc } from '../../lib/use-rpc.js';
import { Name } from '../../components/name.js';

interface ProfileTabProps {
  readonly creator: OwnCreator;
  readonly embedded?: boolean;
}

/** The creator's record, read only. The status is always shown as active (creator spec, section 2). */
export function ProfileTab({ creator, embedded = false }: ProfileTabProps): React.ReactNode {
  const { name, instagram, email, username, withdrawn_at: withdrawn } = creator;
  const { data: card } = useRpc('get_public_creator_by_username', { p_username: username });
  return (
    <section aria-label="Profile" className="grid gap-x-16 gap-y-8 md:grid-cols-[minmax(0,25rem)_minmax(0,1fr)]">
      <Triptych card={card ?? null} />
      <div>
        <dl className="text-16">
          <Field label="Creator Name">
            <span translate="no">{name}</span> {withdrawn === null && <Seal className="mb-1 inline size-[18px]" />}
          </Field>
          <Field label="Instagram Handle">
            <Name>{instagram}</Name>
          </Field>
          <Field label="Email">
            <Name>{email}</Name>
          </Field>
          <Field label="Creator Status">
            <span className="inline-flex items-center gap-1.5 text-good">
              <CircleCheck aria-hidden className="size-4" />
              Active
            </span>
          </Field>
        </dl>
        {!embedded && (
          <>
            <p className="mt-4 max-w-[56ch] text-16 text-ink-2">
              These are read-only. To change one, write to <SupportLink />.
            </p>
            <div className="mt-6 flex flex-wrap gap-2">
              <ButtonLink to={`/${username}`}>See my page as a fan</ButtonLink>
              <Button kind="quiet" onClick={() => void copyLink(new URL(`/${username}`, window.location.origin).href)}>
                <LinkIcon aria-hidden className="size-[18px]" />
                Copy its address
              </Button>
            </div>
          </>
        )}
      </div>
    </section>
  );
}

const TILES_SHOWN = 3;

/** The card of the creator as fans see it; empty tiles while there is none. */
function Triptych({ card }: { card: PublicCreator | null }): React.ReactNode {
  const works = card?.works ?? [];
  return (
    <div
      aria-hidden
      className="grid aspect-square grid-cols-[2fr_1fr] grid-rows-3 gap-1 self-start overflow-hidden rounded-panel"
    >
      <Tile image={card?.profile} sizes="270px" className="row-span-3" />
      {Array.from({ length: TILES_SHOWN }, (_, index) => (
        <Tile key={index} image={works[index]} sizes="135px" />
      ))}
    </div>
  );
}

interface TileProps {
  readonly image: PublicCreator['profile'] | undefined;
  readonly sizes: string;
  readonly className?: string;
}

function Tile({ image, sizes, className }: TileProps): React.ReactNode {
  const look = cx('size-full min-h-0', className);
  if (!image) return <span className={cx('bg-hover', look)} />;
  return <Picture image={image} alt="" sizes={sizes} ratio="auto" className={look} />;
}

function Field({ label, children }: { label: string; children: React.ReactNode }): React.ReactNode {
  return (
    <div className="flex gap-4 border-b border-line py-[15px] first:pt-1 last:border-0 sm:gap-6">
      <dt className="w-34 shrink-0 text-ink-2 sm:w-48">{label}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </div>
  );
}
