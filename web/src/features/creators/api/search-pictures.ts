import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { SEARCH_LENGTH } from '../../../../../src/contract/limits.js';
import { rpc } from '../../../lib/api.js';

/** Whether a text is long enough for a search of prompts. */
export const isSearchable = (text: string): boolean => [...text].length >= SEARCH_LENGTH.min;

/** The newest public pictures whose prompt contains a text; idle for a text that is too short. */
export function useFoundPictures(text: string) {
  return useQuery({
    queryKey: ['found-pictures', text.toLowerCase()],
    queryFn: ({ signal }) => rpc('search_pictures_public', { p_text: text }, { signal, auth: false }),
    enabled: isSearchable(text),
    staleTime: 60_000,
    // The list keeps its height while its writer goes on.
    placeholderData: keepPreviousData,
  });
}
