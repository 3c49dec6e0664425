import {
  CircleHelp,
  CircleUser,
  Coins,
  House,
  ImagePlus,
  Images,
  LayoutDashboard,
  type LucideIcon,
  Palette,
  ShieldCheck,
} from 'lucide-react';
import { hasPage } from '../pages.js';

export interface MenuLink {
  readonly to: string;
  readonly label: string;
  readonly icon: LucideIcon;
  /** The role that sees the link; all users by default. */
  readonly only?: 'admin' | 'auditor' | 'creator';
}

/** Items of the avatar menu and the slide-out menu, in order. Items without a page are left out. */
export const accountLinks: readonly MenuLink[] = (
  [
    { to: '/admin', label: 'Admin Dashboard', icon: LayoutDashboard, only: 'admin' },
    { to: '/audit', label: 'Audit', icon: ShieldCheck, only: 'auditor' },
    { to: '/creator', label: 'Creator Dashboard', icon: Palette, only: 'creator' },
    { to: '/my-creations', label: 'My Creations', icon: Images },
    { to: '/credits', label: 'Credits', icon: Coins },
    { to: '/account', label: 'Account', icon: CircleUser },
    { to: '/faq', label: 'FAQ', icon: CircleHelp },
  ] satisfies MenuLink[]
).filter(({ to }) => hasPage(to));

export const homeLink: MenuLink = { to: '/', label: 'Home', icon: House };

/** The links of the credits pill. */
export const creditLinks: readonly MenuLink[] = (
  [
    { to: '/credits', label: 'View Transactions', icon: Coins },
    { to: '/purchase-credits', label: 'Purchase Credits', icon: ImagePlus },
  ] satisfies MenuLink[]
).filter(({ to }) => hasPage(to));
