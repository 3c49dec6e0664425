import { Check, ChevronDown, ChevronUp, CircleDashed, Copy, Stamp, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { AccountEvent, EventPicture, StatementEntry } from '../../../../../src/contract/audit.js';
import { Button, IconButton } from '../../../components/button.js';
import { HeadCells } from '../../../components/head-cells.js';
import { Picture as ResponsivePicture } from '../../../components/picture.js';
import { Skeleton } from '../../../components/skeleton.js';
import { Answer, loadWords } from '../../../components/work-area/answer.js';
import { copyText } from '../../../components/copy.js';
import { formatUtcDay, formatUtcInstant } from '../../../components/work-area/utc.js';
import { cx } from '../../../lib/cx.js';
import { formatMoney, signed } from '../../../lib/format.js';
import { useRpc } from '../../../lib/use-rpc.js';
import { findPath } from '../audit-paths.js';
import { shortHash, shortId } from '../audit-text.js';
import { allocationsOf, chainOf, type Allocation, type ChainLink } from './event-chain.js';
import { Name } from '../../../components/name.js';

interface EventDetailProps {
  readonly userId: string;
  readonly version: number;
  /** The lines of the statement that are loaded. */
  readonly lines: readonly StatementEntry[];
  readonly onVersion: (version: number) => void;
}

/** An event: the chain from the credits to their end, its lots, its place in hash chain and public log, its content. */
export function EventDetail({ userId, version, lines, onVersion }: EventDetailProps): React.ReactNode {
  const query = useRpc('get_account_event', { p_user_id: userId, p_version: version });
  return (
    <section
      aria-label={`Event ${version}`}
      className="min-w-0 rounded-panel border border-line bg-surface p-5 lg:sticky lg:top-20"
    >
      <Answer query={query} words={loadWords('the event')} skeleton={<Skeleton className="h-80 rounded-sm" />}>
        {(found) => <Detail found={found} lines={lines} onVersion={onVersion} />}
      </Answer>
    </section>
  );
}

interface DetailProps {
  readonly found: AccountEvent;
  readonly lines: readonly StatementEntry[];
  readonly onVersion: (version: number) => void;
}

function Detail({ found, lines, onVersion }: DetailProps): React.ReactNode {
  const { event, recorded_at: recordedAt, hash, previous_hash: previous, next_hash: next, intact, seal, leaf } = found;
  const [json, showJson] = useState(false);
  const { actorId, causationId } = event.metadata as { actorId?: string; causationId?: string };
  const ids = relatedIds(event.data);
  return (
    <>
      <div className="flex items-start justify-between gap-3">
        <p className="text-14 tabular-nums text-ink-2">
          Version {event.version}, {event.at === null ? 'no time' : formatUtcInstant(event.at)}
        </p>
        <div className="-mt-2 -mr-2 flex">
          <IconButton label="Newer event" disabled={next === null} onClick={() => onVersion(event.version + 1)}>
            <ChevronUp className="size-4" />
          </IconButton>
          <IconButton label="Older event" disabled={event.version === 0} onClick={() => onVersion(event.version - 1)}>
            <ChevronDown className="size-4" />
          </IconButton>
        </div>
      </div>
      <h2 className="display-sm text-24">{event.type}</h2>
      <Chain links={chainOf(event.data, lines)} current={event.version} onVersion={onVersion} />
      {found.picture && <PictureOfEvent picture={found.picture} />}
      <Lots lots={allocationsOf(event.data)} />
      <Earned event={found} />
      <dl className="mt-4 grid grid-cols-[96px_minmax(0,1fr)] gap-x-3 gap-y-2.5 text-14 tabular-nums [&>dt]:text-ink-2">
        <dt>Hash</dt>
        <dd className="[overflow-wrap:anywhere]">
          <span>{hash ?? 'none'}</span>{' '}
          <span className={intact ? 'text-good' : 'text-bad'}>
            {intact ? (
              <Check aria-hidden className="inline size-4" />
            ) : (
              <TriangleAlert aria-hidden className="inline size-4" />
            )}
            <span> {intact ? 'recomputed' : 'does not match the content'}</span>
          </span>
        </dd>
        <dt>Before it</dt>
        <dd>
          {previous === null ? 'nothing: the first event' : `${shortHash(previous)}…, version ${event.version - 1}`}
        </dd>
        <dt>After it</dt>
        <dd>{next === null ? 'nothing yet' : `${shortHash(next)}…, version ${event.version + 1}`}</dd>
        <dt>Seal</dt>
        <dd>
          <Coverage
            position={seal && `${seal.number.toLocaleString('en-US')}, ${formatUtcInstant(seal.started_at)}`}
            cover="covers it"
            missing="not sealed yet"
          />
        </dd>
        <dt>Public log</dt>
        <dd>
          <Coverage
            position={leaf?.covered ? `leaf ${leaf.index.toLocaleString('en-US')}` : null}
            cover={`checkpoint of ${leaf?.checkpoint_size.toLocaleString('en-US')} covers it`}
            missing="not covered by a checkpoint yet"
          />
        </dd>
        <dt>Stored</dt>
        <dd>{formatUtcInstant(recordedAt)}</dd>
        <dt>Actor</dt>
        <dd className="[overflow-wrap:anywhere]">{actorId === undefined ? 'none' : <Name>{actorId}</Name>}</dd>
        <dt>Caused by</dt>
        <dd className="[overflow-wrap:anywhere]">
          {causationId === undefined ? 'nothing' : <Name>{causationId}</Name>}
        </dd>
        {ids.map(({ name, id }) => (
          <IdRow key={`${name} ${id}`} name={name} id={id} />
        ))}
      </dl>
      <div className="mt-4 flex flex-wrap gap-2">
        <Button size={32} aria-expanded={json} onClick={() => showJson(!json)}>
          {json ? 'Hide JSON' : 'JSON'}
        </Button>
        <Button size={32} disabled={hash === null} onClick={() => hash !== null && void copyText('Hash', hash)}>
          <Copy aria-hidden className="size-4" />
          Copy hash
        </Button>
      </div>
      {json && (
        <div
          role="region"
          aria-label="JSON of the event"
          tabIndex={0}
          className="mt-4 max-h-96 overflow-auto rounded-ctl bg-bg p-3"
        >
          <pre translate="no" className="font-sans text-13 whitespace-pre-wrap tabular-nums [overflow-wrap:anywhere]">
            {JSON.stringify({ type: event.type, data: event.data, metadata: event.metadata }, null, 2)}
          </pre>
        </div>
      )}
    </>
  );
}

interface ChainProps {
  readonly links: readonly ChainLink[];
  /** Version of the event in detail. */
  readonly current: number;
  readonly onVersion: (version: number) => void;
}

/** From the arrival of the credits to the end of their deduction. */
function Chain({ links, current, onVersion }: ChainProps): React.ReactNode {
  if (links.length === 0) return null;
  return (
    <ol aria-label="Chain of the credits" className="-mx-5 mt-3 border-y border-line text-14 tabular-nums">
      {links.map((link) =>
        'lotId' in link ? (
          <li key={link.lotId} className="px-5 py-2">
            <span className="block font-[560]">Credits of before, not loaded</span>
            <Link translate="no" to={findPath(link.lotId)} className="link [overflow-wrap:anywhere]">
              {shortId(link.lotId, 40)}
            </Link>
          </li>
        ) : (
          <li
            key={link.version}
            className={cx(
              'border-l-2 px-[18px] py-2',
              link.version === current ? 'border-seal-mark bg-hover' : 'border-transparent',
            )}
          >
            <button
              type="button"
              aria-current={link.version === current ? 'step' : undefined}
              className="min-h-6 rounded-sm text-left font-[560] hover:underline"
              onClick={() => onVersion(link.version)}
            >
              <span>{link.what}</span> <span className="font-[400] text-ink-2">v{link.version}</span>
            </button>
            <span className="block text-ink-2">
              {formatUtcInstant(link.at)}. {signed(link.amount)} credits
            </span>
          </li>
        ),
      )}
    </ol>
  );
}

/** The credits by lot, with their prices. */
function Lots({ lots }: { readonly lots: readonly Allocation[] }): React.ReactNode {
  if (lots.length === 0) return null;
  return (
    <table className="mt-3 w-full table-fixed border-collapse text-14 tabular-nums">
      <thead className="text-13 text-ink-2">
        <tr>
          <HeadCells
            cells={[
              ['Lot', 'py-1.5 text-left font-[400]'],
              ['Credits', 'w-16 py-1.5 text-right font-[400]'],
              ['Price of one', 'w-24 py-1.5 text-right font-[400]'],
            ]}
          />
        </tr>
      </thead>
      <tbody>
        {lots.map(({ lotId, kind, amount, unitPriceCents }) => (
          <tr key={lotId} className="border-t border-line">
            <td className="py-1.5 [overflow-wrap:anywhere]">
              <Link translate="no" to={findPath(lotId)} className="link">
                {shortId(lotId, 30)}
              </Link>{' '}
              <span className="text-ink-2">{kind}</span>
            </td>
            <td className="py-1.5 text-right">{amount}</td>
            <td className="py-1.5 text-right">{unitPriceCents === 0 ? 'free' : `${unitPriceCents}¢`}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The picture that the credits were taken for. Only a public one is shown. */
function PictureOfEvent({ picture }: { readonly picture: EventPicture }): React.ReactNode {
  const { id, status, image, prompt, path, creator_name: creator } = picture;
  return (
    <div className="mt-4 flex gap-4 border-b border-line pb-4 text-14">
      {image && <ResponsivePicture image={image} alt="" sizes="96px" ratio="1" className="w-24 shrink-0 rounded-ctl" />}
      <div className="min-w-0">
        <h3 className="font-[560] [overflow-wrap:anywhere]" dir="auto" translate={prompt === null ? undefined : 'no'}>
          {prompt ?? PICTURE_STATES[status]}
        </h3>
        <p translate={creator === null ? undefined : 'no'} className="text-ink-2">
          {creator ?? 'A creator who is gone'}
        </p>
        <p translate="no" className="text-ink-2 [overflow-wrap:anywhere] tabular-nums">
          {id}
        </p>
        {path !== null && (
          <Link to={path} className="link">
            Open the picture
          </Link>
        )}
      </div>
    </div>
  );
}

const PICTURE_STATES = {
  pending: 'A picture that is being drawn',
  completed: 'A picture that is not public',
  failed: 'A picture that failed',
} as const;

/** The cents that the event gives to creators and to Fanvas, or takes back. */
function Earned({ event }: { readonly event: AccountEvent }): React.ReactNode {
  const { earned, platform_cents: platform } = event;
  if (earned.length === 0 && platform === 0) return null;
  return (
    <table aria-label="Earned" className="w-full border-collapse text-14 tabular-nums">
      <tbody>
        {earned.map(({ creator_id: id, creator_name: name, cents, payable_at: payableAt }, index) => (
          <tr key={`${id} ${index}`} className="border-t border-line">
            <th scope="row" className="py-1.5 text-left font-[400]">
              <span translate="no">{name ?? shortId(id, 30)},</span>{' '}
              <span className="text-ink-2">payable from {formatUtcDay(payableAt)}</span>
            </th>
            <td className="py-1.5 text-right font-[560]">{formatMoney(cents)}</td>
          </tr>
        ))}
        <tr className="border-t border-line">
          <th scope="row" className="py-1.5 text-left font-[400]">
            Fanvas
          </th>
          <td className="py-1.5 text-right font-[560]">{formatMoney(platform)}</td>
        </tr>
      </tbody>
    </table>
  );
}

interface CoverageProps {
  /** Null: nothing covers the event yet. */
  readonly position: string | null;
  readonly cover: string;
  /** Shown without a position. */
  readonly missing: string;
}

/** The position of an event in a seal or in the public log. */
function Coverage({ position, cover, missing }: CoverageProps): React.ReactNode {
  return position === null ? (
    <span className="text-ink-2">
      <CircleDashed aria-hidden className="inline size-4" /> <span>{missing}</span>
    </span>
  ) : (
    <span>
      <span>{position}</span>{' '}
      <span className="text-good">
        <Stamp aria-hidden className="inline size-4" /> <span>{cover}</span>
      </span>
    </span>
  );
}

function IdRow({ name, id }: { readonly name: string; readonly id: string }): React.ReactNode {
  return (
    <>
      <dt>{name}</dt>
      <dd className="min-w-0">
        <Link translate="no" to={findPath(id)} className="link [overflow-wrap:anywhere]" title={`All events of ${id}`}>
          {shortId(id, 40)}
        </Link>
      </dd>
    </>
  );
}

const ID_NAMES = [
  ['deductionId', 'Deduction'],
  ['generationId', 'Picture'],
  ['lotId', 'Lot'],
  ['sessionId', 'Session'],
  ['checkoutSessionId', 'Session'],
  ['reversalId', 'Reversal'],
  ['adjustmentId', 'Adjustment'],
  ['creatorId', 'Creator'],
] as const;

/** The ids in the content of an event that lead to other events. */
function relatedIds(data: object): { readonly name: string; readonly id: string }[] {
  const fields = data as Readonly<Record<string, unknown>>;
  return ID_NAMES.flatMap(([field, name]) => {
    const id = fields[field];
    return typeof id === 'string' && id !== '' ? [{ name, id }] : [];
  });
}
