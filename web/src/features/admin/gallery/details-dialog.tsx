import { Check, ChevronLeft, ChevronRight, CircleAlert, Clock, Copy, Undo2, X } from 'lucide-react';
import * as Dialog from '@radix-ui/react-dialog';
import { Fragment } from 'react';
import type { AdminGeneration } from '../../../../../src/contract/admin-gallery.js';
import { Badge, type Tone } from '../../../components/badge.js';
import { IconButton } from '../../../components/button.js';
import { useFocusReturn } from '../../../components/dialog.js';
import { Picture } from '../../../components/picture.js';
import { cx } from '../../../lib/cx.js';
import { copyText } from '../../../components/copy.js';
import { formatUtcDay, formatUtcInstant } from '../../../components/work-area/utc.js';
import { AddButton } from './add-button.js';

const STATUSES: Record<AdminGeneration['status'], { readonly tone: Tone; readonly icon: React.ReactNode }> = {
  completed: { tone: 'good', icon: <Check aria-hidden /> },
  failed: { tone: 'bad', icon: <X aria-hidden /> },
  pending: { tone: 'warn', icon: <Clock aria-hidden /> },
};

interface DetailsDialogProps {
  readonly item: AdminGeneration;
  readonly onClose: () => void;
  /** The acts, below the fields. */
  readonly children: React.ReactNode;
}

/** Everything about a generation (creator spec, section 2). */
export function DetailsDialog({ item, onClose, children }: DetailsDialogProps): React.ReactNode {
  const focusReturn = useFocusReturn();
  return (
    <Dialog.Root open onOpenChange={onClose}>
      <Dialog.Portal>
        <Dialog.Overlay className="fade-in fixed inset-0 z-(--z-dialog) bg-[rgb(8_8_7/.72)]" />
        <Dialog.Content
          data-modal
          aria-describedby={undefined}
          {...focusReturn}
          className="fade-in fixed inset-x-3 top-1/2 z-(--z-dialog) mx-auto grid max-h-[calc(100svh-24px)] max-w-[1040px] -translate-y-1/2 overflow-y-auto rounded-panel border border-line-strong bg-raised shadow-float outline-none md:grid-cols-[minmax(0,1fr)_minmax(0,440px)]"
        >
          <Image item={item} />
          <div className="p-5 sm:p-6">
            <div className="flex items-start justify-between gap-3">
              <Dialog.Title className="display-sm text-24 sm:text-[1.75rem]">Generation Details</Dialog.Title>
              <Dialog.Close asChild>
                <IconButton label="Close" className="-mr-2 -mt-1.5">
                  <X aria-hidden className="size-5" />
                </IconButton>
              </Dialog.Close>
            </div>
            <Fields item={item} />
            {item.refunded && (
              <Box tone="good" icon={<Undo2 aria-hidden />} title="Refunded">
                {item.refund_reason && <p>{item.refund_reason}</p>}
                {item.refunded_at !== null && <p>Refunded on {formatUtcDay(item.refunded_at)}</p>}
              </Box>
            )}
            {item.error_message && (
              <Box tone="bad" icon={<CircleAlert aria-hidden />} title="Error Details">
                <p>{item.error_message}</p>
              </Box>
            )}
            <div className="mt-5">{children}</div>
          </div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

interface DetailsActsProps {
  readonly item: AdminGeneration;
  readonly inGallery: boolean;
  /** Why it cannot be added; null when it can. */
  readonly problem: string | null;
  readonly onAdd: () => void;
  /** Shows the neighbour in the list that it was opened from; undefined at its ends. */
  readonly onPrevious: (() => void) | undefined;
  readonly onNext: (() => void) | undefined;
}

/** The acts on a generation in the gallery editor. */
export function DetailsActs(props: DetailsActsProps): React.ReactNode {
  const { item, inGallery, problem, onAdd, onPrevious, onNext } = props;
  return (
    <>
      <div className="flex gap-2">
        <AddButton kind="solid" className="min-w-0 flex-1" inGallery={inGallery} problem={problem} onAdd={onAdd} />
        <IconButton label="Previous generation" kind="line" disabled={!onPrevious} onClick={onPrevious}>
          <ChevronLeft aria-hidden className="size-4" />
        </IconButton>
        <IconButton label="Next generation" kind="line" disabled={!onNext} onClick={onNext}>
          <ChevronRight aria-hidden className="size-4" />
        </IconButton>
      </div>
      {problem !== null && !inGallery && item.not_addable !== 'no_image' && (
        <p className="mt-2 text-14 text-ink-2">{problem}</p>
      )}
    </>
  );
}

function Image({ item }: { readonly item: AdminGeneration }): React.ReactNode {
  if (item.image) {
    return (
      <Picture
        image={item.image}
        alt={item.prompt}
        sizes="(min-width: 800px) 600px, 100vw"
        className="max-md:max-h-[45svh] md:min-h-full"
      />
    );
  }
  if (item.image_url) return <img src={item.image_url} alt={item.prompt} className="size-full object-cover" />;
  return (
    <div className="flex min-h-56 flex-col justify-between gap-4 bg-surface p-5 sm:p-7 md:min-h-[36rem]">
      <p
        translate="no"
        className="display line-clamp-6 text-44 leading-[1.1] text-ink-2 break-words md:text-64 md:leading-[1.1]"
      >
        {item.prompt}
      </p>
      <p className="text-14 text-ink-2">{item.status === 'pending' ? 'No image yet' : 'No image was made'}</p>
    </div>
  );
}

function Fields({ item }: { readonly item: AdminGeneration }): React.ReactNode {
  const { tone, icon } = STATUSES[item.status];
  const idParts = item.id.split('-');
  return (
    <dl className="mt-3 text-14">
      <Field name="Generation ID">
        <span translate="no" className="tracking-[0.01em] tabular-nums">
          {idParts.slice(0, -1).map((part, index) => (
            <Fragment key={index}>
              {part}-
              <wbr />
            </Fragment>
          ))}
          <span className="whitespace-nowrap">
            {idParts.at(-1)}
            <IconButton
              label="Copy generation ID"
              size={32}
              className="-my-2 -ml-0.5 align-middle"
              onClick={() => void copyText('Generation ID', item.id)}
            >
              <Copy aria-hidden className="size-3.5" />
            </IconButton>
          </span>
        </span>
      </Field>
      <Field name="Prompt">
        <span translate="no" className="break-words">
          {item.prompt}
        </span>
      </Field>
      <Field name="Status">
        <Badge tone={tone} icon={icon}>
          {item.status}
        </Badge>
      </Field>
      <Field name="Created">{formatUtcInstant(item.created_at)}</Field>
      {item.updated_at !== null && <Field name="Last Updated">{formatUtcInstant(item.updated_at)}</Field>}
      {item.credit_cost !== null && <Field name="Credit Cost">{item.credit_cost.toLocaleString('en')} credits</Field>}
    </dl>
  );
}

function Field({ name, children }: { readonly name: string; readonly children: React.ReactNode }): React.ReactNode {
  return (
    <div className="grid grid-cols-[112px_minmax(0,1fr)] gap-3 border-b border-line py-2.5 last:border-b-0">
      <dt className="text-ink-2">{name}</dt>
      <dd className="tabular-nums">{children}</dd>
    </div>
  );
}

interface BoxProps {
  readonly tone: 'good' | 'bad';
  readonly icon: React.ReactNode;
  readonly title: string;
  readonly children: React.ReactNode;
}

function Box({ tone, icon, title, children }: BoxProps): React.ReactNode {
  return (
    <section
      className={cx(
        'mt-2 flex gap-3 rounded-ctl px-4 py-3 text-14 [&_svg]:mt-0.5 [&_svg]:size-[18px] [&_svg]:shrink-0',
        tone === 'good' ? 'bg-good-wash text-good' : 'bg-bad-wash text-bad',
      )}
    >
      {icon}
      <div className="min-w-0 break-words">
        <h3 className="font-[600]">{title}</h3>
        {children}
      </div>
    </section>
  );
}
