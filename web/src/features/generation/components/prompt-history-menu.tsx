import { History, Trash2, Undo2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { IconButton } from '../../../components/button.js';
import { Menu, MenuContent, MenuItem, MenuLabel, MenuSeparator, MenuTrigger } from '../../../components/menu.js';
import { textAttributes } from '../../../lib/text-language.js';
import { promptHistory } from '../prompt-history.js';

interface PromptHistoryMenuProps {
  readonly userId: string;
  readonly disabled: boolean;
  readonly onChoose: (prompt: string) => void;
}

/** Distance between the menu and the prompt box. */
const GAP_PX = 8;

/** The fan's last prompts in this browser: choose one to edit, or delete it. Renders nothing without prompts. */
export function PromptHistoryMenu({ userId, disabled, onChoose }: PromptHistoryMenuProps): React.ReactNode {
  const [prompts, setPrompts] = useState(() => promptHistory.list(userId));
  const [announced, setAnnounced] = useState('');
  /** The prompts before 'Delete all prompts', until the page is left. */
  const [deleted, setDeleted] = useState<readonly string[]>([]);
  const [gap, setGap] = useState(GAP_PX);
  const sheet = useRef<HTMLDivElement>(null);
  const trigger = useRef<HTMLButtonElement>(null);
  const chosen = useRef(false);

  const changed = (announcement: string): void => {
    // At once: the menu passes the focus on to the current line, which may be the removed one.
    flushSync(() => {
      setPrompts(promptHistory.list(userId));
      setAnnounced(announcement);
    });
    sheet.current?.focus();
  };
  const forget = (prompt: string): void => {
    promptHistory.remove(userId, prompt);
    changed('Prompt deleted');
  };
  const forgetAll = (): void => {
    setDeleted(promptHistory.list(userId));
    promptHistory.clear(userId);
    changed('All prompts deleted. Undo is in the menu.');
  };
  const restore = (): void => {
    // The oldest first, because each is added at the front.
    for (const prompt of deleted.toReversed()) promptHistory.add(userId, prompt);
    setDeleted([]);
    changed('The prompts are back');
  };

  if (prompts.length === 0 && deleted.length === 0 && announced === '') return null;
  return (
    <>
      {/* Outside the menu, which may contain menu items only. */}
      <p role="status" aria-live="polite" className="sr-only">
        {announced}
      </p>
      <Menu
        modal={false}
        onOpenChange={(open) => {
          if (!open) return;
          chosen.current = false;
          setGap(gapAboveForm(trigger.current));
          setPrompts(promptHistory.list(userId));
          setAnnounced('');
        }}
      >
        <MenuTrigger asChild>
          <IconButton
            ref={trigger}
            label="Prompt history"
            size={48}
            disabled={disabled || (prompts.length === 0 && deleted.length === 0)}
            className="order-4 disabled:bg-hover sm:mb-px"
          >
            <History aria-hidden className="size-5" />
          </IconButton>
        </MenuTrigger>
        <MenuContent
          ref={sheet}
          side="top"
          sideOffset={gap}
          className="max-h-[min(420px,60svh,var(--radix-dropdown-menu-content-available-height))] w-[min(420px,calc(100vw-32px))] overflow-y-auto"
          onCloseAutoFocus={(event) => {
            // The field takes the focus instead.
            if (chosen.current) event.preventDefault();
          }}
        >
          <MenuLabel>Your last prompts</MenuLabel>
          {prompts.map((prompt) => (
            <div key={prompt} role="none" className="flex items-center">
              <MenuItem
                className="min-w-0 flex-1"
                onSelect={() => {
                  chosen.current = true;
                  onChoose(prompt);
                }}
              >
                <span {...textAttributes(prompt)} className="truncate">
                  {prompt}
                </span>
              </MenuItem>
              <MenuItem
                aria-label={`Delete prompt: ${prompt}`}
                className="w-10! shrink-0 justify-center px-0!"
                onSelect={(event) => {
                  event.preventDefault();
                  forget(prompt);
                }}
              >
                <Trash2 aria-hidden />
              </MenuItem>
            </div>
          ))}
          {prompts.length === 0 && deleted.length === 0 && (
            <MenuItem disabled className="text-ink-2">
              No prompts are kept any more.
            </MenuItem>
          )}
          {deleted.length > 0 && (
            <MenuItem
              onSelect={(event) => {
                event.preventDefault();
                restore();
              }}
            >
              <Undo2 aria-hidden />
              <span>Undo: bring back {deleted.length === 1 ? 'the prompt' : `${deleted.length} prompts`}</span>
            </MenuItem>
          )}
          {prompts.length > 0 && (
            <>
              <MenuSeparator />
              <MenuItem
                onSelect={(event) => {
                  event.preventDefault();
                  forgetAll();
                }}
              >
                <Trash2 aria-hidden />
                Delete all prompts
              </MenuItem>
            </>
          )}
        </MenuContent>
      </Menu>
    </>
  );
}

/** The distance from the button to a menu above the whole prompt box, so that the menu does not cover the prompt. */
function gapAboveForm(button: HTMLButtonElement | null): number {
  const form = button?.closest('form');
  if (!button || !form) return GAP_PX;
  return button.getBoundingClientRect().top - form.getBoundingClientRect().top + GAP_PX;
}
