import { CircleAlert } from 'lucide-react';
import { useId } from 'react';
import { GENERATION_COST } from '../../../../src/contract/prices.js';
import type { CreditBundle } from '../../../../src/contract/payments.js';
import { Badge } from '../../components/badge.js';
import { Button } from '../../components/button.js';
import { Loading } from '../../components/loading.js';
import { Skeleton } from '../../components/skeleton.js';
import { EmptyState, QueryProblem } from '../../components/states.js';
import { cx } from '../../lib/cx.js';
import { IMAGE_PRICE } from '../../lib/image-price.js';
import { useCreditBundles } from './api/get-credit-bundles.js';
import { BundleTiles, type Works } from './components/bundle-tiles.js';
import { commonPricePerCredit, formatPrice, imagesFor, pricePerCredit } from './prices.js';
import { useCheckout, type Checkout } from './use-checkout.js';

/** In a low window the buttons must be in sight without scrolling. */
const GRID = 'mt-6 grid gap-3 sm:mt-10 sm:gap-4 lg:grid-cols-3 lg:[@media(max-height:860px)]:mt-5';
/** Cards side by side share their rows, so that a message below one button keeps all of them aligned. */
const CARD =
  'flex flex-col rounded-panel border bg-surface p-5 sm:p-6 lg:row-span-6 lg:grid lg:grid-rows-subgrid lg:gap-0';

interface PurchasePageProps {
  /** Below the introduction, for example about owed credits. */
  readonly notice: React.ReactNode;
  readonly works: Works;
}

/** The bundles that are for sale. Each button opens the processor's page. */
export function PurchasePage({ notice, works }: PurchasePageProps): React.ReactNode {
  const query = useCreditBundles();
  const { data, isPending, isError, refetch } = query;
  // A refusal may mean that the prices have changed.
  const checkout = useCheckout({ onRefused: () => void refetch() });
  const common = data ? commonPricePerCredit(data) : null;

  return (
    <div className="wrap pt-1 sm:pt-3">
      <title>Purchase Credits · Fanvas</title>
      <h1 className="display text-[3.25rem] text-balance sm:text-[5.5rem] lg:[@media(max-height:860px)]:text-[3.75rem]">
        Purchase Credits
      </h1>
      <p className="mt-3 max-w-[60ch] text-18 text-ink-2 sm:mt-4">
        {IMAGE_PRICE} Half of what you pay for it goes to its creator.
      </p>
      {notice}
      {isPending && <LoadingBundles />}
      {isError && !data && (
        <QueryProblem className="mt-6 max-w-[560px] sm:mt-10" title="The bundles could not be loaded" query={query}>
          Nothing was charged. Check your connection and try again.
        </QueryProblem>
      )}
      {data?.length === 0 && (
        <EmptyState className="mt-6 max-w-[560px] sm:mt-10" title="Nothing is for sale right now">
          Free credits come every day. Look in again later for more.
        </EmptyState>
      )}
      {data && data.length > 0 && (
        <>
          <ul className={GRID}>
            {data.map((bundle, index) => (
              <Bundle
                key={bundle.id}
                bundle={bundle}
                offset={index * 3}
                works={works}
                unitPrice={common === null ? pricePerCredit(bundle) : null}
                checkout={checkout}
              />
            ))}
          </ul>
          <p className="mt-5 max-w-[90ch] text-16 text-ink-2 sm:mt-6">
            Purchased credits never expire and are available immediately.
            {common !== null && ` Every bundle is ${common} a credit.`}
          </p>
        </>
      )}
    </div>
  );
}

interface BundleProps {
  readonly works: Works;
  readonly bundle: CreditBundle;
  readonly offset: number;
  /** Price per credit; null when it is the same for all bundles. */
  readonly unitPrice: string | null;
  readonly checkout: Checkout;
}

function Bundle({ bundle, works, offset, unitPrice, checkout }: BundleProps): React.ReactNode {
  const { name, credits, popular } = bundle;
  const id = useId();
  const images = imagesFor(credits, GENERATION_COST);
  const busy = checkout.busy === bundle.id;
  const problem = checkout.problem?.bundleId === bundle.id ? checkout.problem.message : null;
  return (
    <li className={cx(CARD, popular ? 'border-seal-mark' : 'border-line')}>
      <h2 id={`${id}-name`} className="flex h-8 items-center text-16 font-[600]">
        {popular ? <PopularName name={name} /> : name}
      </h2>
      <BundleTiles works={works} count={images} offset={offset} className="mt-4 lg:self-end" />
      <p id={`${id}-credits`} className="mt-5 flex items-baseline gap-2.5 sm:mt-7 lg:[@media(max-height:860px)]:mt-4">
        <span className="display -ml-px text-64 tabular-nums sm:text-96">{credits.toLocaleString('en')}</span>
        <span className="text-16 text-ink-2">credits</span>
      </p>
      <p className="mt-4 flex items-baseline justify-between gap-4 text-16">
        <span className="text-ink-2">
          {images === 1 ? '1 image' : `${images.toLocaleString('en')} images`}
          {unitPrice !== null && `, ${unitPrice} a credit`}
        </span>
        <span id={`${id}-price`} className="font-[640] tabular-nums">
          {formatPrice(bundle.price)}
        </span>
      </p>
      <Button
        kind={popular ? 'seal' : 'line'}
        size={48}
        className="mt-4 w-full"
        aria-describedby={`${id}-name ${id}-credits ${id}-price`}
        aria-disabled={checkout.busy !== null && !busy}
        busy={busy}
        busyLabel="Processing..."
        onClick={() => void checkout.buy(bundle)}
      >
        Buy Now
      </Button>
      <div role="alert">
        {problem !== null && (
          <p className="mt-3 flex gap-2.5 text-14 text-bad">
            <CircleAlert aria-hidden className="mt-px size-[18px] shrink-0" />
            <span className="min-w-0 break-words">
              <span>{problem}</span> <span className="text-ink-2">You have not been charged.</span>
            </span>
          </p>
        )}
      </div>
    </li>
  );
}

/** The name with the badge "Popular". A bundle of that name shows it once. */
function PopularName({ name }: { name: string }): React.ReactNode {
  const mark = (
    <Badge tone="seal" className="h-8 px-3 text-16 font-[600]">
      Popular
    </Badge>
  );
  if (name.toLowerCase() === 'popular') return <span className="-ml-3">{mark}</span>;
  return (
    <span className="flex items-center gap-3">
      <span>{name}</span>
      {mark}
    </span>
  );
}

function LoadingBundles(): React.ReactNode {
  return (
    <Loading text="Loading the bundles">
      <div aria-hidden className={GRID}>
        {[0, 1, 2].map((index) => (
          <div key={index} className={cx(CARD, 'border-line')}>
            <Skeleton className="h-8 w-24 rounded-sm" />
            <Skeleton className="mt-4 h-24 rounded-sm lg:h-[276px]" />
            <Skeleton className="mt-7 h-16 w-40 rounded-sm sm:h-[90px]" />
            <Skeleton className="mt-4 h-6 rounded-sm" />
            <Skeleton className="mt-4 h-12 rounded-ctl" />
          </div>
        ))}
      </div>
    </Loading>
  );
}
