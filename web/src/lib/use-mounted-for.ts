import { useEffect, useState } from 'react';

/** True once the component has been mounted for this long. */
export function useMountedFor(ms: number): boolean {
  const [due, setDue] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setDue(true), ms);
    return () => clearTimeout(timer);
  }, [ms]);
  return due;
}
