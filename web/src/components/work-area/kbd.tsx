import { cx } from '../../lib/cx.js';

/** Keys as they are printed on a keyboard: `Ctrl ↵` becomes two boxes. */
export function Kbd({ keys, className }: { readonly keys: string; readonly className?: string }): React.ReactNode {
  return (
    <span className={cx('inline-flex gap-1', className)}>
      {keys.split(' ').map((key) => (
        <kbd
          key={key}
          translate="no"
          className="inline-flex h-5 min-w-5 items-center justify-center rounded-[5px] border border-current px-[5px] font-sans text-13 leading-none font-[500]"
        >
          {key}
        </kbd>
      ))}
    </span>
  );
}
