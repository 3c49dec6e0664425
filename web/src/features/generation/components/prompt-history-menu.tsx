import { History, Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { IconButton } from '../../../components/button.js';
import { Menu, MenuContent, MenuItem, MenuSeparator, MenuTrigger } from '../../../components/menu.js';
import { textAttributes } from '../../../lib/text-language.js';
import { promptHistory } from '../prompt-history.js';

interface PromptHistoryMenuProps {
  readonly userId: string;
  readonly disabled: boolean;
  readonly onChoose: (prompt: string) => void;
}

/** The fan's last prompts in this browser: choose one to edit, or delete it. Renders nothing without prompts. */
export function PromptHistoryMenu({ userId, disabled, onChoose }: PromptHistoryMenuProps): React.ReactNode {
  const [prompts, setPrompts] = useState(() => promptHistory.list(userId));
  const [announced, setAnnounced] = useState('');
  const sheet = useRef<HTMLDivElement>(null);
  const chosen = useRef(false);

  const forget = (prompt: string | null): void => {
    if (prompt === null) promptHistory.clear(userId);
    else promptHistory.remove(userId, prompt);
    setPrompts(promptHistory.list(userId));
    setAnnounced(prompt === null ? 'All prompts deleted' : 'Prompt deleted');
    // The focused line was removed.
    sheet.current?.focus();
  };

  if (prompts.length === 0 && announced === '') return null;
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
          setPrompts(promptHistory.list(userId));
          setAnnounced('');
        }}
      >
        <MenuTrigger asChild>
          <IconButton
            label="Prompt history"
            size={48}
            disabled={disabled || prompts.length === 0}
            className="order-4 disabled:bg-hover sm:mb-px"
          >
            <History aria-hidden className="size-5" />
          </IconButton>
        </MenuTrigger>
        <MenuContent
          ref={sheet}
          side="top"
          aria-label="Prompt history"
          className="max-h-[min(420px,60svh)] w-[min(420px,calc(100vw-32px))] overflow-y-auto"
          onCloseAutoFocus={(event) => {
            // The field takes the focus instead.
            if (chosen.current) event.preventDefault();
          }}
        >
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
          {prompts.length === 0 && (
            <MenuItem disabled className="text-ink-2">
              No prompts are kept any more.
            </MenuItem>
          )}
          {prompts.length > 0 && (
            <>
              <MenuSeparator />
              <MenuItem
                onSelect={(event) => {
                  event.preventDefault();
                  forget(null);
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
