import type { AdminUser, AdminUserReport } from '../../../../../src/contract/admin-users.js';
import { PAGE_SIZES } from '../../../../../src/contract/limits.js';
import { STRIKES_TO_SUSPEND, type CaseDecision } from '../../../../../src/contract/moderation.js';
import { Badge, type Tone } from '../../../components/badge.js';
import { EmptyState } from '../../../components/states.js';
import { REPORT_REASONS } from '../../../lib/report-reasons.js';
import { useNumberedPages } from '../../../components/work-area/list-pages.js';
import { loadWords } from '../../../components/work-area/answer.js';
import { RpcList } from '../../../components/work-area/rpc-list.js';
import { RowPicture } from './row-picture.js';
import { formatUtcMinute } from './user-text.js';
import { Name } from '../../../components/name.js';

const DECISIONS: Readonly<Record<CaseDecision, readonly [tone: Tone, label: string]>> = {
  keep: ['neutral', 'Kept'],
  hide: ['warn', 'Hidden'],
  take_down: ['bad', 'Taken down'],
};

/** Reports about the user's pictures, with the strikes, and reports by the user. */
export function ReportsTab({ user }: { readonly user: AdminUser }): React.ReactNode {
  const { user_id: userId, strikes } = user;
  return (
    <div className="mt-5 space-y-8">
      <p className="text-14 text-ink-2">
        {strikes === 0 ? 'No strikes.' : `${strikes} ${strikes === 1 ? 'strike' : 'strikes'}.`} From{' '}
        {STRIKES_TO_SUSPEND} strikes on, each suspends by itself.
      </p>
      <Reports userId={userId} about title="About pictures of this user" empty="No picture of this user was reported" />
      <Reports userId={userId} about={false} title="By this user" empty="This user has reported nothing" />
    </div>
  );
}

interface ReportsProps {
  readonly userId: string;
  /** True for reports about pictures of the user. */
  readonly about: boolean;
  readonly title: string;
  readonly empty: string;
}

function Reports({ userId, about, title, empty }: ReportsProps): React.ReactNode {
  const list = useNumberedPages(
    'get_user_reports_admin',
    { p_user_id: userId, p_about: about },
    PAGE_SIZES.userReports,
  );
  return (
    <section>
      <h2 className="display-sm text-24">{title}</h2>
      <RpcList
        list={list}
        words={loadWords('the reports', 'reports')}
        empty={<EmptyState title={empty} />}
        blocks={2}
        caption={title}
        rowKey={({ kind, id }) => `${kind} ${id}`}
        item={(row) => <Report row={row} />}
        className="mt-2"
      />
    </section>
  );
}

function Report({ row }: { readonly row: AdminUserReport }): React.ReactNode {
  const { kind, image, creator_name, note, at, reports, decision, decided_at, strike, generation_id } = row;
  return (
    <>
      <RowPicture image={image} />
      <div className="min-w-0 flex-1">
        <p className="font-[560]">
          {kind === 'take_down' ? 'Take-down asked for by the creator' : reasonText(row)}
          {reports > 1 && `, ${reports.toLocaleString('en')} reports`}
        </p>
        {note !== '' && <p className="[overflow-wrap:anywhere]">“{note}”</p>}
        <p className="text-13 [overflow-wrap:anywhere] text-ink-2">
          <Name>{creator_name}</Name>
          <span>, {formatUtcMinute(at)} UTC,</span> <Name>{generation_id}</Name>
        </p>
      </div>
      <div className="flex shrink-0 flex-col items-end gap-1">
        {strike && <Badge tone="bad">Strike</Badge>}
        {decision === null ? (
          <Badge tone="warn">Open</Badge>
        ) : (
          <Badge tone={DECISIONS[decision][0]}>{DECISIONS[decision][1]}</Badge>
        )}
        {decided_at !== null && <span className="text-13 text-ink-2">{formatUtcMinute(decided_at)}</span>}
      </div>
    </>
  );
}

function reasonText({ reason }: Pick<AdminUserReport, 'reason'>): string {
  return REPORT_REASONS.find(([value]) => value === reason)?.[1] ?? reason;
}
