import { ChevronDown, LogOut } from 'lucide-react';
import * as Popover from '@radix-ui/react-popover';
import { Link } from 'react-router-dom';
import { useViewer } from '../../lib/auth.js';
import { cx } from '../../lib/cx.js';
import { useCredits } from '../../features/credits/api/get-user-credit-breakdown.js';
import { useNextDailyCredits } from '../../features/credits/use-next-daily-credits.js';
import { Avatar } from '../../components/avatar.js';
import { Button } from '../../components/button.js';
import { CreditIcon } from '../../components/icons.js';
import {
  LINE,
  Menu,
  MenuContent,
  MenuItem,
  MenuSeparator,
  MenuTrigger,
  SHEET,
  useMenuPlace,
} from '../../components/menu.js';
import { creditLinks } from './menu-items.js';
import { useAccountLinks } from './use-account-links.js';

/** The header of a signed-in person: credits pill and avatar menu. */
export default function AccountCluster(): React.ReactNode {
  return (
    <div className="flex items-center gap-4">
      <CreditsPill />
      <AvatarMenu />
    </div>
  );
}

function CreditsPill(): React.ReactNode {
  const next = useNextDailyCredits();
  const { data, isError, isFetching, refetch } = useCredits();
  const failed = isError && !data;
  const label = failed ? 'Error loading credits' : data ? `${data.total_balance} credits` : 'Loading credits';
  return (
    <Popover.Root>
      <Popover.Trigger
        aria-label={label}
        title={failed ? label : undefined}
        className="flex h-9 min-w-[76px] items-center justify-center gap-[8px] rounded-pill border border-line px-[14px] text-14 font-[640] tabular-nums hover:border-line-strong sm:h-10 sm:min-w-24"
      >
        <CreditIcon className="text-seal-mark" />
        {failed ? <span className="text-bad">!</span> : <span>{data?.total_balance ?? '–'}</span>}
        <ChevronDown aria-hidden className="hidden size-4 text-ink-2 sm:block" />
      </Popover.Trigger>
      <Popover.Portal container={useMenuPlace()}>
        {/* A dialog instead of a menu, because it holds figures and a button. */}
        <Popover.Content aria-label="Credits" align="end" sideOffset={8} collisionPadding={16} className={SHEET}>
          {failed ? (
            <div className="px-3 py-2" role="alert">
              <p className="text-14 font-[560]">Error loading credits</p>
              <p className="text-14 text-ink-2">Your credits are safe.</p>
              <Button size={32} className="mt-3" busy={isFetching} busyLabel="Trying..." onClick={() => void refetch()}>
                Refresh
              </Button>
            </div>
          ) : (
            <dl className="px-3 py-1 text-14 tabular-nums">
              <Line term="Free Credits" value={data?.free_credits} />
              <Line term="Purchased Credits" value={data?.paid_credits} />
              {next && <Line term="Next daily credits" value={next.text} />}
            </dl>
          )}
          {creditLinks.length > 0 && <hr className="mx-3 my-2 border-line" />}
          {creditLinks.map(({ to, label: text, icon: Icon }) => (
            <Popover.Close key={to} asChild>
              <Link to={to} className={cx(LINE, 'hover:bg-hover')}>
                <Icon aria-hidden />
                <span>{text}</span>
              </Link>
            </Popover.Close>
          ))}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

function Line({ term, value }: { term: string; value: number | string | undefined }): React.ReactNode {
  return (
    <div className="flex h-9 items-center justify-between gap-8">
      <dt className="text-ink-2">{term}</dt>
      <dd className="font-[640]">{value ?? '–'}</dd>
    </div>
  );
}

/** The avatar with the menu of the account; on wide screens only. */
export function AvatarMenu(): React.ReactNode {
  const { user, signOut } = useViewer();
  const links = useAccountLinks();
  const name = user?.fullName ?? user?.email ?? 'Account';
  return (
    <Menu modal={false}>
      <MenuTrigger aria-label={`Account of ${name}`} className="hidden rounded-pill sm:block">
        <Avatar name={name} src={user?.imageUrl} />
      </MenuTrigger>
      <MenuContent>
        <div className="max-w-64 px-3 py-1.5">
          {user?.fullName && (
            <p translate="no" className="truncate text-14 font-[600]">
              {user.fullName}
            </p>
          )}
          <p translate="no" className="truncate text-14 text-ink-2">
            {user?.email}
          </p>
        </div>
        <MenuSeparator />
        {links.map(({ to, label, icon: Icon }) => (
          <MenuItem key={to} asChild>
            <Link to={to}>
              <Icon aria-hidden />
              <span>{label}</span>
            </Link>
          </MenuItem>
        ))}
        {links.length > 0 && <MenuSeparator />}
        <MenuItem onSelect={() => void signOut()}>
          <LogOut aria-hidden />
          Sign Out
        </MenuItem>
      </MenuContent>
    </Menu>
  );
}
