import { Menu as MenuIcon } from 'lucide-react';
import { useState } from 'react';
import { IconButton } from '../components/button.js';
import { AvatarMenu } from './shell/account-cluster.js';
import MobileMenu from './shell/mobile-menu.js';

/** The account in the header of a work area: the avatar menu; on phones a button that opens the slide-out menu. */
export function AreaAccount(): React.ReactNode {
  const [open, setOpen] = useState(false);
  return (
    <>
      <AvatarMenu />
      <IconButton
        label="Menu"
        aria-haspopup="dialog"
        aria-expanded={open}
        className="-mr-[10px] sm:hidden"
        onClick={() => setOpen(true)}
      >
        <MenuIcon className="size-5" />
      </IconButton>
      <MobileMenu open={open} onOpenChange={setOpen} />
    </>
  );
}
