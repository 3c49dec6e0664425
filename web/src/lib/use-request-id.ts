import { useRef } from 'react';

interface RequestId {
  /** The id of a request with this content: the same one until it is done or the content changes. */
  readonly idOf: (content: object) => string;
  /** The request has succeeded: the next one gets another id. */
  readonly done: () => void;
}

/** Ids that let the server count a request once, also when its answer was lost and it is sent again. */
export function useRequestId(): RequestId {
  const latest = useRef<{ readonly content: string; readonly id: string } | null>(null);
  return {
    idOf: (content) => {
      const text = JSON.stringify(content);
      if (latest.current?.content !== text) latest.current = { content: text, id: crypto.randomUUID() };
      return latest.current.id;
    },
    done: () => {
      latest.current = null;
    },
  };
}
