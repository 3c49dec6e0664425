import { useState } from 'react';
import type { AdminGeneration } from '../../../../../src/contract/admin-gallery.js';

/** The row that the keys move, and the index that it had before. */
interface Lifted {
  readonly id: string;
  readonly from: number;
}

interface MoveKeysOptions {
  readonly items: readonly AdminGeneration[];
  readonly indexOf: (id: string) => number;
  /** Called with the index where the row goes. */
  readonly onMove: (item: AdminGeneration, to: number) => void;
  readonly onShift: (item: AdminGeneration, by: number) => void;
  readonly onLift: (id: string) => void;
  readonly onDrop: (id: string) => void;
  /** The row goes back to the index that it had when it was lifted. */
  readonly onCancel: (id: string, from: number) => void;
}

interface MoveKeys {
  /** Id of the row that is lifted; null when none is. */
  readonly lifted: string | null;
  /** For the element around the rows. */
  readonly listeners: Pick<React.DOMAttributes<Element>, 'onKeyDownCapture' | 'onClickCapture' | 'onBlur'>;
}

/** The button by which a row is dragged. The library lets no pointer reach it: its clicks come from keys. */
const HANDLE = '[slot="drag"]';
const STEPS: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1 };

/**
 * Moves rows by keys: Alt ↑ ↓ move the row with the focus. Enter on its handle lifts it; then ↑ ↓ Home End move it,
 * Enter drops it, and Escape puts it back. The row itself moves, one step a key. The library's own drag by keyboard
 * makes a drop target of every row on the screen instead, and renders them all for each key.
 */
export function useMoveKeys(options: MoveKeysOptions): MoveKeys {
  const { items, indexOf, onMove, onShift, onLift, onDrop, onCancel } = options;
  const [lifted, setLifted] = useState<Lifted | null>(null);
  const itemOf = (target: EventTarget): AdminGeneration | undefined => {
    const id = rowOf(target);
    return items.find((each) => each.id === id);
  };
  const drop = (id: string): void => {
    setLifted(null);
    onDrop(id);
  };

  const onKeyDownCapture = (event: React.KeyboardEvent): void => {
    const item = itemOf(event.target);
    if (!item) return;
    const { key } = event;
    const step = STEPS[key];
    const isLifted = item.id === lifted?.id;
    if (step !== undefined && (event.altKey || isLifted)) onShift(item, step);
    else if (isLifted && key === 'Home') onMove(item, 0);
    else if (isLifted && key === 'End') onMove(item, items.length - 1);
    else if (isLifted && key === 'Escape') {
      setLifted(null);
      onCancel(item.id, lifted.from);
    } else {
      // The browser makes a click of Enter and Space. A key that is held down would drop what it has lifted.
      if (!isHandle(event.target) || (key !== 'Enter' && key !== ' ')) return;
      event.stopPropagation();
      if (event.repeat) event.preventDefault();
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  };
  const onClickCapture = (event: React.MouseEvent): void => {
    const item = itemOf(event.target);
    if (!item || !isHandle(event.target)) return;
    event.preventDefault();
    event.stopPropagation();
    if (item.id === lifted?.id) return drop(item.id);
    setLifted({ id: item.id, from: indexOf(item.id) });
    onLift(item.id);
  };
  /** A row does not stay lifted behind the focus. The window may lose it, and give it back. */
  const onBlur = ({ relatedTarget }: React.FocusEvent): void => {
    if (lifted && relatedTarget && rowOf(relatedTarget) !== lifted.id) drop(lifted.id);
  };
  return { lifted: lifted?.id ?? null, listeners: { onKeyDownCapture, onClickCapture, onBlur } };
}

function rowOf(target: EventTarget): string | null | undefined {
  return target instanceof Element ? target.closest('[data-key]')?.getAttribute('data-key') : null;
}

function isHandle(target: EventTarget): boolean {
  return target instanceof Element && target.closest(HANDLE) !== null;
}
