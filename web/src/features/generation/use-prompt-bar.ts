import { useEffect, useImperativeHandle, useRef, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { DEFAULT_ASPECT_RATIO, type AspectRatio } from '../../../../src/contract/aspect-ratios.js';
import type { PublicCreator } from '../../../../src/contract/gallery.js';
import { useSaysOffline } from '../../lib/offline-said.js';
import { rememberPromptPlace } from '../../lib/prompt-place.js';
import { useAutoGrow } from '../../lib/use-auto-grow.js';
import { NOT_MOBILE, useMedia } from '../../lib/use-media.js';
import { useOnline } from '../../lib/use-online.js';
import { useActiveGeneration } from './api/has-active-pending-generation.js';
import type { CreditsListener } from './credits-listener.js';
import { generationNavState } from './navigation.js';
import { promptDrafts, type PromptDraft } from './prompt-drafts.js';
import { useSlashKey } from './use-slash-key.js';
import { useStartGeneration } from './use-start-generation.js';

/** Actions of the bar for other parts of the page. */
export interface PromptBarHandle {
  /** Fills in a prompt to change it, and focuses the field. */
  fill(draft: PromptDraft): void;
  /** Starts a generation with this prompt. When that is not possible, the bar says why. */
  start(draft: PromptDraft): Promise<void>;
}

export interface PromptBarOptions {
  readonly creator: Pick<PublicCreator, 'id' | 'name' | 'username' | 'can_generate' | 'paused' | 'credit_cost'>;
  /** Initial text: the running or failed prompt. An unsent draft takes precedence. */
  readonly initialPrompt?: string;
  /** Initial shape: that of the image on the page. The shape of an unsent draft takes precedence. */
  readonly initialAspectRatio?: AspectRatio | undefined;
  /** The running generation that this page shows. */
  readonly activeGenerationId?: string | null;
  /** On phones, start as a floating button while the field is empty. */
  readonly startMinimised?: boolean;
  readonly onPromptChange?: (prompt: string) => void;
  readonly onAspectRatioChange?: (aspectRatio: AspectRatio) => void;
  readonly onCreditsChange: CreditsListener;
  readonly ref?: React.Ref<PromptBarHandle>;
}

/** The state of the prompt bar, and what a person can do with it. */
export type PromptBarState = ReturnType<typeof usePromptBar>;

/** Keeps the prompt and its shape while they are written, and starts the generation. */
export function usePromptBar({
  creator,
  initialPrompt,
  initialAspectRatio,
  activeGenerationId = null,
  startMinimised = false,
  onPromptChange,
  onAspectRatioChange,
  onCreditsChange,
  ref,
}: PromptBarOptions) {
  const location = useLocation();
  const navState = generationNavState(location.state);
  const [typed, setTyped] = useState<string | null>(null);
  const [draft] = useState(() => promptDrafts.read(creator.id));
  const unsent = activeGenerationId === null ? draft : null;
  const text = typed ?? unsent?.prompt ?? initialPrompt ?? navState.prompt ?? '';
  const [shape, setShape] = useState<AspectRatio | null>(null);
  const aspectRatio =
    shape ?? unsent?.aspectRatio ?? initialAspectRatio ?? navState.aspectRatio ?? DEFAULT_ASPECT_RATIO;
  const [chosen, setMinimised] = useState<boolean | null>(null);
  const wide = useMedia(NOT_MOBILE);
  const createRef = useRef<HTMLButtonElement>(null);
  const fieldRef = useRef<HTMLTextAreaElement>(null);
  const active = useActiveGeneration({ enabled: activeGenerationId === null }) || activeGenerationId !== null;
  const minimised = !active && (chosen ?? (startMinimised && text === ''));
  // On phones, the box has nothing to do while an image is generated.
  const folded = active && !wide;
  const { submitting, problem, clearProblem, start } = useStartGeneration({ creator, onCreditsChange });
  const online = useOnline();
  useSaysOffline(!online && !submitting && (wide || !minimised));
  const [missing, setMissing] = useState(false);
  const path = location.pathname + location.search;
  useEffect(() => rememberPromptPlace({ path, creatorName: creator.name, prompt: text }), [path, creator.name, text]);
  useAutoGrow(fieldRef, folded ? null : text);

  const disabled = active || !creator.can_generate;
  const writable = !disabled && !submitting;

  const edit = (draft: PromptDraft): void => {
    setTyped(draft.prompt);
    setShape(draft.aspectRatio);
    setMissing(false);
    promptDrafts.save(creator.id, draft);
    onPromptChange?.(draft.prompt);
    onAspectRatioChange?.(draft.aspectRatio);
    clearProblem();
  };
  const change = (prompt: string): void => edit({ prompt, aspectRatio });

  const focusField = (): void => {
    setMinimised(false);
    // The field may be hidden until the next paint.
    requestAnimationFrame(() => focusEnd(fieldRef.current));
  };

  const begin = async (draft: PromptDraft): Promise<void> => {
    if (!writable || !online) return;
    await start(draft, (sanitised) => {
      setTyped(sanitised);
      promptDrafts.save(creator.id, { ...draft, prompt: sanitised });
      onPromptChange?.(sanitised);
    });
  };

  useImperativeHandle(ref, () => ({
    fill: (draft) => {
      edit(draft);
      focusField();
    },
    start: async (draft) => {
      edit(draft);
      // The bar shows why nothing starts.
      setMinimised(false);
      await begin(draft);
    },
  }));

  useSlashKey(writable ? focusField : null);
  const arriving = useRef(navState.resume === true || navState.remixSource !== undefined);
  useEffect(() => {
    if (!arriving.current || !writable) return;
    arriving.current = false;
    focusEnd(fieldRef.current);
  }, [writable]);

  return {
    text,
    aspectRatio,
    problem,
    submitting,
    online,
    disabled,
    writable,
    wide,
    minimised,
    folded,
    createRef,
    fieldRef,
    change,
    focusField,
    /** A generation runs: this page shows it, or it runs elsewhere. */
    active,
    runsElsewhere: active && activeGenerationId === null,
    /** Generate was pressed without a text. */
    missing,
    /** The fan comes back from the sign-up that Generate asked for. */
    resumed: navState.resume === true,
    remixSource: navState.remixSource,
    chooseShape: (chosen: AspectRatio): void => edit({ prompt: text, aspectRatio: chosen }),
    minimise: (): void => {
      setMinimised(true);
      requestAnimationFrame(() => createRef.current?.focus());
    },
    submit: (): void => {
      if (!writable || !online) return;
      if (text.trim() === '') {
        setMissing(true);
        return focusField();
      }
      void begin({ prompt: text, aspectRatio });
    },
  };
}

/** Focuses the field behind its last letter. */
function focusEnd(field: HTMLTextAreaElement | null): void {
  field?.focus();
  field?.setSelectionRange(field.value.length, field.value.length);
}
