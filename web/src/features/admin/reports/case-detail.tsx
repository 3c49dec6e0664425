import { EyeOff, Undo2 } from 'lucide-react';
import type { ModerationCase, ModerationCaseRow } from '../../../../../src/contract/moderation.js';
import { Button } from '../../../components/button.js';
import { Skeleton } from '../../../components/skeleton.js';
import { cx } from '../../../lib/cx.js';
import { useRpc } from '../../../lib/use-rpc.js';
import { shortId } from '../components/act-text.js';
import { Acts, useMayAct } from '../../../components/work-area/acts.js';
import { Answer, loadWords } from '../../../components/work-area/answer.js';
import { Kbd } from '../../../components/work-area/kbd.js';
import { useKeys } from '../../../components/work-area/keys.js';
import { formatUtcInstant } from '../../../components/work-area/utc.js';
import { CaseFacts, CaseHistory } from './case-facts.js';
import { DECISIONS } from './case-text.js';
import { DecidePanel, type DecideRequest } from './decide-panel.js';
import { VeiledPicture } from './veiled-picture.js';

interface CaseDetailProps {
  readonly row: ModerationCaseRow;
  readonly veiled: boolean;
  readonly onVeil: () => void;
  readonly busy: boolean;
  readonly problem: string | null;
  readonly onDecide: (request: DecideRequest) => void;
  readonly onNext: () => void;
  readonly onUndo: (actId: string) => void;
}

/** A case with everything that is needed to decide it. */
export function CaseDetail(props: CaseDetailProps): React.ReactNode {
  const { row, veiled, onVeil, busy, problem, onDecide, onNext, onUndo } = props;
  const query = useRpc('get_moderation_case', { p_kind: row.kind, p_id: row.id });
  // While this case loads, the query still holds the one before.
  const data = query.data?.id === row.id && query.data.kind === row.kind ? query.data : undefined;
  return (
    <Answer query={{ ...query, data }} words={loadWords('the case')} skeleton={<Blocks />}>
      {(about) => (
        <>
          <div className={cx('grid gap-7', about.kind !== 'refusal' && 'md:grid-cols-[300px_minmax(0,1fr)]')}>
            {about.kind !== 'refusal' && (
              <CasePicture about={about} image={row.image} veiled={veiled} onVeil={onVeil} />
            )}
            <CaseFacts about={about} />
          </div>
          <CaseHistory about={about} />
          {about.decision === null ? (
            <Acts>
              <DecidePanel about={about} busy={busy} problem={problem} onDecide={onDecide} onNext={onNext} />
            </Acts>
          ) : (
            <Decided about={about} busy={busy} onUndo={onUndo} />
          )}
        </>
      )}
    </Answer>
  );
}

interface CasePictureProps {
  readonly about: ModerationCase;
  readonly image: ModerationCaseRow['image'];
  readonly veiled: boolean;
  readonly onVeil: () => void;
}

function CasePicture({ about, image, veiled, onVeil }: CasePictureProps): React.ReactNode {
  return (
    <div>
      <VeiledPicture
        image={about.image ?? image}
        veiled={veiled}
        alt={about.prompt}
        sizes="300px"
        className="aspect-square w-full rounded-tile"
      />
      <div className="mt-2 flex items-center justify-between gap-3">
        <Button size={32} aria-pressed={veiled} onClick={onVeil}>
          <EyeOff aria-hidden className="size-4" />
          Veil
          <Kbd keys="V" className="max-sm:hidden" />
        </Button>
        <span translate="no" className="text-13 text-ink-2 tabular-nums" title={about.generation_id ?? undefined}>
          {shortId(about.generation_id ?? about.id)}
        </span>
      </div>
    </div>
  );
}

type DecidedProps = Pick<CaseDetailProps, 'busy' | 'onUndo'> & { readonly about: ModerationCase };

function Decided({ about, busy, onUndo }: DecidedProps): React.ReactNode {
  const { decision, decided_at, undo } = about;
  const mayAct = useMayAct();
  useKeys(undo && mayAct ? [{ keys: ['U'], label: 'Undo', run: () => onUndo(undo.act_id) }] : []);
  return (
    <div className="mt-6 rounded-panel border border-line bg-surface p-5 text-14">
      <p>
        <b className="font-[600]">Decided: {decision && DECISIONS[decision]}</b>
        {decided_at !== null && <span className="text-ink-2"> on {formatUtcInstant(decided_at)}</span>}
      </p>
      {undo ? (
        <div className="mt-3 flex flex-wrap items-center justify-between gap-3">
          <p className="text-ink-2">Can be undone until {formatUtcInstant(undo.until)}.</p>
          <Acts>
            <Button busy={busy} busyLabel="Processing..." onClick={() => onUndo(undo.act_id)}>
              <Undo2 aria-hidden className="size-4" />
              Undo
              <Kbd keys="U" className="max-sm:hidden" />
            </Button>
          </Acts>
        </div>
      ) : (
        <p className="mt-2 text-ink-2">It cannot be undone any more.</p>
      )}
    </div>
  );
}

function Blocks(): React.ReactNode {
  return (
    <div className="grid gap-7 md:grid-cols-[300px_minmax(0,1fr)]">
      <Skeleton className="aspect-square" />
      <div className="space-y-3">
        <Skeleton className="h-14 rounded-sm" />
        <Skeleton className="h-9 rounded-sm" />
        <Skeleton className="h-9 rounded-sm" />
      </div>
    </div>
  );
}
