import * as DropdownMenu from '@radix-ui/react-dropdown-menu';
import { cx } from '../lib/cx.js';
import { neverChanges, useBrowserValue } from '../lib/first-draw.js';

export const Menu = DropdownMenu.Root;
export const MenuTrigger = DropdownMenu.Trigger;

/** Classes of the floating sheet of a menu and of one line, for look-alikes of a menu. */
export const SHEET =
  'data-[state=open]:fade-in z-(--z-menu) min-w-56 rounded-panel border border-line-strong bg-raised p-2 shadow-float outline-none';
export const LINE =
  'flex h-10 w-full cursor-pointer select-none items-center gap-3 rounded-[10px] px-3 text-14 font-[560] text-ink [&_svg]:size-[18px] [&_svg]:text-ink-2';

/** Floating sheets belong to the main landmark: content outside of landmarks is easy to miss with a screen reader. */
export function useMenuPlace(): HTMLElement | null {
  return useBrowserValue(neverChanges, () => document.getElementById('main'), null);
}

/** The floating sheet of a menu. */
export function MenuContent({
  className,
  children,
  ...rest
}: DropdownMenu.DropdownMenuContentProps & { readonly ref?: React.Ref<HTMLDivElement> }): React.ReactNode {
  return (
    <DropdownMenu.Portal container={useMenuPlace()}>
      <DropdownMenu.Content align="end" sideOffset={8} collisionPadding={16} {...rest} className={cx(SHEET, className)}>
        {children}
      </DropdownMenu.Content>
    </DropdownMenu.Portal>
  );
}

/** One line of a menu; with `asChild` it is a link. */
export function MenuItem({ className, ...rest }: DropdownMenu.DropdownMenuItemProps): React.ReactNode {
  return <DropdownMenu.Item {...rest} className={cx(LINE, 'outline-none data-[highlighted]:bg-hover', className)} />;
}

/** The title of a menu. */
export function MenuLabel({ className, ...rest }: DropdownMenu.DropdownMenuLabelProps): React.ReactNode {
  return <DropdownMenu.Label {...rest} className={cx('px-3 pt-1 pb-2 text-14 text-ink-2', className)} />;
}

export function MenuSeparator(): React.ReactNode {
  return <DropdownMenu.Separator className="mx-3 my-2 h-px bg-line" />;
}
