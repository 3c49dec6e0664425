import { ChevronDown, CircleAlert, Dices, LoaderCircle, PenLine, Shuffle, WifiOff, X } from 'lucide-react';
import { useEffect, useImperativeHandle, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { Link, useLocation, useNavigate } from 'react-router-dom';

import { DEFAULT_ASPECT_RATIO, type AspectRatio } from '../../../../../src/contract/aspect-ratios.js';
import { PROMPT_MAX_LENGTH } from '../../../../../src/contract/limits.js';
import type { PublicCreator } from '../../../../../src/contract/gallery.js';
import { Button, ButtonLink, IconButton } from '../../../components/button.js';
import { CreditIcon } from '../../../components/icons.js';
import { Picture } from '../../../components/picture.js';
import { Name, Named } from '../../../components/name.js';
import { SKIP_LINK, SKIP_LINKS_ID } from '../../../components/skip-link.js';
import { useViewer, viewer } from '../../../lib/auth.js';
import { cx } from '../../../lib/cx.js';
import { rememberPromptPlace } from '../../../lib/prompt-place.js';
import { useAutoGrow } from '../../../lib/use-auto-grow.js';
import { NOT_MOBILE, useMedia } from '../../../lib/use-media.js';
import { promptDrafts, type PromptDraft } from '../prompt-drafts.js';
import { randomPrompt } from '../sample-prompts.js';
import type { CreditsListener } from '../credits-listener.js';
import type { StartProblem } from '../start-problem.js';
import { generationNavState, runningPath, type RemixSource } from '../navigation.js';
import { AspectRatioChoice } from './aspect-ratio-choice.js';
import { PausedBar } from './paused-bar.js';
import { PromptHistoryMenu } from './prompt-history-menu.js';
import { useActiveGeneration } from '../api/has-active-pending-generation.js';
import { neverChanges, useBrowserValue } from '../../../lib/first-draw.js';
import { useFootBar } from '../../../lib/use-foot-bar.js';
import { textAttributes } from '../../../lib/text-language.js';
import { useSaysOffline } from '../../../lib/offline-said.js';
import { useOnline } from '../../../lib/use-online.js';
import { useSlashKey } from '../use-slash-key.js';
import { useStartGeneration } from '../use-start-generation.js';

/** From this length on, the text has the full width, and the tools have a row of their own. */
const OWN_ROW_FROM = 220;

/** Actions of the bar for other parts of the page. */
export interface PromptBarHandle {
  /** Fills in a prompt to change it, and focuses the field. */
  fill(draft: PromptDraft): void;
  /** Starts a generation with this prompt. When that is not possible, the bar says why. */
  start(draft: PromptDraft): Promise<void>;
}

interface PromptBarProps {
  readonly creator: Pick<PublicCreator, 'id' | 'name' | 'username' | 'can_generate' | 'paused' | 'credit_cost'>;
  /** Initial text: the running or failed prompt. An unsent draft takes precedence. */
  readonly initialPrompt?: string;
  /** Initial shape: that of the image on the page. The shape of an unsent draft takes precedence. */
  readonly initialAspectRatio?: AspectRatio | undefined;
  /** The running generation that this page shows. */
  readonly activeGenerationId?: string | null;
  /** On phones, start as a floating button while the field is empty. */
  readonly startMinimised?: boolean;
  /** The fan's credits, for the return from a sign-up. */
  readonly balance?: number | undefined;
  /** When free credits come; shown when the fan has too few. */
  readonly refill?: React.ReactNode;
  readonly onPromptChange?: (prompt: string) => void;
  readonly onAspectRatioChange?: (aspectRatio: AspectRatio) => void;
  readonly onCreditsChange: CreditsListener;
  readonly ref?: React.Ref<PromptBarHandle>;
}

/** The bar at the foot of a creator's pages where a generation starts; a notice while the creator pauses. */
export function PromptBar(props: PromptBarProps): React.ReactNode {
  return props.creator.paused ? <PausedBar name={props.creator.name} /> : <OpenBar {...props} />;
}

function OpenBar({
  creator,
  initialPrompt,
  initialAspectRatio,
  activeGenerationId = null,
  startMinimised = false,
  balance,
  refill,
  onPromptChange,
  onAspectRatioChange,
  onCreditsChange,
  ref,
}: PromptBarProps): React.ReactNode {
  const location = useLocation();
  const navState = generationNavState(location.state);
  const userId = useViewer().user?.id;
  const given = initialPrompt ?? navState.prompt ?? '';
  const [typed, setTyped] = useState<string | null>(null);
  const [draft] = useState(() => promptDrafts.read(creator.id));
  const unsent = activeGenerationId === null ? draft : null;
  const text = typed ?? unsent?.prompt ?? given;
  const [shape, setShape] = useState<AspectRatio | null>(null);
  const aspectRatio =
    shape ?? unsent?.aspectRatio ?? initialAspectRatio ?? navState.aspectRatio ?? DEFAULT_ASPECT_RATIO;
  const [chosen, setMinimised] = useState<boolean | null>(null);
  const wide = useMedia(NOT_MOBILE);
  const barRef = useRef<HTMLDivElement>(null);
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
  useFootBar(barRef);
  const path = location.pathname + location.search;
  useEffect(() => rememberPromptPlace({ path, creatorName: creator.name, prompt: text }), [path, creator.name, text]);
  useAutoGrow(fieldRef, folded ? null : text);

  const disabled = active || !creator.can_generate;

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
    requestAnimationFrame(() => {
      const field = fieldRef.current;
      field?.focus();
      field?.setSelectionRange(field.value.length, field.value.length);
    });
  };

  const minimise = (): void => {
    setMinimised(true);
    requestAnimationFrame(() => createRef.current?.focus());
  };

  const begin = async (draft: PromptDraft): Promise<void> => {
    if (disabled || submitting || !online) return;
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

  const submit = (): void => {
    if (disabled || submitting || !online) return;
    if (text.trim() === '') {
      setMissing(true);
      return focusField();
    }
    void begin({ prompt: text, aspectRatio });
  };

  const writable = !disabled && !submitting;
  useSlashKey(writable ? focusField : null);
  const arriving = useRef(navState.resume === true || navState.remixSource !== undefined);
  useEffect(() => {
    if (!arriving.current || !writable) return;
    arriving.current = false;
    fieldRef.current?.focus();
    fieldRef.current?.setSelectionRange(fieldRef.current.value.length, fieldRef.current.value.length);
  }, [writable]);

  return (
    <div
      ref={barRef}
      className={cx(
        'pointer-events-none fixed inset-x-3 bottom-[calc(12px+env(safe-area-inset-bottom))] z-(--z-bar) sm:inset-x-(--gutter) sm:bottom-5',
        // A strip of its own keeps the button from covering parts of the page.
        minimised &&
          'max-sm:pointer-events-auto max-sm:inset-x-0 max-sm:bottom-0 max-sm:border-t max-sm:border-line max-sm:bg-bg max-sm:px-3 max-sm:pt-2 max-sm:pb-[calc(8px+env(safe-area-inset-bottom))]',
      )}
    >
      {!folded && <SkipToPrompt onGo={focusField} />}
      {minimised && (
        <Button ref={createRef} kind="seal" size={48} className="w-full sm:hidden" onClick={focusField}>
          <PenLine aria-hidden className="size-[18px] shrink-0" />
          Create
        </Button>
      )}
      <form
        aria-label={`Create an image in ${creator.name}’s style`}
        className={cx(
          '@container pointer-events-auto mx-auto max-w-[800px] rounded-bar border border-line-strong bg-raised shadow-float outline-offset-3 outline-focus has-[textarea:focus-visible]:outline-2',
          minimised && 'max-sm:hidden',
        )}
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <div role="alert">
          {problem && <Problem problem={problem} creatorName={creator.name} refill={refill} />}
          {missing && <Notice>Describe the image first: what should it show?</Notice>}
        </div>
        <div role="status">
          {submitting ? (
            <Notice>Starting generation... This may take up to 30 seconds.</Notice>
          ) : !online ? (
            <Notice>
              <WifiOff aria-hidden className="size-4 shrink-0" />
              You are offline. Your prompt is kept; an image can start once the connection is back.
            </Notice>
          ) : active && activeGenerationId === null ? (
            <RunningElsewhere />
          ) : !creator.can_generate ? (
            <Notice>
              <span>
                <Name>{creator.name}</Name> does not have an AI model available for generation.
              </span>
            </Notice>
          ) : navState.resume && userId !== undefined ? (
            <Welcome balance={balance} cost={creator.credit_cost} />
          ) : null}
        </div>
        {navState.remixSource && <RemixChip source={navState.remixSource} />}
        <div className="flex flex-wrap items-end justify-end gap-2 p-2 sm:p-[9px]">
          <textarea
            ref={fieldRef}
            // The target of the skip link.
            id="prompt"
            {...textAttributes(text)}
            rows={1}
            value={text}
            hidden={folded}
            disabled={disabled}
            readOnly={submitting}
            aria-label={`Describe an image in ${creator.name}’s style`}
            aria-keyshortcuts="/ Control+Enter Meta+Enter"
            placeholder={wide ? `Describe an image in ${creator.name}’s style` : 'Describe an image'}
            onChange={(event) => change(event.target.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.nativeEvent.isComposing) return;
              event.preventDefault();
              submit();
            }}
            className={cx(
              'order-1 block field-sizing-content max-h-[clamp(50px,100dvh-325px,200px)] min-h-[50px] min-w-0 grow basis-[calc(100%-56px)] resize-none bg-transparent py-[13px] pl-2 text-16 leading-6 text-ink outline-none placeholder:truncate @max-[44rem]:placeholder:whitespace-normal placeholder:text-ink-2 disabled:my-[13px] disabled:max-h-12 disabled:min-h-6 disabled:overflow-hidden disabled:py-0 disabled:text-ink-2 sm:basis-full sm:pl-[11px] sm:disabled:max-h-6',
              text.length < OWN_ROW_FROM && '@min-[44rem]:basis-0',
            )}
          />
          {!folded && (
            <>
              <div className="order-2 flex h-[50px] items-center sm:hidden">
                <IconButton label="Minimise the prompt box" onClick={minimise}>
                  <ChevronDown aria-hidden className="size-5" />
                </IconButton>
              </div>
              <Hint length={text.length} hidden={disabled || text === ''} />
              <AspectRatioChoice
                value={aspectRatio}
                disabled={disabled || submitting}
                onChange={(chosen) => edit({ prompt: text, aspectRatio: chosen })}
              />
              {userId !== undefined && (
                <PromptHistoryMenu
                  key={userId}
                  userId={userId}
                  disabled={disabled || submitting}
                  onChoose={(prompt) => {
                    change(prompt);
                    focusField();
                  }}
                />
              )}
              <IconButton
                label="Random prompt"
                size={48}
                disabled={disabled || submitting}
                className="order-4 disabled:bg-hover sm:mb-px"
                onClick={() => change(randomPrompt(text))}
              >
                <Dices aria-hidden className="size-5" />
              </IconButton>
            </>
          )}
          <Button
            type="submit"
            kind="seal"
            size={48}
            disabled={disabled || (!online && !submitting)}
            busy={submitting}
            busyLabel={active ? undefined : 'Generating...'}
            className="order-5 grow sm:mb-px @min-[34rem]:grow-0"
          >
            {active ? (
              'Image Generating...'
            ) : !online ? (
              'You are offline'
            ) : (
              <span className="flex items-center gap-2">
                Generate
                <span aria-hidden className="mx-0.5 h-5 w-px bg-current opacity-35" />
                <CreditIcon />
                <span className="tabular-nums">
                  <span>{creator.credit_cost}</span>
                  <span className="sr-only"> credits</span>
                </span>
              </span>
            )}
          </Button>
        </div>
      </form>
    </div>
  );
}

/** The keyboard shortcut, or the length of the prompt once it is near the limit. */
function Hint({ length, hidden }: { length: number; hidden: boolean }): React.ReactNode {
  if (hidden) return null;
  if (length > PROMPT_MAX_LENGTH * 0.9) {
    return (
      <span
        className={cx(
          'order-3 flex h-[50px] items-center px-2 text-13 tabular-nums @max-[34rem]:basis-full @max-[34rem]:h-6',
          length > PROMPT_MAX_LENGTH ? 'text-bad' : 'text-ink-3',
        )}
      >
        {length} / {PROMPT_MAX_LENGTH}
        {length > PROMPT_MAX_LENGTH && ', the end will be cut'}
      </span>
    );
  }
  return (
    <kbd
      aria-hidden
      className="order-3 hidden h-[50px] items-center px-2 font-sans text-13 text-ink-3 @min-[34rem]:flex pointer-coarse:hidden"
    >
      {/Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl'} ↵
    </kbd>
  );
}

/** Which image the prompt was taken from. */
function RemixChip({ source: { title, url, image } }: { source: RemixSource }): React.ReactNode {
  const location = useLocation();
  const navigate = useNavigate();
  const forget = (): void => {
    const state = { ...(location.state as object), remixSource: undefined };
    void navigate(location.pathname + location.search, { replace: true, state });
  };
  return (
    <div className="flex px-2 pt-2 sm:px-[11px]">
      <p
        className={cx(
          'flex min-w-0 items-center gap-2 border border-line text-14 text-ink-2',
          image ? 'rounded-[10px] p-1' : 'rounded-pill pl-3',
        )}
      >
        {image ? (
          <Picture image={image} alt="" sizes="40px" ratio="1 / 1" className="size-10 shrink-0 rounded-[8px]" />
        ) : (
          <Shuffle aria-hidden className="size-4 shrink-0" />
        )}
        <span className="shrink-0">Remix of</span>
        <Link to={url} {...textAttributes(title)} className="min-w-0 truncate text-ink underline underline-offset-2">
          {title}
        </Link>
        <IconButton label="Forget the source of this remix" size={32} onClick={forget}>
          <X aria-hidden className="size-4" />
        </IconButton>
      </p>
    </div>
  );
}

/** A skip link of the page that moves the focus into the field; it is placed after the one to the content. */
function SkipToPrompt({ onGo }: { onGo: () => void }): React.ReactNode {
  const place = useBrowserValue(neverChanges, skipLinks, null);
  return (
    place &&
    createPortal(
      <a
        href="#prompt"
        className={SKIP_LINK}
        onClick={(event) => {
          event.preventDefault();
          onGo();
        }}
      >
        Skip to the prompt
      </a>,
      place,
    )
  );
}

const skipLinks = (): HTMLElement | null => document.getElementById(SKIP_LINKS_ID);

/** After a sign-up: what the fan has, and what to press. Until the balance is known, the line has its place only. */
function Welcome({ balance, cost }: { balance: number | undefined; cost: number }): React.ReactNode {
  const credits = balance ?? cost;
  return (
    <Notice>
      <span className={cx(balance === undefined && 'invisible')}>
        You are signed in and have {credits.toLocaleString('en')} credits.{' '}
        {credits >= cost ? `Press Generate to make your image for ${cost}.` : `This image costs ${cost}.`}
      </span>
    </Notice>
  );
}

function Notice({ children }: { children: React.ReactNode }): React.ReactNode {
  return <p className="flex items-center gap-3 px-4 pt-3 text-14 text-ink-2 sm:px-5">{children}</p>;
}

function RunningElsewhere(): React.ReactNode {
  const path = runningPath();
  return (
    <Notice>
      <LoaderCircle aria-hidden className="size-4 shrink-0 motion-safe:animate-spin" />
      <span>
        Your last image is still being generated.{' '}
        {path !== null ? (
          <Link to={path} className="link">
            See how far it is
          </Link>
        ) : (
          <Link to="/my-creations" className="link">
            See it in My Creations
          </Link>
        )}
      </span>
    </Notice>
  );
}

interface ProblemProps {
  readonly problem: StartProblem;
  readonly creatorName: string;
  readonly refill: React.ReactNode;
}

function Problem({ problem, creatorName, refill }: ProblemProps): React.ReactNode {
  const navigate = useNavigate();
  const location = useLocation();
  const signInAgain = async (): Promise<void> => {
    await viewer().signOut();
    await navigate('/sign-in', {
      state: { returnTo: location.pathname + location.search, previousState: location.state as unknown },
    });
  };
  return (
    <div className="fade-in flex flex-wrap items-start gap-x-3 gap-y-2 px-4 pt-3 sm:px-5">
      <CircleAlert aria-hidden className="mt-0.5 size-[18px] shrink-0 text-bad" />
      <div className="min-w-0 flex-1 basis-60 text-14">
        {problem.title && <p className="font-[600] text-ink">{problem.title}</p>}
        <p className="break-words text-ink">
          <Named text={problem.message} name={creatorName} />
        </p>
        {problem.detail && <p className="break-words text-ink-2">{problem.detail}</p>}
        {problem.creditsUnharmed && <p className="text-ink-2">No credits were used.</p>}
        {problem.action === 'purchase' && <div className="text-ink-2">{refill}</div>}
      </div>
      {problem.action === 'purchase' && (
        <ButtonLink to="/purchase-credits" kind="solid">
          Purchase Credits
        </ButtonLink>
      )}
      {problem.action === 'sign-in' && <Button onClick={() => void signInAgain()}>Sign out</Button>}
    </div>
  );
}
