import { useSearchParams } from 'react-router-dom';

/**
 * A value in the address, so that the view can be sent to a colleague. Null removes it.
 * @param replace a change is no step of the browser's history
 */
export function useAddress(
  name: string,
  replace = false,
): readonly [value: string | null, change: (value: string | null) => void] {
  const [params, setParams] = useSearchParams();
  const change = (value: string | null): void =>
    setParams(
      (before) => {
        const next = new URLSearchParams(before);
        if (value === null) next.delete(name);
        else next.set(name, value);
        return next;
      },
      { replace },
    );
  return [params.get(name), change];
}
