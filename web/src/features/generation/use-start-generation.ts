import { useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import type { PublicCreator } from '../../../../src/contract/gallery.js';
import { sanitisePrompt } from '../../../../src/generation/prompts/sanitise-prompt.js';
import { ApiError, rpc } from '../../lib/api.js';
import { viewer, whenSettled } from '../../lib/auth.js';
import { generationPath } from '../../lib/paths.js';
import { useRequestId } from '../../lib/use-request-id.js';
import { refreshActiveGeneration } from './api/has-active-pending-generation.js';
import type { CreditsListener } from './credits-listener.js';
import { promptDrafts, type PromptDraft } from './prompt-drafts.js';
import { IDENTITY_UNKNOWN, INVALID_PROMPT, startProblemOf, type StartProblem } from './start-problem.js';
import { promptHistory } from './prompt-history.js';
import { generationNavState, rememberRunning, type GenerationNavState } from './navigation.js';

export interface StartGeneration {
  readonly submitting: boolean;
  readonly problem: StartProblem | null;
  readonly clearProblem: () => void;
  /** Starts a generation; visitors go to sign-up first. `onSanitised` gets the prompt that is used. */
  readonly start: (draft: PromptDraft, onSanitised: (prompt: string) => void) => Promise<void>;
}

interface StartGenerationOptions {
  readonly creator: Pick<PublicCreator, 'id' | 'username' | 'credit_cost'>;
  readonly onCreditsChange: CreditsListener;
}

/** Starts a generation from a prompt and opens its page (fan spec, sections 2, 4 and 8). */
export function useStartGeneration({ creator, onCreditsChange }: StartGenerationOptions): StartGeneration {
  const navigate = useNavigate();
  const location = useLocation();
  const [submitting, setSubmitting] = useState(false);
  const [problem, setProblem] = useState<StartProblem | null>(null);
  const running = useRef(false);
  const requestId = useRequestId();

  const here = location.pathname + location.search;

  const start: StartGeneration['start'] = async ({ prompt: raw, aspectRatio }, onSanitised) => {
    // State updates with the next render; two presses in one frame must not start twice.
    if (running.current) return;
    const prompt = sanitisePrompt(raw);
    if (prompt !== raw) onSanitised(prompt);
    if (prompt === '') return setProblem(INVALID_PROMPT);
    running.current = true;
    setSubmitting(true);
    setProblem(null);
    promptDrafts.save(creator.id, { prompt, aspectRatio });
    try {
      await whenSettled();
      if (viewer().status === 'loading') return setProblem(IDENTITY_UNKNOWN);
      if (viewer().status !== 'signed-in') {
        const { remixSource } = generationNavState(location.state);
        const previousState: GenerationNavState = {
          prompt,
          aspectRatio,
          creatorId: creator.id,
          deploymentName: null,
          resume: true,
          ...(remixSource && { remixSource }),
        };
        await navigate('/sign-up', { state: { returnTo: here, prompt, previousState } });
        return;
      }
      const started = await rpc('start_generation_by_jwt', {
        p_prompt: prompt,
        p_creator_id: creator.id,
        // Refused when the creator's price is not the one shown.
        p_credit_cost: creator.credit_cost,
        p_aspect_ratio: aspectRatio,
        // The same id for a repeat after a lost answer starts nothing more.
        p_request_id: requestId.idOf({ prompt, aspectRatio, creatorId: creator.id }),
      });
      requestId.done();
      promptDrafts.clear(creator.id);
      const { user } = viewer();
      if (user) promptHistory.add(user.id, prompt);
      const path = generationPath(creator.username, started.generation_id);
      onCreditsChange('deduction');
      const state: GenerationNavState = {
        prompt,
        aspectRatio,
        creatorId: creator.id,
        deploymentName: null,
        loraId: null,
        useDeployment: null,
        predictionId: started.prediction_id,
        // From one generation to the next, the back link keeps its target.
        returnTo: here.includes('/generate/') ? generationNavState(location.state).returnTo : here,
        startedAt: Date.now(),
      };
      await navigate(path, { state });
      // Only after the navigation, because the previous page would announce the end of this generation.
      rememberRunning(path);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // Without an answer of the server it may have started: the next press asks for the same one.
      if (error.requestId !== null && error.code !== 'UNKNOWN_OUTCOME') requestId.done();
      setProblem(startProblemOf(error));
    } finally {
      running.current = false;
      setSubmitting(false);
      refreshActiveGeneration();
    }
  };

  return { submitting, problem, clearProblem: () => setProblem(null), start };
}
