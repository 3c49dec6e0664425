import { ChevronDown, Dices, PenLine, Shuffle, X } from 'lucide-react';
import { createPortal } from 'react-dom';
import { Link, useLocation, useNavigate } from 'react-router-dom';
import { PROMPT_MAX_LENGTH } from '../../../../../src/contract/limits.js';
import { Button, IconButton } from '../../../components/button.js';
import { Picture } from '../../../components/picture.js';
import { SKIP_LINK, SKIP_LINKS_ID } from '../../../components/skip-link.js';
import { useViewer } from '../../../lib/auth.js';
import { cx } from '../../../lib/cx.js';
import { neverChanges, useBrowserValue } from '../../../lib/first-draw.js';
import { textAttributes } from '../../../lib/text-language.js';
import { randomPrompt } from '../sample-prompts.js';
import type { RemixSource } from '../navigation.js';
import { usePromptBar, type PromptBarOptions, type PromptBarState } from '../use-prompt-bar.js';
import { AspectRatioChoice } from './aspect-ratio-choice.js';
import { ButtonCost } from './button-cost.js';
import { FootBar } from './foot-bar.js';
import { PausedBar } from './paused-bar.js';
import { Notice, Problem, Status } from './prompt-bar-notices.js';
import { PromptHistoryMenu } from './prompt-history-menu.js';

/** From this length on, the text has the full width, and the tools have a row of their own. */
const OWN_ROW_FROM = 220;

interface PromptBarProps extends PromptBarOptions {
  /** The fan's credits, for the return from a sign-up. */
  readonly balance?: number | undefined;
  /** When free credits come; shown when the fan has too few. */
  readonly refill?: React.ReactNode;
}

/** The bar at the foot of a creator's pages where a generation starts; a notice while the creator pauses. */
export function PromptBar(props: PromptBarProps): React.ReactNode {
  return props.creator.paused ? <PausedBar name={props.creator.name} /> : <OpenBar {...props} />;
}

function OpenBar(props: PromptBarProps): React.ReactNode {
  const { creator, balance, refill } = props;
  const { createRef, fieldRef, ...bar } = usePromptBar(props);
  const { problem, minimised, folded, focusField } = bar;
  return (
    <FootBar
      className={
        // A strip of its own keeps the button from covering parts of the page.
        minimised &&
        'max-sm:pointer-events-auto max-sm:inset-x-0 max-sm:bottom-0 max-sm:border-t max-sm:border-line max-sm:bg-bg max-sm:px-3 max-sm:pt-2 max-sm:pb-[calc(8px+env(safe-area-inset-bottom))]'
      }
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
          bar.submit();
        }}
      >
        <div role="alert">
          {problem && <Problem problem={problem} creatorName={creator.name} refill={refill} />}
          {bar.missing && <Notice>Describe the image first: what should it show?</Notice>}
        </div>
        <div role="status">
          <Status bar={bar} creator={creator} balance={balance} />
        </div>
        {bar.remixSource && <RemixChip source={bar.remixSource} />}
        <div className="flex flex-wrap items-end justify-end gap-2 p-2 sm:p-[9px]">
          <Field ref={fieldRef} bar={bar} creatorName={creator.name} />
          {!folded && <Tools bar={bar} />}
          <GenerateButton bar={bar} cost={creator.credit_cost} />
        </div>
      </form>
    </FootBar>
  );
}

interface PartProps {
  readonly bar: Omit<PromptBarState, 'createRef' | 'fieldRef'>;
}

interface FieldProps extends PartProps {
  readonly creatorName: string;
  readonly ref: React.Ref<HTMLTextAreaElement>;
}

function Field({ bar, creatorName, ref }: FieldProps): React.ReactNode {
  const { text } = bar;
  const label = `Describe an image in ${creatorName}’s style`;
  return (
    <textarea
      ref={ref}
      // The target of the skip link.
      id="prompt"
      {...textAttributes(text)}
      rows={1}
      value={text}
      hidden={bar.folded}
      disabled={bar.disabled}
      readOnly={bar.submitting}
      aria-label={label}
      aria-keyshortcuts="/ Control+Enter Meta+Enter"
      placeholder={bar.wide ? label : 'Describe an image'}
      onChange={(event) => bar.change(event.target.value)}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.nativeEvent.isComposing) return;
        event.preventDefault();
        bar.submit();
      }}
      className={cx(
        'order-1 block field-sizing-content max-h-[clamp(50px,100dvh-325px,200px)] min-h-[50px] min-w-0 grow basis-[calc(100%-56px)] resize-none bg-transparent py-[13px] pl-2 text-16 leading-6 text-ink outline-none placeholder:truncate @max-[44rem]:placeholder:whitespace-normal placeholder:text-ink-2 disabled:my-[13px] disabled:max-h-12 disabled:min-h-6 disabled:overflow-hidden disabled:py-0 disabled:text-ink-2 sm:basis-full sm:pl-[11px] sm:disabled:max-h-6',
        text.length < OWN_ROW_FROM && '@min-[44rem]:basis-0',
      )}
    />
  );
}

/** The buttons around the field. */
function Tools({ bar }: PartProps): React.ReactNode {
  const userId = useViewer().user?.id;
  const { text, disabled, writable, change, focusField } = bar;
  return (
    <>
      <div className="order-2 flex h-[50px] items-center sm:hidden">
        <IconButton label="Minimise the prompt box" onClick={bar.minimise}>
          <ChevronDown aria-hidden className="size-5" />
        </IconButton>
      </div>
      <Hint length={text.length} hidden={disabled || text === ''} />
      <AspectRatioChoice value={bar.aspectRatio} disabled={!writable} onChange={bar.chooseShape} />
      {userId !== undefined && (
        <PromptHistoryMenu
          key={userId}
          userId={userId}
          disabled={!writable}
          onChoose={(prompt) => {
            change(prompt);
            focusField();
          }}
        />
      )}
      <IconButton
        label="Random prompt"
        size={48}
        disabled={!writable}
        className="order-4 disabled:bg-hover sm:mb-px"
        onClick={() => change(randomPrompt(text))}
      >
        <Dices aria-hidden className="size-5" />
      </IconButton>
    </>
  );
}

function GenerateButton({ bar, cost }: PartProps & { readonly cost: number }): React.ReactNode {
  const { active, online, submitting } = bar;
  return (
    <Button
      type="submit"
      kind="seal"
      size={48}
      disabled={bar.disabled || (!online && !submitting)}
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
          <ButtonCost cost={cost} />
        </span>
      )}
    </Button>
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
  const slot = useBrowserValue(neverChanges, skipLinks, null);
  return (
    slot &&
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
      slot,
    )
  );
}

const skipLinks = (): HTMLElement | null => document.getElementById(SKIP_LINKS_ID);
