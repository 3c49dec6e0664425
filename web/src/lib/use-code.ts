import { useEffect, useState } from 'react';
import { trackCode } from './arriving-code.js';
import { useOnline } from './use-online.js';

/** Code that is not part of the first load of a page. */
export interface LaterCode<Code> {
  /** Null until it is loaded. */
  readonly code: Code | null;
  /** The last attempt to load it failed. */
  readonly missing: boolean;
}

/**
 * Loads code once it is wanted. Unlike `lazy` of React it breaks no page when it fails: it tries again when the
 * connection returns.
 * @param load always the same function
 * @param again a new value tries again too, such as what a person types into a box that needs the code
 */
export function useCode<Code>(load: () => Promise<Code>, wanted: boolean, again = ''): LaterCode<Code> {
  const [loaded, setLoaded] = useState<{ readonly code: Code } | null>(null);
  const [missing, setMissing] = useState(false);
  const online = useOnline();
  const isLoaded = loaded !== null;
  useEffect(() => {
    if (!wanted || isLoaded) return undefined;
    let current = true;
    trackCode(load()).then(
      (code) => {
        if (current) setLoaded({ code });
      },
      (error: unknown) => {
        console.warn('A part of the page could not be loaded', error);
        if (current) setMissing(true);
      },
    );
    return () => {
      current = false;
    };
  }, [load, wanted, isLoaded, again, online]);
  return { code: loaded?.code ?? null, missing: missing && !isLoaded };
}
