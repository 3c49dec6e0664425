import { Fragment, useState } from 'react';
import { Button } from '../button.js';
import { Modal } from '../dialog.js';
import { Switch } from '../switch.js';
import { useSingleKeysOff } from '../../lib/single-keys.js';
import { Kbd } from './kbd.js';
import { isCharacterKey, useKeys, useShownKeys } from './keys.js';

/** The keys of the page, and the sheet with all of them. On phones there is no keyboard to describe. */
export function KeyHints(): React.ReactNode {
  const bindings = useShownKeys();
  const [open, setOpen] = useState(false);
  const [off, turnOff] = useSingleKeysOff();
  useKeys([{ keys: ['?'], label: 'All keys', run: () => setOpen(true), quiet: true }]);
  const shown = bindings
    .filter(({ quiet }) => !quiet)
    .map(({ keys, label }) => ({ label, keys: keys.filter((key) => !off || !isCharacterKey(key)) }))
    .filter(({ keys }) => keys.length > 0);
  return (
    <div className="hidden flex-wrap items-center gap-x-[18px] gap-y-2 sm:flex">
      {shown.map(({ keys, label }) => (
        <span key={label} className="inline-flex items-center gap-1.5">
          {keys.map((key) => (
            <Kbd key={key} keys={key} />
          ))}
          <span>{label}</span>
        </span>
      ))}
      <button
        type="button"
        className="inline-flex min-h-6 items-center gap-1.5 rounded-sm hover:text-ink"
        onClick={() => setOpen(true)}
      >
        {!off && <Kbd keys="?" />}
        <span>All keys</span>
      </button>
      <Modal
        open={open}
        onOpenChange={setOpen}
        title="Keys"
        description="Off while a field has the focus."
        footer={<Button onClick={() => setOpen(false)}>Close</Button>}
      >
        <dl className="mt-4 grid grid-cols-[1fr_auto] text-14">
          {bindings.map(({ keys, label }) => (
            <Fragment key={label + keys.join()}>
              <dt className="border-b border-line py-2">{label}</dt>
              <dd className="flex flex-wrap items-center justify-end gap-2 border-b border-line py-2 text-ink-2">
                {keys.map((key) => (
                  <Kbd key={key} keys={key} />
                ))}
              </dd>
            </Fragment>
          ))}
        </dl>
        <div className="mt-4">
          <Switch label="Single keys" checked={!off} onChange={(on) => turnOff(!on)} />
        </div>
      </Modal>
    </div>
  );
}
