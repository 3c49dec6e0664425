import { Tabs as Radix } from 'radix-ui';
import { cx } from '../../lib/cx.js';

export const Tabs = Radix.Root;
export const TabPanel = Radix.Content;

/** The row of tabs above a hairline. */
export function TabList({ className, ...rest }: Radix.TabsListProps): React.ReactNode {
  return (
    <Radix.List {...rest} className={cx('no-scrollbar flex gap-6 overflow-x-auto border-b border-line', className)} />
  );
}

/** One tab: text with an underline when current. */
export function Tab({ className, ...rest }: Radix.TabsTriggerProps): React.ReactNode {
  return (
    <Radix.Trigger
      {...rest}
      className={cx(
        '-mb-px h-12 whitespace-nowrap border-b-2 border-transparent text-16 font-[560] text-ink-2 hover:text-ink focus-visible:outline-offset-[-2px] data-[state=active]:border-seal-mark data-[state=active]:text-ink',
        className,
      )}
    />
  );
}
