import { useEffect, useRef, useState } from 'react';
import { toast } from '../../../components/toast.js';
import type { Queue } from '../../../components/work-area/use-queue.js';

/** Why the server refused an act on a row of a queue. */
interface Refused {
  readonly key: string;
  /** The person that the row is about. */
  readonly name: string;
  readonly problem: string;
}

/**
 * Shows a refusal where its row is. Once that row is not open any more, a message with the name says it: another admin
 * was faster, or this one has gone on.
 */
export function useRefusal<Row>({ rows, keyOf, current }: Pick<Queue<Row>, 'rows' | 'keyOf' | 'current'>) {
  const [refused, setRefused] = useState<Refused | null>(null);
  const openKey = current === null ? null : keyOf(current);
  // The answer comes later, perhaps when the page is gone.
  const open = useRef<string | null>(null);
  useEffect(() => {
    open.current = openKey;
    return () => {
      open.current = null;
    };
  }, [openKey]);
  const said = useRef<Refused | null>(null);
  const hasLeft = refused !== null && !rows.some((row) => keyOf(row) === refused.key);
  useEffect(() => {
    if (!hasLeft || said.current === refused) return;
    said.current = refused;
    toastRefusal(refused);
  }, [hasLeft, refused]);
  return {
    /** Why the act on the open row was refused. */
    problem: refused?.key === openKey ? (refused?.problem ?? null) : null,
    say: (next: Refused): void => (open.current === next.key ? setRefused(next) : toastRefusal(next)),
    forget: (): void => setRefused(null),
  };
}

function toastRefusal({ name, problem }: Refused): void {
  toast({ kind: 'error', title: `${name}: ${problem}`, name });
}
