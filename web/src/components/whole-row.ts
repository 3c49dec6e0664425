/**
 * Props for a row of a table that is as large as its link or button, the element with `data-row`. A click elsewhere in
 * the row clicks it, with the same modifier keys. An overlay cannot do this: in WebKit no part of a table holds an
 * absolutely positioned element, so the overlay of each row covers the page.
 */
export const WHOLE_ROW = { onClick: clickRow };

function clickRow(event: React.MouseEvent<HTMLElement>): void {
  const { target, currentTarget, ctrlKey, metaKey, shiftKey, altKey } = event;
  if (!(target instanceof Element) || target.closest('a, button, input, label') !== null) return;
  // The end of a selection of text
  if (getSelection()?.isCollapsed === false) return;
  currentTarget
    .querySelector('[data-row]')
    ?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey, altKey }));
}
