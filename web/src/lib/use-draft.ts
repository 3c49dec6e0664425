import { useState } from 'react';
import { queryClient } from './query.js';

/** The thing that a form is about. */
type Subject = 'application' | 'model' | 'case';

const DRAFT = 'draft';
queryClient.setQueryDefaults([DRAFT], { gcTime: Infinity });

/**
 * The fields of a form about one thing, which are there again when it is opened again before it was sent. They are kept
 * in memory with the answers of the server, and dropped with them for another person.
 * @param id the form about another one needs another `key` of React
 */
export function useDraft<Draft extends object>(
  subject: Subject,
  id: string,
  initial: Draft,
): readonly [draft: Draft, change: (fields: Partial<Draft>) => void] {
  const key = [DRAFT, subject, id];
  const kept = (): Draft => queryClient.getQueryData<Draft>(key) ?? initial;
  const [draft, setDraft] = useState(kept);
  const change = (fields: Partial<Draft>): void => {
    const next = { ...kept(), ...fields };
    queryClient.setQueryData(key, next);
    setDraft(next);
  };
  return [draft, change];
}

/** Forgets a draft, when it was sent. */
export function forgetDraft(subject: Subject, id: string): void {
  queryClient.removeQueries({ queryKey: [DRAFT, subject, id] });
}
