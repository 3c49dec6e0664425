import { useAccountLinks } from './use-account-links.js';

/** Where the switch of an area leads: to the site, and to the other areas of this person's roles. */
export function useOtherAreas(own: string): readonly { readonly to: string; readonly label: string }[] {
  const areas = useAccountLinks().filter(
    ({ to, only }) => only !== undefined && !only.includes('not a creator') && to !== own,
  );
  return [{ to: '/', label: 'Fanvas' }, ...areas];
}
