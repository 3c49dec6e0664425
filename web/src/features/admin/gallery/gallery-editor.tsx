import * as Tabs from '@radix-ui/react-tabs';
import { useCallback, useState } from 'react';
import {
  GALLERY_MAX_SIZE,
  type AdminGallery,
  type AdminGeneration,
} from '../../../../../src/contract/admin-gallery.js';
import { useMedia } from '../../../lib/use-media.js';
import { ConflictDialog } from './conflict-dialog.js';
import { DetailsActs, DetailsDialog } from './details-dialog.js';
import { changesText, notAddableText } from './edit-session.js';
import { GalleryList } from './gallery-list.js';
import { GenerationsPanel, imagesText } from './generations-panel.js';
import { LeaveDialog } from './leave-dialog.js';
import { SaveBar } from './save-bar.js';
import { useCreatorGenerations } from './use-creator-generations.js';
import { useGalleryEditor } from './use-gallery-editor.js';
import { useLeaveGuard } from './use-leave-guard.js';

/** From this width on the two lists are columns; below it they are tabs. */
const COLUMNS = '(min-width: 800px)';
const TAB =
  '-mb-px h-12 shrink-0 whitespace-nowrap border-b-2 border-transparent text-16 text-ink-2 hover:text-ink data-[state=active]:border-seal-mark data-[state=active]:font-[560] data-[state=active]:text-ink';

/** The image whose details are open, and the list that it was opened from. */
interface Open {
  readonly id: string;
  readonly list: 'gallery' | 'generations';
}

interface GalleryEditorProps {
  readonly gallery: AdminGallery;
  /** Called after each save. */
  readonly onSaved: () => void;
}

/** The gallery of a creator and all generations, side by side. */
export function GalleryEditor({ gallery, onSaved }: GalleryEditorProps): React.ReactNode {
  const editor = useGalleryEditor(gallery, onSaved);
  const { session, changes, dirty, saving, dispatch } = editor;
  const blocker = useLeaveGuard(dirty);
  const generations = useCreatorGenerations(gallery.creator_id);
  const [open, setOpen] = useState<Open | null>(null);
  const columns = useMedia(COLUMNS);

  const add = useCallback((item: AdminGeneration) => dispatch({ type: 'add', item }), [dispatch]);
  const openOfGallery = useCallback(({ id }: AdminGeneration) => setOpen({ id, list: 'gallery' }), []);
  const openOfGenerations = useCallback(({ id }: AdminGeneration) => setOpen({ id, list: 'generations' }), []);
  const shown = open?.list === 'gallery' ? session.items : generations.list.rows;
  const at = shown.findIndex(({ id }) => id === open?.id);
  const detailed = shown[at];
  const step = (by: -1 | 1): (() => void) | undefined => {
    const next = shown[at + by];
    return next && open ? () => setOpen({ id: next.id, list: open.list }) : undefined;
  };

  const count = imagesText(session.items.length);
  const list = <GalleryList session={session} dispatch={dispatch} onOpen={openOfGallery} />;
  const all = <GenerationsPanel generations={generations} session={session} onAdd={add} onOpen={openOfGenerations} />;
  return (
    <>
      {columns ? (
        <div className="mt-6 grid grid-cols-[minmax(0,1fr)_minmax(0,1.2fr)] gap-8 lg:gap-12">
          <section aria-labelledby="gallery-title">
            <Heading id="gallery-title" title="Gallery Management" note={`${count}, as fans will see them`} />
            {list}
          </section>
          <section aria-labelledby="generations-title">
            <Heading id="generations-title" title="All Generations" note={imagesText(generations.list.total)} />
            {all}
          </section>
        </div>
      ) : (
        <Tabs.Root defaultValue="gallery" className="mt-4">
          <Tabs.List aria-label="Lists" className="-mx-(--gutter) flex gap-6 border-b border-line px-(--gutter)">
            <Tabs.Trigger value="gallery" className={TAB}>
              Gallery Management
            </Tabs.Trigger>
            <Tabs.Trigger value="generations" className={TAB}>
              All Generations
            </Tabs.Trigger>
          </Tabs.List>
          <Tabs.Content value="gallery" className="pt-4">
            <p className="text-14 text-ink-2">{count}</p>
            {list}
          </Tabs.Content>
          <Tabs.Content value="generations" className="pt-4">
            <p className="text-14 text-ink-2">{imagesText(generations.list.total)}</p>
            {all}
          </Tabs.Content>
        </Tabs.Root>
      )}
      {open && detailed && (
        <DetailsDialog item={detailed} onClose={() => setOpen(null)}>
          <DetailsActs
            item={detailed}
            inGallery={session.items.some(({ id }) => id === detailed.id)}
            problem={notAddableText(detailed, session.items.length >= GALLERY_MAX_SIZE)}
            onAdd={() => add(detailed)}
            onPrevious={step(-1)}
            onNext={step(1)}
          />
        </DetailsDialog>
      )}
      {dirty && (
        <SaveBar
          changes={changesText(changes)}
          saving={saving}
          onDiscard={editor.discard}
          onSave={() => void editor.save()}
        />
      )}
      <LeaveDialog blocker={blocker} saving={saving} onDiscard={editor.discard} onSave={editor.save} />
      <ConflictDialog
        session={session}
        theirs={editor.conflict}
        saving={saving}
        onClose={editor.closeConflict}
        onTakeTheirs={editor.discard}
        onSeeBoth={editor.mergeConflict}
        onSaveOnTop={() => void editor.saveOnTop()}
      />
    </>
  );
}

function Heading(props: { readonly id: string; readonly title: string; readonly note: string }): React.ReactNode {
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
      <h2 id={props.id} className="display-sm text-32">
        {props.title}
      </h2>
      <p className="text-14 tabular-nums text-ink-2">{props.note}</p>
    </div>
  );
}
