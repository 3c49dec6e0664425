/** After a change of the page: moves the focus to an element when the focused one has disappeared. */
export function keepFocus(fallbackId: string): void {
  requestAnimationFrame(() => {
    const { activeElement } = document;
    if (activeElement === null || activeElement === document.body) document.getElementById(fallbackId)?.focus();
  });
}
