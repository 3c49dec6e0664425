import { CircleAlert, Check, Info, X } from 'lucide-react';
import * as Toast from '@radix-ui/react-toast';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { reloadAfterRefusals } from '../lib/limited.js';
import { queryClient } from '../lib/query.js';
import { Button, buttonClass, IconButton } from './button.js';
import { Named } from './name.js';
import { TooFast } from './too-fast.js';
import { dismissToast, pressedControl, shownToasts, subscribeToasts, type ToastEntry } from './toast.js';

const DURATION_MS = 5000;
/** Messages rise by this many px when they appear. */
const RISE_PX = 8;

/**
 * Shows the messages above the bar at the foot of the page, if there is one (`--foot-bar`, see `useFootBar`). They are
 * at the top of the page where they would cover the control that was pressed last. It also says when there were too
 * many requests, unless the page itself does, and loads the page again then.
 */
export default function Toaster(): React.ReactNode {
  const shown = useSyncExternalStore(subscribeToasts, shownToasts);
  // Radix copies each text into a hidden live region. The viewport is a live region already, so the copy goes into an
  // element outside of the document, which screen readers do not read.
  const [detached] = useState(() => document.createElement('div'));
  useEffect(() => reloadAfterRefusals(queryClient), []);
  return (
    <Toast.Provider duration={DURATION_MS} announcerContainer={detached}>
      {shown.map((entry) => (
        <Message key={entry.id} entry={entry} />
      ))}
      <Toast.Viewport asChild label="Notifications">
        <div
          aria-live="polite"
          className="toasts above-foot-bar pointer-events-none fixed inset-x-4 bottom-[calc(16px+var(--foot-bar,0px)+env(safe-area-inset-bottom))] z-(--z-toast) flex flex-col items-center gap-3"
        />
      </Toast.Viewport>
      <TooFast className="limit-notice above-foot-bar fixed inset-x-4 bottom-[calc(16px+var(--foot-bar,0px)+env(safe-area-inset-bottom))] z-(--z-toast) mx-auto max-w-[440px] rounded-ctl bg-raised shadow-float" />
    </Toast.Provider>
  );
}

/** Moves all messages to the top when one of them, with this new one, covers the control that was pressed last. */
function keepClear(message: HTMLElement | null): void {
  const messages = message?.parentElement;
  if (!messages) return;
  messages.classList.remove('at-top');
  const control = pressedControl();
  if (!control || messages.contains(control)) return;
  const box = control.getBoundingClientRect();
  const covered = [...messages.children].some((message) => {
    const { left, right, top, bottom } = message.getBoundingClientRect();
    return left < box.right && right > box.left && top - RISE_PX < box.bottom && bottom > box.top;
  });
  messages.classList.toggle('at-top', covered);
}

const ICONS = {
  success: <Check className="text-good" />,
  error: <CircleAlert className="text-bad" />,
  info: <Info className="text-ink-2" />,
} as const;

function Message({ entry }: { entry: ToastEntry }): React.ReactNode {
  const { id, kind = 'info', title, description, name, isQuote, field, action } = entry;
  const stays = kind === 'error' || action !== undefined;
  return (
    <Toast.Root
      asChild
      duration={stays ? Infinity : DURATION_MS}
      onOpenChange={() => dismissToast(id)}
      // Text such as a link can be selected; a message is closed by its button, not by a swipe.
      style={{ userSelect: 'text', touchAction: 'auto' }}
    >
      <div
        ref={keepClear}
        role={kind === 'error' ? 'alert' : undefined}
        className="rise-in pointer-events-auto w-full max-w-[440px] rounded-ctl border border-line-strong bg-raised shadow-float"
      >
        <div
          className="relative flex flex-wrap items-center gap-x-3 py-1.5 pl-4 pr-13 [&>svg]:size-[18px] [&>svg]:shrink-0"
          onPointerDown={(event) => event.stopPropagation()}
        >
          {ICONS[kind]}
          <div className="min-w-0 flex-1 basis-[170px] py-1.5">
            <Toast.Title asChild>
              <p className="text-16">
                <Named text={title} name={name} />
              </p>
            </Toast.Title>
            {description && (
              <Toast.Description asChild>
                <p translate={isQuote ? 'no' : undefined} className="text-14 wrap-anywhere text-ink-2">
                  {description}
                </p>
              </Toast.Description>
            )}
            {field !== undefined && (
              <input
                readOnly
                aria-label="Select and copy"
                value={field}
                onFocus={(event) => event.target.select()}
                className="mt-1.5 block h-10 w-full rounded-ctl border border-line-strong bg-bg px-3 text-14"
              />
            )}
          </div>
          {action && <Action action={action} onTaken={() => dismissToast(id)} />}
          <Toast.Close asChild>
            <IconButton label="Dismiss" className="absolute inset-y-0 right-2 my-auto">
              <X className="size-[18px]" />
            </IconButton>
          </Toast.Close>
        </div>
      </div>
    </Toast.Root>
  );
}

interface ActionProps {
  readonly action: NonNullable<ToastEntry['action']>;
  readonly onTaken: () => void;
}

function Action({ action, onTaken }: ActionProps): React.ReactNode {
  const { label, href, onClick } = action;
  return (
    <Toast.Action asChild altText={label}>
      {href === undefined ? (
        <Button kind="quiet" onClick={onClick}>
          {label}
        </Button>
      ) : (
        <a
          href={href}
          className={buttonClass({ kind: 'quiet' })}
          onClick={(event) => {
            onTaken();
            // With a modifier key, the browser opens the link in another tab or window.
            if (event.metaKey || event.ctrlKey || event.shiftKey) return;
            event.preventDefault();
            onClick();
          }}
        >
          {label}
        </a>
      )}
    </Toast.Action>
  );
}
