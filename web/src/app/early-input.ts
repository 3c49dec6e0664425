/**
 * Keeps what a visitor does with the drawn page before its code runs: the last press of a button, and typed texts.
 * Links work without code.
 * @param root holds the drawn page
 */
export function keepEarlyInput(root: HTMLElement): {
  /**
   * Notes the typed texts and puts the drawn ones back, which hydration expects. Call it just before: React repeats
   * later presses itself.
   */
  readonly beforeHydration: () => void;
  /** Repeats the input, once. Call it from an effect of the hydrated page. */
  readonly onReady: () => void;
} {
  let pressed: HTMLElement | null = null;
  let typed: { readonly field: HTMLInputElement | HTMLTextAreaElement; readonly text: string }[] = [];
  const keepClick = (event: Event): void => {
    const button = event.target instanceof Element ? event.target.closest('button') : null;
    if (!button) return;
    // A button of a form would send it to the server.
    event.preventDefault();
    event.stopPropagation();
    pressed = button;
  };
  const replay = (): void => {
    root.removeEventListener('click', keepClick, true);
    for (const { field, text } of typed.splice(0)) type(field, text);
    const button = pressed;
    pressed = null;
    if (button) presentButton(root, button)?.click();
  };
  root.addEventListener('click', keepClick, true);
  return {
    beforeHydration: () => {
      root.removeEventListener('click', keepClick, true);
      typed = [...root.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('textarea, input:not([type])')]
        .filter((field) => field.value !== field.defaultValue)
        .map((field) => ({ field, text: field.value }));
      for (const { field } of typed) field.value = field.defaultValue;
    },
    // React handles an event at once only outside an effect.
    onReady: () => void setTimeout(replay),
  };
}

/** The button itself, or the one that replaced it when the page learned who the visitor is. */
function presentButton(root: HTMLElement, button: HTMLElement): HTMLElement | undefined {
  if (button.isConnected) return button;
  return [...root.querySelectorAll('button')].find(({ textContent }) => textContent === button.textContent);
}

/** Types as a person does. React ignores an event whose value was set on the element itself. */
function type(field: HTMLInputElement | HTMLTextAreaElement, text: string): void {
  const { prototype } = field instanceof HTMLTextAreaElement ? HTMLTextAreaElement : HTMLInputElement;
  Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(field, text);
  field.dispatchEvent(new Event('input', { bubbles: true }));
}
