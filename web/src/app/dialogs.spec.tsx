import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import { fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import type { Blocker } from 'react-router-dom';
import type { AdminGallery } from '../../../src/contract/admin-gallery.js';
import { adminUser, creditProposal, PAYMENT_PROBLEM } from '../../test/admin-users.js';
import {
  CREATOR,
  fakeServer,
  generation,
  OWN_CREATOR,
  pass,
  PICTURE,
  renderPage,
  screenIs,
  press,
  onPage,
  pressKey,
} from '../../test/page.js';
import { ADMIN_CREATOR, adminGeneration, EMPTY_ACCOUNT, ownStyleImage } from '../../test/rows.js';
import { CloseDialog } from '../features/account/components/close-dialog.js';
import { Modal } from '../components/dialog.js';
import { KeyHints } from '../components/work-area/key-hints.js';
import { CreatorCard } from '../features/admin/creators/creator-card.js';
import { ConflictDialog } from '../features/admin/gallery/conflict-dialog.js';
import { DetailsDialog } from '../features/admin/gallery/details-dialog.js';
import { startSession } from '../features/admin/gallery/edit-session.js';
import { LeaveDialog } from '../features/admin/gallery/leave-dialog.js';
import { PositionDialog } from '../features/admin/gallery/position-dialog.js';
import { AdminLayout } from '../features/admin/shell/admin-layout.js';
import { Find } from '../features/admin/shell/find.js';
import { Payments } from '../features/admin/users/payments.js';
import { ProposalItem } from '../features/admin/users/proposal-item.js';
import { SuspensionActs } from '../features/admin/users/suspension-acts.js';
import { TakeDownDialog } from '../features/creator-dashboard/controls/take-down-dialog.js';
import { WithdrawDialog } from '../features/creator-dashboard/controls/withdraw-dialog.js';
import { Rating } from '../features/creator-dashboard/test-model/rating.js';
import { CloseMonth } from '../features/finance/overview/close-month.js';
import { PayoutActDialog } from '../features/finance/payouts/payout-act-dialog.js';
import { Lightbox } from '../features/generation/components/lightbox.js';
import { OwnerActions } from '../features/generation/components/owner-actions.js';
import { PromptHistoryMenu } from '../features/generation/components/prompt-history-menu.js';
import { ReportImage } from '../features/generation/components/report-dialog.js';
import { SelectionBar } from '../features/generation/components/selection-bar.js';
import { useRpc } from '../lib/use-rpc.js';
import { promptHistory } from '../features/generation/prompt-history.js';
import AccountCluster from './shell/account-cluster.js';
import MobileMenu from './shell/mobile-menu.js';

const ITEM = adminGeneration({ image: null, image_url: null });
const GALLERY: AdminGallery = { creator_id: 'c1', version: 1, saved_at: null, saved_by: null, items: [] };
const done = generation({ status: 'completed', image: PICTURE });
const nothing = (): void => undefined;

interface Held {
  readonly open: boolean;
  readonly setOpen: (open: boolean) => void;
}

/** A button that opens a dialog whose opener is another component. */
function Holder({ dialog }: { readonly dialog: (held: Held) => React.ReactNode }): React.ReactNode {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Open
      </button>
      {dialog({ open, setOpen })}
    </>
  );
}

const held = (dialog: (held: Held) => React.ReactNode) => ({ opener: 'Open', page: <Holder dialog={dialog} /> });

interface Entry {
  /** Accessible name of the button that opens it. */
  readonly opener: string;
  readonly page: React.ReactNode;
}

function PaymentProblems(): React.ReactNode {
  return <Payments problems={useRpc('get_payment_problems', {})} stuck={useRpc('list_stuck_checkouts_admin', {})} />;
}

/** How each file with a dialog or a menu shows it. A file that is missing here fails the first test. */
const DIALOGS: Readonly<Record<string, readonly Entry[]>> = {
  'app/shell/account-cluster.tsx': [
    { opener: '40 credits', page: <AccountCluster /> },
    { opener: 'Account of Ada Fan', page: <AccountCluster /> },
  ],
  'app/shell/mobile-menu.tsx': [held(({ open, setOpen }) => <MobileMenu open={open} onOpenChange={setOpen} />)],
  'components/work-area/act-dialog.tsx': [
    held(({ open, setOpen }) =>
      open ? (
        <PayoutActDialog
          title="Hold the payouts of Ada?"
          name="Ada"
          description="Only if it was never sent."
          action="Take back file 1"
          danger
          asksReason
          act={() => Promise.resolve()}
          done={() => 'Done.'}
          onClose={() => setOpen(false)}
        />
      ) : null,
    ),
    { opener: 'Dismiss: pi_1', page: <PaymentProblems /> },
    { opener: 'Decline: Grant 5,000 bonus credits to Ines Falk', page: <ProposalItem proposal={creditProposal()} /> },
    { opener: 'Approve: Grant 5,000 bonus credits to Ines Falk', page: <ProposalItem proposal={creditProposal()} /> },
    { opener: 'Suspend...', page: <SuspensionActs user={adminUser()} /> },
    { opener: 'Lift suspension', page: <SuspensionActs user={adminUser({ suspended: true })} /> },
  ],
  'features/account/components/close-dialog.tsx': [
    held(({ open, setOpen }) => (
      <CloseDialog open={open} onOpenChange={setOpen} choice="refund" closing={EMPTY_ACCOUNT} />
    )),
  ],
  'components/work-area/key-hints.tsx': [{ opener: '? All keys', page: <KeyHints /> }],
  'features/admin/creators/creator-card.tsx': [
    {
      opener: 'Archive Creator',
      page: <CreatorCard creator={ADMIN_CREATOR} onChange={nothing} />,
    },
  ],
  'features/admin/gallery/conflict-dialog.tsx': [
    held(({ open, setOpen }) => (
      <ConflictDialog
        session={startSession(GALLERY)}
        theirs={open ? GALLERY : null}
        saving={false}
        onClose={() => setOpen(false)}
        onTakeTheirs={nothing}
        onSeeBoth={nothing}
        onSaveOnTop={nothing}
      />
    )),
  ],
  'features/admin/gallery/details-dialog.tsx': [
    held(
      ({ open, setOpen }) =>
        open && (
          <DetailsDialog item={ITEM} onClose={() => setOpen(false)}>
            {null}
          </DetailsDialog>
        ),
    ),
  ],
  'features/admin/gallery/leave-dialog.tsx': [
    held(({ open, setOpen }) => (
      <LeaveDialog
        blocker={{ state: open ? 'blocked' : 'unblocked', reset: () => setOpen(false) } as unknown as Blocker}
        saving={false}
        onDiscard={nothing}
        onSave={() => Promise.resolve(true)}
      />
    )),
  ],
  'features/admin/gallery/position-dialog.tsx': [
    held(
      ({ open, setOpen }) =>
        open && (
          <PositionDialog prompt="A fox" position={1} count={3} onMove={nothing} onClose={() => setOpen(false)} />
        ),
    ),
  ],
  'components/work-area/work-layout.tsx': [
    {
      opener: 'Area: Admin',
      page: (
        <AdminLayout otherAreas={[{ to: '/', label: 'Fan side' }]} account={null}>
          <main id="main" tabIndex={-1} />
        </AdminLayout>
      ),
    },
  ],
  'features/admin/shell/find.tsx': [
    { opener: 'Find /', page: <Find /> },
    { opener: 'Find', page: <Find /> },
  ],
  'features/creator-dashboard/controls/take-down-dialog.tsx': [
    held(({ open, setOpen }) => (
      <TakeDownDialog image={open ? ownStyleImage() : null} onPageChange={nothing} onClose={() => setOpen(false)} />
    )),
  ],
  'features/creator-dashboard/controls/withdraw-dialog.tsx': [
    held(({ open, setOpen }) => (
      <WithdrawDialog creator={OWN_CREATOR} onPageChange={nothing} open={open} onOpenChange={setOpen} />
    )),
  ],
  'features/creator-dashboard/test-model/rating.tsx': [
    { opener: 'Not right', page: <Rating test={{ generation: done, rating: null, note: '', total_count: 1 }} /> },
  ],
  'features/finance/overview/close-month.tsx': [
    { opener: 'Close October 2026...', page: <CloseMonth next="2026-10" closing={null} nextFocus={() => null} /> },
  ],
  'features/generation/components/lightbox.tsx': [
    {
      opener: 'View',
      page: (
        <Lightbox
          pictures={[{ id: 'g1', image: PICTURE, prompt: 'A fox' }]}
          start={0}
          onMove={nothing}
          onDownload={nothing}
        >
          <button type="button">View</button>
        </Lightbox>
      ),
    },
  ],
  'features/generation/components/owner-actions.tsx': [
    { opener: 'Hide', page: <OwnerActions row={done} onChange={nothing} onListsChange={nothing} /> },
    { opener: 'Delete', page: <OwnerActions row={done} onChange={nothing} onListsChange={nothing} /> },
  ],
  'features/generation/components/prompt-history-menu.tsx': [
    { opener: 'Prompt history', page: <PromptHistoryMenu userId="user_1" disabled={false} onChoose={nothing} /> },
  ],
  'features/generation/components/report-dialog.tsx': [{ opener: 'Report', page: <ReportImage generationId="g1" /> }],
  'features/generation/components/selection-bar.tsx': (['Hide', 'Delete'] as const).map((opener) => ({
    opener,
    page: <SelectionBar selected={[done]} all={[done]} onSelect={nothing} onListsChange={nothing} />,
  })),
};

const SOURCES = join(process.cwd(), 'web/src');

describe('dialogs and menus', () => {
  onPage(() => {
    screenIs(true);
    promptHistory.add('user_1', 'A fox');
    fakeServer({
      get_user_credit_breakdown: { success: true, total_balance: 40, free_credits: 40, paid_credits: 0 },
      get_public_creators: [CREATOR],
      get_payment_problems: [PAYMENT_PROBLEM],
      list_stuck_checkouts_admin: [],
    });
    jest.spyOn(console, 'warn').mockImplementation(nothing);
  });

  it('the list of this file has every dialog and menu', () => {
    const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.tsx') && !file.endsWith('.spec.tsx') && !/^components\/[^/]+$/.test(file))
      .filter((file) =>
        /<(Modal|MenuContent|(AlertDialog|Dialog|Popover)\.Content)\b/.test(readFileSync(join(SOURCES, file), 'utf8')),
      );
    expect(files.map((file) => file.replaceAll('\\', '/')).sort()).toEqual(Object.keys(DIALOGS).sort());
  });

  const cases = Object.entries(DIALOGS).flatMap(([file, entries]) =>
    entries.map(({ opener, page }) => [opener, file, page] as const),
  );

  it.each(cases)('Escape returns the focus to “%s” of %s, and the safe button is the first', async (name, _, page) => {
    await renderPage(page);
    await pass(10);
    const opener = screen.getByRole('button', { name });
    opener.focus();
    // A menu opens with the key; every other opener with the click that the key causes.
    fireEvent.keyDown(opener, { key: 'Enter' });
    if (opener.getAttribute('aria-haspopup') !== 'menu') fireEvent.click(opener);
    await pass(50);
    const sheet = document.querySelector('[role=dialog], [role=alertdialog], [role=menu]');
    expect(sheet?.contains(document.activeElement)).toBe(true);
    // The first button of a destructive question is the safe one and solid.
    const destructive = sheet?.querySelector('button.border-bad');
    if (destructive) expect(destructive.parentElement?.firstElementChild?.className).toContain('bg-inverse');
    // Translation leaves names as they are.
    const title = sheet?.querySelector('h2')?.cloneNode(true) as HTMLElement | undefined;
    title?.querySelectorAll('[translate=no]').forEach((name) => name.remove());
    expect(title?.textContent ?? '').not.toMatch(/Ines Falk|Juno Abara|Ada/);

    await pressKey('Escape', {}, 50);
    expect(document.querySelector('[role=dialog], [role=alertdialog], [role=menu]')).toBeNull();
    expect(document.activeElement).toBe(screen.getByRole('button', { name }));
  });
});

describe('Modal', () => {
  onPage();

  it('moves the focus to the content of the page when the opener has gone with the action', async () => {
    fakeServer({});
    function Page(): React.ReactNode {
      const [here, setHere] = useState(true);
      return (
        <main id="main" tabIndex={-1}>
          {here && (
            <Holder
              dialog={({ open, setOpen }) => (
                <Modal
                  open={open}
                  onOpenChange={setOpen}
                  title="Delete"
                  description="For good."
                  footer={
                    <button type="button" onClick={() => setHere(false)}>
                      Delete it
                    </button>
                  }
                />
              )}
            />
          )}
        </main>
      );
    }
    await renderPage(<Page />);
    screen.getByRole('button', { name: 'Open' }).focus();
    await press('Open', 50);
    await press('Delete it', 50);
    expect(document.activeElement?.id).toBe('main');
  });
});
