/** The input of a visitor into the drawn page before its code runs. */
export interface EarlyInput {
  /** Notes the typed texts and puts the drawn ones back, which hydration expects. Call it just before. */
  readonly beforeHydration: () => void;
  /** Repeats the input, once. Call it from an effect of the hydrated page. */
  readonly onReady: () => void;
}

/** A press that has begun and not ended. */
interface Begun {
  readonly control: HTMLElement;
  readonly x: number;
  readonly y: number;
}

/** A pointer that moved further than this, in px, has left what it pressed. */
const STILL_PX = 10;

/**
 * Keeps what a visitor does with the drawn page before its code runs: the last press of a button, and typed texts.
 * Links work without code. A press may begin before hydration and end after it, when a part that only the browser draws
 * has covered the button: it counts for the button.
 * @param root holds the drawn page
 */
export function keepEarlyInput(root: HTMLElement): EarlyInput {
  let ready = false;
  let begun: Begun | null = null;
  let pressed: HTMLElement | null = null;
  let typed: { readonly field: HTMLInputElement | HTMLTextAreaElement; readonly text: string }[] = [];

  const onDown = (event: PointerEvent): void => {
    if (ready) return stop();
    const control = controlAt(event.target);
    begun = control && { control, x: event.clientX, y: event.clientY };
  };
  const onClick = (event: MouseEvent): void => {
    if (ready) stop();
    const still = begun !== null && Math.hypot(event.clientX - begun.x, event.clientY - begun.y) < STILL_PX;
    const control = begun && still ? begun.control : controlAt(event.target);
    begun = null;
    if (!control) return;
    const hit = event.target instanceof Node && control.contains(event.target);
    if (hit && (ready || control instanceof HTMLAnchorElement)) return;
    // A button of a form would send it to the server.
    event.preventDefault();
    event.stopPropagation();
    if (ready) press(root, control);
    else pressed = control;
  };
  const listen = (): void => {
    document.addEventListener('pointerdown', onDown, true);
    document.addEventListener('click', onClick, true);
  };
  const stop = (): void => {
    document.removeEventListener('pointerdown', onDown, true);
    document.removeEventListener('click', onClick, true);
  };
  const replay = (): void => {
    stop();
    ready = true;
    for (const { field, text } of typed.splice(0)) type(field, text);
    if (pressed) press(root, pressed);
    pressed = null;
    if (begun) listen();
  };
  listen();
  return {
    beforeHydration: () => {
      typed = [...root.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('textarea, input:not([type])')]
        .filter((field) => field.value !== field.defaultValue)
        .map((field) => ({ field, text: field.value }));
      for (const { field } of typed) field.value = field.defaultValue;
    },
    // React handles an event at once only outside an effect.
    onReady: () => void setTimeout(replay),
  };
}

function controlAt(target: EventTarget | null): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>('button, a[href]') : null;
}

/** Presses the control, or the one that replaced it when the page learned who the visitor is. */
function press(root: HTMLElement, control: HTMLElement): void {
  const present = control.isConnected
    ? control
    : [...root.querySelectorAll<HTMLElement>(control.localName)].find((other) => nameOf(other) === nameOf(control));
  present?.click();
}

function nameOf(control: HTMLElement): string {
  return control.getAttribute('aria-label') ?? control.textContent;
}

/** Types as a person does. React ignores an event whose value was set on the element itself. */
function type(field: HTMLInputElement | HTMLTextAreaElement, text: string): void {
  const { prototype } = field instanceof HTMLTextAreaElement ? HTMLTextAreaElement : HTMLInputElement;
  Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(field, text);
  field.dispatchEvent(new Event('input', { bubbles: true }));
}
