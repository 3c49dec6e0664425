import { CreditIcon } from '../../../components/icons.js';

/** The price in credits, behind the label of a button that starts a generation. */
export function ButtonCost({ cost }: { readonly cost: number }): React.ReactNode {
  return (
    <>
      <span aria-hidden className="mx-0.5 h-5 w-px bg-current opacity-35" />
      <CreditIcon />
      <span className="tabular-nums">
        <span>{cost}</span>
        <span className="sr-only"> credits</span>
      </span>
    </>
  );
}
