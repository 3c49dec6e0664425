import {
  CircleHelp,
  CircleUser,
  Coins,
  HandCoins,
  House,
  ImagePlus,
  Images,
  Landmark,
  LayoutDashboard,
  type LucideIcon,
  Palette,
  ShieldCheck,
} from 'lucide-react';
import type { PageAddress } from '../../../../src/contract/paths.js';
import type { Role } from '../../../../src/contract/roles.js';
import { EARN } from '../../features/creators/earn.js';

export interface MenuLink {
  readonly to: PageAddress;
  readonly label: string;
  readonly icon: LucideIcon;
  /** The people who see the link; all users by default. */
  readonly only?: readonly (Role | 'creator' | 'not a creator')[];
}

/** Items of the avatar menu and the slide-out menu, in order. */
export const accountLinks: readonly MenuLink[] = [
  { to: '/admin', label: 'Admin Dashboard', icon: LayoutDashboard, only: ['admin'] },
  { to: '/audit', label: 'Audit', icon: ShieldCheck, only: ['auditor'] },
  { to: '/finance', label: 'Finance', icon: Landmark, only: ['finance', 'admin'] },
  { to: '/creator', label: 'Creator Dashboard', icon: Palette, only: ['creator'] },
  { to: '/my-creations', label: 'My Creations', icon: Images },
  { to: '/credits', label: 'Credits', icon: Coins },
  { to: '/account', label: 'Account', icon: CircleUser },
  { to: '/faq', label: 'FAQ', icon: CircleHelp },
  { to: '/creator', label: EARN, icon: HandCoins, only: ['not a creator'] },
];

/** Of these, the ones for visitors. */
export const visitorLinks = accountLinks.filter(({ to, label }) => to === '/faq' || label === EARN);

export const homeLink: MenuLink = { to: '/', label: 'Home', icon: House };

/** The links of the credits pill. */
export const creditLinks: readonly MenuLink[] = [
  { to: '/credits', label: 'View Transactions', icon: Coins },
  { to: '/purchase-credits', label: 'Purchase Credits', icon: ImagePlus },
];
