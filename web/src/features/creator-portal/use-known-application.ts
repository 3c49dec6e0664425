import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { refreshCreatorState } from './use-creator-state.js';
import { ownWords } from '../../lib/problem-of.js';

/** Shown until the portal opens the application (creator spec, section 8). */
export const KNOWN_APPLICATION = 'You already have a creator application. Redirecting...';

const REDIRECT_AFTER_MS = 2_000;

/** Whether a call was refused because of an application that exists. */
export function isKnownApplication(error: unknown): boolean {
  return ownWords(error)?.startsWith('You already have a creator application') ?? false;
}

/** Returns a function for people who have applied already: it opens their application after 2 seconds. */
export function useKnownApplication(): () => void {
  const navigate = useNavigate();
  const [known, setKnown] = useState(false);
  useEffect(() => {
    if (!known) return undefined;
    const timer = setTimeout(() => {
      void refreshCreatorState().then(() => navigate('/creator', { replace: true }));
    }, REDIRECT_AFTER_MS);
    return () => clearTimeout(timer);
  }, [known, navigate]);
  return () => setKnown(true);
}
