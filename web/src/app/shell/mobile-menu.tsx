import { LogIn, LogOut, X } from 'lucide-react';
import * as Dialog from '@radix-ui/react-dialog';
import { Link } from 'react-router-dom';
import { useViewer } from '../../lib/auth.js';
import { Avatar } from '../../components/avatar.js';
import { IconButton } from '../../components/button.js';
import { useFocusReturn } from '../../components/dialog.js';
import { homeLink, type MenuLink, visitorLinks } from './menu-items.js';
import { useAccountLinks } from './use-account-links.js';
import { useWayBack } from '../../lib/way-back.js';

interface MobileMenuProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
}

const LINE = 'flex h-14 w-full items-center gap-4 text-18 font-[560] [&_svg]:size-5 [&_svg]:text-ink-2';

/** The slide-out menu of small screens. */
export default function MobileMenu({ open, onOpenChange }: MobileMenuProps): React.ReactNode {
  const { status, user, signOut } = useViewer();
  const signedIn = status === 'signed-in';
  const own = useAccountLinks();
  const links = signedIn ? own : visitorLinks;
  const back = useWayBack();
  const focusReturn = useFocusReturn();
  const close = (): void => onOpenChange(false);

  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Overlay className="data-[state=open]:fade-in fixed inset-0 z-(--z-dialog) bg-scrim" />
        <Dialog.Content
          aria-describedby={undefined}
          {...focusReturn}
          className="data-[state=open]:slide-in-right fixed inset-y-0 right-0 z-(--z-dialog) flex w-[min(320px,85vw)] flex-col border-l border-line bg-surface outline-none"
        >
          <Dialog.Title className="sr-only">Menu</Dialog.Title>
          <div className="flex h-14 items-center justify-between gap-3 pl-5 pr-1.5">
            {signedIn && user ? (
              <div className="flex min-w-0 items-center gap-3">
                <Avatar name={user.fullName ?? user.email ?? ''} src={user.imageUrl} size={32} />
                <span translate="no" className="truncate text-14 text-ink-2">
                  {user.fullName ?? user.email}
                </span>
              </div>
            ) : (
              <span />
            )}
            <Dialog.Close asChild>
              <IconButton label="Close menu">
                <X className="size-5" />
              </IconButton>
            </Dialog.Close>
          </div>
          <nav aria-label="Menu" className="overflow-y-auto px-5 pb-6">
            <ul className="divide-y divide-line border-y border-line">
              {[homeLink, ...links].map((link) => (
                <Item key={link.to} link={link} onClick={close} />
              ))}
              {signedIn ? (
                <li>
                  <button
                    type="button"
                    className={LINE}
                    onClick={() => {
                      close();
                      void signOut();
                    }}
                  >
                    <LogOut aria-hidden />
                    Sign Out
                  </button>
                </li>
              ) : (
                <Item link={{ to: '/sign-in', label: 'Sign in', icon: LogIn }} state={back} onClick={close} />
              )}
            </ul>
          </nav>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

interface ItemProps {
  readonly link: MenuLink;
  readonly state?: unknown;
  readonly onClick: () => void;
}

function Item({ link, state, onClick }: ItemProps): React.ReactNode {
  const { to, label, icon: Icon } = link;
  return (
    <li>
      <Link to={to} state={state} className={LINE} onClick={onClick}>
        <Icon aria-hidden />
        <span>{label}</span>
      </Link>
    </li>
  );
}
