import { ChevronDown, ChevronUp, GripVertical, Undo2, X } from 'lucide-react';
import { createContext, memo, use, useCallback, useEffect, useMemo, useRef, useState, useTransition } from 'react';
import { Button as DragButton } from 'react-aria-components/Button';
import { GridList, GridListItem, type DropPosition } from 'react-aria-components/GridList';
import { DropIndicator, useDragAndDrop } from 'react-aria-components/useDragAndDrop';
import { ListLayout, Virtualizer } from 'react-aria-components/Virtualizer';
import type { AdminGeneration } from '../../../../../src/contract/admin-gallery.js';
import { IconButton } from '../../../components/button.js';
import { cx } from '../../../lib/cx.js';
import { NOT_MOBILE, useMedia } from '../../../lib/use-media.js';
import { useKeys } from '../../../components/work-area/keys.js';
import { formatUtcDay } from '../../../components/work-area/utc.js';
import { changesOf, movedFrom, type EditAction, type EditSession } from './edit-session.js';
import { PositionDialog } from './position-dialog.js';
import { Thumbnail } from './thumbnail.js';
import { useMoveKeys } from './use-move-keys.js';
import { TOUCH_HANDLE, useTouchDrag } from './use-touch-drag.js';

/** Heights of a row at the browser's default text size, px. */
const ROW_HEIGHT = { wide: 93, narrow: 133 } as const;

interface GalleryListProps {
  readonly session: EditSession;
  readonly dispatch: (action: EditAction) => void;
  readonly onOpen: (item: AdminGeneration) => void;
}

/** The state that all rows share. A context, so that the collection is not built again when the order changes. */
interface Rows {
  /** Positions from 0. */
  readonly indexes: ReadonlyMap<string, number>;
  readonly added: ReadonlySet<string>;
  readonly movedFrom: ReadonlyMap<string, number>;
  readonly acts: RowActs;
}

/** The row that the keys move. */
const LiftedContext = createContext<string | null>(null);

/** The acts on a row. The same object as long as the page is open. */
interface RowActs {
  readonly move: (item: AdminGeneration, to: number) => void;
  readonly shift: (item: AdminGeneration, by: number) => void;
  readonly putBack: (id: string, to: number) => void;
  readonly remove: (item: AdminGeneration) => void;
  readonly choosePosition: (id: string) => void;
  readonly open: (item: AdminGeneration) => void;
}

const RowsContext = createContext<Rows | null>(null);

/**
 * The gallery in its order. Rows are moved by dragging (mouse, touch, keyboard), with buttons, with Alt ↑ ↓, and to a
 * position. Only the rows on the screen are in the document.
 */
export function GalleryList({ session, dispatch, onOpen }: GalleryListProps): React.ReactNode {
  const { items } = session;
  const [positioned, setPositioned] = useState<string | null>(null);
  const list = useRef<HTMLDivElement>(null);
  const { announcer, announce } = useAnnouncer();
  const rows = useRows(session, dispatch, onOpen, setPositioned, announce);
  const { indexes, acts } = rows;
  const keepInView = useKeptInView(list, items);

  // Runs when the focus is outside of the list. Bound so that the footer shows the keys.
  useKeys([{ keys: ['Alt ↑', 'Alt ↓'], label: 'Move', run: () => undefined }]);
  const orderText = (id: string): string => positionText(indexes.get(id) ?? 0, items.length);
  const { lifted, listeners } = useMoveKeys({
    items,
    indexOf: (id) => indexes.get(id) ?? 0,
    onMove: (item, to) => {
      keepInView(item.id);
      acts.move(item, to);
    },
    onShift: (item, by) => {
      keepInView(item.id);
      acts.shift(item, by);
    },
    onLift: (id) => announce(`Lifted. ${orderText(id)}. Arrow keys move it, Enter drops it, Escape puts it back.`),
    onDrop: (id) => announce(`Dropped. ${orderText(id)}`),
    onCancel: (id, from) => {
      keepInView(id);
      acts.putBack(id, from);
    },
  });
  const positionedItem = items.find(({ id }) => id === positioned);

  return (
    <RowsContext value={rows}>
      <LiftedContext value={lifted}>
        <div ref={list} className="mt-3" {...listeners}>
          {items.length === 0 ? (
            <p className="py-6 text-16 text-ink-2">No items in gallery</p>
          ) : (
            <SortableRows list={list} items={items} indexes={indexes} acts={acts} announce={announce} />
          )}
        </div>
      </LiftedContext>
      {changesOf(session).removed.map((item) => (
        <p key={item.id} className="mt-3 flex items-center gap-2 text-14 text-ink-2">
          <Undo2 aria-hidden className="size-4 shrink-0" />
          <span className="min-w-0 truncate">Removed: ‘{item.prompt}’</span>
          <button
            type="button"
            className="link touch min-h-6 shrink-0"
            aria-label={`Put back: ${item.prompt}`}
            onClick={() => dispatch({ type: 'add', item })}
          >
            Put back
          </button>
        </p>
      ))}
      {positionedItem && (
        <PositionDialog
          prompt={positionedItem.prompt}
          position={(indexes.get(positionedItem.id) ?? 0) + 1}
          count={items.length}
          onMove={(position) => {
            keepInView(positionedItem.id, { focus: true });
            acts.move(positionedItem, position - 1);
          }}
          onClose={() => setPositioned(null)}
        />
      )}
      {announcer}
    </RowsContext>
  );
}

/** The state that all rows share; changes only with the session. Announces each move when it is drawn. */
function useRows(
  session: EditSession,
  dispatch: GalleryListProps['dispatch'],
  open: GalleryListProps['onOpen'],
  choosePosition: (id: string) => void,
  announce: (text: string) => void,
): Rows {
  const { items, added } = session;
  /** The image that moves, and the index that it had. */
  const moving = useRef<{ readonly item: AdminGeneration; readonly from: number | undefined } | null>(null);
  const drawn = useRef<Rows['indexes']>(new Map());
  const [isMoving, startMove] = useTransition();
  const acts = useMemo<RowActs>(() => {
    /** A transition, so that React renders the new order in slices. */
    const dispatchMove = (item: AdminGeneration, action: EditAction): void => {
      moving.current = { item, from: drawn.current.get(item.id) };
      startMove(() => dispatch(action));
    };
    return {
      move: (item, to) => dispatchMove(item, { type: 'move', id: item.id, to }),
      shift: (item, by) => dispatchMove(item, { type: 'shift', id: item.id, by }),
      putBack: (id, to) => {
        moving.current = null;
        // As the moves before it, or it would overtake those that are not drawn yet.
        startMove(() => dispatch({ type: 'move', id, to }));
        announce(`Not moved. ${positionText(to, drawn.current.size)}`);
      },
      remove: (item) => {
        moving.current = null;
        dispatch({ type: 'remove', id: item.id });
        announce(`Removed from the gallery: ${shortened(item.prompt)}`);
      },
      choosePosition,
      open,
    };
  }, [dispatch, open, choosePosition, announce]);
  const rows = useMemo(
    () => ({
      indexes: new Map(items.map(({ id }, index) => [id, index])),
      added: new Set(added),
      movedFrom: movedFrom(session),
      acts,
    }),
    [session, items, added, acts],
  );
  useEffect(() => {
    drawn.current = rows.indexes;
    if (!moving.current) return;
    const { item, from } = moving.current;
    const index = rows.indexes.get(item.id);
    // A key that is held down has moved it further before this place was drawn.
    moving.current = isMoving ? { item, from: index } : null;
    if (index === undefined || index === from) return;
    announce(`Moved to ${positionText(index, rows.indexes.size)}: ${shortened(item.prompt)}`);
  }, [rows, isMoving, announce]);
  return rows;
}

/** A live region that is written without rendering the list again. */
function useAnnouncer() {
  const region = useRef<HTMLParagraphElement>(null);
  const announce = useCallback((text: string) => {
    if (region.current) region.current.textContent = text;
  }, []);
  // The attribute keeps it audible during a drag by keyboard, which hides the rest of the page.
  const announcer = <p ref={region} role="status" data-live-announcer="true" className="sr-only" />;
  return { announcer, announce };
}

/** Scrolls to a row after it was moved by other means than the pointer. Returns a function that chooses the row. */
function useKeptInView(list: React.RefObject<HTMLElement | null>, items: readonly AdminGeneration[]) {
  const chosen = useRef<{ readonly id: string; readonly focus: boolean } | null>(null);
  useEffect(() => {
    const target = chosen.current;
    chosen.current = null;
    if (!target) return;
    // After the dialog has given the focus back.
    setTimeout(() => {
      const row = list.current?.querySelector<HTMLElement>(`[data-key="${CSS.escape(target.id)}"]`);
      row?.scrollIntoView({ block: 'nearest' });
      if (target.focus) row?.focus();
    });
  }, [list, items]);
  return (id: string, { focus = false } = {}): void => {
    chosen.current = { id, focus };
  };
}

interface SortableRowsProps extends Pick<Rows, 'indexes' | 'acts'> {
  /** The element around the rows. */
  readonly list: React.RefObject<HTMLElement | null>;
  readonly items: readonly AdminGeneration[];
  readonly announce: (text: string) => void;
}

/** The rows. Only those on the screen are in the document. */
const SortableRows = memo(function SortableRows(props: SortableRowsProps) {
  const { list, items, indexes, acts, announce } = props;
  const wide = useMedia(NOT_MOBILE);
  const rowHeight = scaled(wide ? ROW_HEIGHT.wide : ROW_HEIGHT.narrow);
  const dragged = useRef<string | null>(null);
  const drop = (id: string, to: number): void => {
    const item = items.find((each) => each.id === id);
    if (item && indexes.get(id) !== to) acts.move(item, to);
  };
  useTouchDrag(list, {
    ids: useMemo(() => items.map(({ id }) => id), [items]),
    rowHeight,
    onOver: (_id, index) => announce(positionText(index, items.length)),
    onDrop: drop,
    onCancel: (id) => announce(`Not moved. ${positionText(indexes.get(id) ?? 0, items.length)}`),
    onTap: acts.choosePosition,
  });
  /** Index of the dragged row after a drop next to another one. */
  const indexAfterDrop = (id: string, key: string, dropPosition: DropPosition): number => {
    const from = indexes.get(id) ?? 0;
    const to = (indexes.get(key) ?? 0) + (dropPosition === 'after' ? 1 : 0);
    return to > from ? to - 1 : to;
  };
  const { dragAndDropHooks } = useDragAndDrop<AdminGeneration>({
    getItems: (_keys, dragging) => dragging.map(({ prompt }) => ({ 'text/plain': prompt })),
    getAllowedDropOperations: () => ['move'],
    onDragStart: ({ keys }) => {
      dragged.current = [...keys].map(String)[0] ?? null;
    },
    onDropEnter: ({ target }) => {
      if (target.type !== 'item' || dragged.current === null) return;
      announce(positionText(indexAfterDrop(dragged.current, String(target.key), target.dropPosition), items.length));
    },
    onReorder: ({ keys, target }) => {
      const [id] = [...keys].map(String);
      if (id !== undefined) drop(id, indexAfterDrop(id, String(target.key), target.dropPosition));
    },
    renderDropIndicator: (target) => (
      <DropIndicator
        target={target}
        className={({ isDropTarget }) => cx('block h-0.5 w-full rounded-pill', isDropTarget && 'bg-seal-mark')}
      />
    ),
  });
  const layoutOptions = useMemo(() => ({ rowHeight, dropIndicatorThickness: 2 }), [rowHeight]);
  return (
    <Virtualizer layout={ListLayout} layoutOptions={layoutOptions}>
      <GridList
        aria-label="Images of the gallery in their order"
        items={items}
        disallowTypeAhead
        dragAndDropHooks={dragAndDropHooks}
        className="outline-none"
      >
        {renderItem}
      </GridList>
    </Virtualizer>
  );
});

function renderItem(item: AdminGeneration): React.ReactNode {
  return (
    <GridListItem
      textValue={item.prompt}
      className="h-full scroll-my-24 rounded-[14px] border border-transparent -outline-offset-2 data-[lifted]:opacity-40 data-[dragging]:border-line-strong data-[dragging]:bg-raised data-[dragging]:shadow-float"
    >
      <Row item={item} />
    </GridListItem>
  );
}

const Row = memo(function Row({ item }: { readonly item: AdminGeneration }) {
  const rows = use(RowsContext);
  const lifted = use(LiftedContext);
  const index = rows?.indexes.get(item.id);
  // The row may still be drawn once after its image was removed.
  if (!rows || index === undefined) return null;
  return (
    <RowContent
      item={item}
      index={index}
      count={rows.indexes.size}
      added={rows.added.has(item.id)}
      from={rows.movedFrom.get(item.id)}
      lifted={lifted === item.id}
      acts={rows.acts}
    />
  );
});

interface RowContentProps {
  readonly item: AdminGeneration;
  /** From 0. */
  readonly index: number;
  readonly count: number;
  readonly added: boolean;
  /** The position from 1 that it was moved from. */
  readonly from: number | undefined;
  /** The keys move it. */
  readonly lifted: boolean;
  readonly acts: RowActs;
}

/** Most rows stay as they are when one is moved: they are not rendered again. */
const RowContent = memo(function RowContent(props: RowContentProps) {
  const { item, index, count, added, from, lifted, acts } = props;
  return (
    <div
      className={cx(
        'flex h-full flex-wrap items-center gap-x-3 border-b border-line py-2.5 sm:flex-nowrap',
        lifted && 'rounded-[14px] bg-raised shadow-float ring-1 ring-line-strong',
      )}
    >
      {/* The library takes pointers from its button, so that the browser drags the row. */}
      <span
        {...TOUCH_HANDLE}
        className="flex shrink-0 cursor-grab touch-none rounded-sm text-ink-2 hover:text-ink max-sm:-ml-2.5"
      >
        <DragButton
          slot="drag"
          aria-pressed={lifted}
          className="flex h-11 w-6 items-center justify-center rounded-sm max-sm:w-11"
        >
          <GripVertical aria-hidden className="size-4" />
        </DragButton>
      </span>
      <button
        type="button"
        aria-label={`${positionText(index, count)}. Move to another position`}
        className="touch -ml-2 min-h-6 min-w-6 shrink-0 rounded-sm text-right text-14 tabular-nums text-ink-2 hover:text-ink hover:underline"
        onClick={() => acts.choosePosition(item.id)}
      >
        {index + 1}
      </button>
      <Thumbnail item={item} sizes="72px" className="w-16 sm:w-[72px]" onOpen={() => acts.open(item)} />
      <div className="min-w-0 flex-1">
        <p translate="no" className="line-clamp-2 text-16 leading-[22px] break-words">
          {item.prompt}
        </p>
        <p className="text-14 tabular-nums text-ink-2">
          <span>{formatUtcDay(item.created_at)}</span>
          {added && <Tag>Added</Tag>}
          {from !== undefined && <Tag>Moved from {from}</Tag>}
        </p>
      </div>
      <div className="flex shrink-0 max-sm:basis-full max-sm:pl-[88px]">
        <IconButton label="Move up" disabled={index === 0} onClick={() => acts.shift(item, -1)}>
          <ChevronUp aria-hidden className="size-4" />
        </IconButton>
        <IconButton label="Move down" disabled={index === count - 1} onClick={() => acts.shift(item, 1)}>
          <ChevronDown aria-hidden className="size-4" />
        </IconButton>
        <IconButton label="Remove from gallery" title="Remove from gallery" onClick={() => acts.remove(item)}>
          <X aria-hidden className="size-4" />
        </IconButton>
      </div>
    </div>
  );
});

function Tag({ children }: { readonly children: React.ReactNode }): React.ReactNode {
  return <span className="ml-2.5 font-[560] text-seal-text">{children}</span>;
}

const NUMBER = new Intl.NumberFormat('en');

/** `Position 3 of 12` */
function positionText(index: number, count: number): string {
  return `Position ${NUMBER.format(index + 1)} of ${NUMBER.format(count)}`;
}

function shortened(prompt: string): string {
  return prompt.length > 60 ? `${prompt.slice(0, 60)}…` : prompt;
}

/** A length in px at the reader's text size. */
function scaled(length: number): number {
  const size = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
  return Math.round(length * (size / 16));
}
