import { Link, useSearchParams } from 'react-router-dom';
import type { CreatorLiability, TrialBalance } from '../../../../../src/contract/finance.js';
import { Skeleton } from '../../../components/skeleton.js';
import { EmptyState } from '../../../components/states.js';
import { Answer, loadWords } from '../../../components/work-area/answer.js';
import { WorkPage } from '../../../components/work-area/work-page.js';
import { useRpc } from '../../../lib/use-rpc.js';
import { entriesPath, eventPath } from '../finance-paths.js';
import { periodUpTo } from '../finance-text.js';
import { useAllCreators } from './use-all-creators.js';

interface Hit {
  readonly to: string;
  readonly label: string;
  readonly kind: string;
}

/** /finance/find: accounts of the books by number or name, creators, and an entry by its id. */
export default function FindPage(): React.ReactNode {
  const [params] = useSearchParams();
  const wanted = params.get('q')?.trim() ?? '';
  const books = useRpc('get_trial_balance', {});
  const creators = useAllCreators();
  return (
    <WorkPage
      title="Find"
      back={{ to: '/finance', label: 'Overview' }}
      footer="Searched: accounts, creators, and entries by the ID that the files have, such as user_1:12"
    >
      <p translate="no" className="mt-2 text-14 text-ink-2 [overflow-wrap:anywhere]">
        {wanted}
      </p>
      <Answer query={books} words={{ ...loadWords('the accounts'), loading: 'Searching...' }} skeleton={<Blocks />}>
        {(balance) => {
          const inBooks = [...entryHits(wanted), ...accountHits(balance, wanted)];
          return (
            <>
              <Hits label="Accounts and entries" hits={inBooks} />
              <Answer
                query={creators}
                words={{ ...loadWords('the creators'), loading: 'Searching...' }}
                skeleton={<Blocks />}
              >
                {(all) => {
                  const found = creatorHits(all, balance, wanted);
                  return inBooks.length + found.length > 0 ? <Hits label="Creators" hits={found} /> : <Nothing />;
                }}
              </Answer>
            </>
          );
        }}
      </Answer>
    </WorkPage>
  );
}

function Blocks(): React.ReactNode {
  return <Skeleton className="mt-4 h-40 rounded-sm" />;
}

function Nothing(): React.ReactNode {
  return (
    <EmptyState className="mt-4" title="Nothing found">
      Type the number or name of an account, a creator, or the ID of an entry.
    </EmptyState>
  );
}

function Hits({ label, hits }: { readonly label: string; readonly hits: readonly Hit[] }): React.ReactNode {
  if (hits.length === 0) return null;
  return (
    <ul aria-label={label} className="mt-4">
      {hits.map(({ to, label: name, kind }) => (
        <li key={to} className="flex justify-between gap-4 border-b border-line py-2.5 text-14">
          <Link
            translate={kind === 'Account' ? undefined : 'no'}
            to={to}
            className="link min-w-0 [overflow-wrap:anywhere]"
          >
            {name}
          </Link>
          <span className="whitespace-nowrap text-ink-2">{kind}</span>
        </li>
      ))}
    </ul>
  );
}

function matches(text: string | null, wanted: string): boolean {
  return wanted !== '' && text !== null && text.toLowerCase().includes(wanted.toLowerCase());
}

/** `user_1:12`, as the files name an entry. */
function entryHits(wanted: string): Hit[] {
  const [, userId, version] = /^(.+):(\d{1,9})$/.exec(wanted) ?? [];
  if (userId === undefined) return [];
  return [{ to: eventPath(userId, Number(version)), label: wanted, kind: 'Entry' }];
}

function accountHits({ accounts, at, begins_at: beginsAt }: TrialBalance, wanted: string): Hit[] {
  return accounts
    .filter(({ account, name }) => String(account) === wanted || matches(name, wanted))
    .map(({ account, name }) => ({
      to: entriesPath({ accounts: [account], ...periodUpTo(at, beginsAt ?? at) }),
      label: `${account} ${name}`,
      kind: 'Account',
    }));
}

function creatorHits(
  creators: readonly CreatorLiability[],
  { at, begins_at: beginsAt }: TrialBalance,
  wanted: string,
): Hit[] {
  return creators
    .filter(({ creator_id: id, name, username }) => [id, name, username].some((text) => matches(text, wanted)))
    .map(({ creator_id: creatorId, name }) => ({
      to: entriesPath({ accounts: [2100], creatorId, ...periodUpTo(at, beginsAt ?? at) }),
      label: name ?? creatorId,
      kind: 'Creator',
    }));
}
