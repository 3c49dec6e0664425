import { useEffect, useState } from 'react';

/** False at first, true once the component has been there for so long. */
export function useMountedFor(ms: number): boolean {
  const [due, setDue] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setDue(true), ms);
    return () => clearTimeout(timer);
  }, [ms]);
  return due;
}
