import * as Tabs from '@radix-ui/react-tabs';

/** A tab of a page of users. */
export function TabTrigger(props: { readonly value: string; readonly children: React.ReactNode }): React.ReactNode {
  return (
    <Tabs.Trigger
      {...props}
      className="-mb-px inline-flex h-11 shrink-0 items-center gap-2 border-b-2 border-transparent px-1.5 text-14 whitespace-nowrap text-ink-2 hover:text-ink focus-visible:-outline-offset-2 data-[state=active]:border-seal-mark data-[state=active]:font-[560] data-[state=active]:text-ink"
    />
  );
}
