import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';

/** Elements that jsdom's default style sheet selects by name, relation, attribute and state, and others. */
const ELEMENTS = `
  <h1 style="margin: 1px 2px">a</h1><section><h1>b</h1><article><h1>c</h1></article></section>
  <ul><li>a<ol><li>b<ul><li>c</li></ul></li></ol></li></ul>
  <table><tbody><tr><th>a</th><td>b</td></tr></tbody></table>
  <form><fieldset><legend>a</legend><button disabled>b</button><select><option disabled>c</option></select></fieldset></form>
  <input type="hidden"><input type="radio"><input type="search" disabled><input type="submit"><textarea dir="auto"></textarea>
  <dialog>a</dialog><dialog open>b</dialog><details><summary>a</summary>b</details>
  <p hidden>a</p><a href="/">b</a><svg><title>c</title><path d="M0 0"></path></svg>
  <div style="visibility: hidden; clip: rect(0px, 0px, 0px, 0px)"><b style="overflow: hidden; width: 1px">a</b></div>`;

/** The specs' window has `web/computed-style.mjs` in it; the window of a frame does not. */
describe('computed style', () => {
  let main: HTMLElement;
  let button: HTMLButtonElement;
  let sheet: HTMLStyleElement;
  const other = Object.assign(document.createElement('style'), {
    textContent: 'form p, .pay { visibility: hidden }',
  });
  beforeEach(() => {
    document.body.innerHTML = '<style></style><main><button class="pay">Pay</button></main><dialog></dialog>';
    button = screen.getByRole('button', { name: 'Pay' });
    main = document.querySelector('main')!;
    sheet = document.querySelector('style')!;
  });
  afterEach(() => document.body.replaceChildren());

  it.each<[string, () => void, () => void]>([
    ['an attribute', () => (button.hidden = true), () => (button.hidden = false)],
    ['a style', () => (button.style.display = 'none'), () => (button.style.display = '')],
    ['an inherited style', () => main.setAttribute('style', 'visibility: hidden'), () => main.removeAttribute('style')],
    ['an attribute of its parent', () => (main.hidden = true), () => (main.hidden = false)],
    ['the text of a style sheet', () => (sheet.textContent = '.pay { display: none }'), () => (sheet.textContent = '')],
    ['a new style sheet', () => document.head.append(other), () => other.remove()],
    ['another parent', () => document.querySelector('dialog')!.append(button), () => main.append(button)],
  ])('follows %s', (_title, hide, show) => {
    expect(screen.queryByRole('button')).not.toBeNull();
    hide();
    expect(screen.queryByRole('button')).toBeNull();
    show();
    expect(screen.queryByRole('button')).not.toBeNull();
  });

  it('follows a property that few specs read', () => {
    expect(getComputedStyle(button).marginTop).toBe('');
    button.style.marginTop = '1px';
    expect(getComputedStyle(button).marginTop).toBe('1px');
  });

  it('has the values of jsdom', () => {
    const frame = document.createElement('iframe');
    document.body.append(frame);
    const plain = frame.contentWindow!;
    main.innerHTML = ELEMENTS;
    plain.document.body.innerHTML = `<main>${ELEMENTS}</main>`;
    const stylesIn = (view: Window, root: Element) =>
      [...root.querySelectorAll('*')].map((element) => {
        const style = view.getComputedStyle(element);
        return [
          element.outerHTML,
          ...['display', 'visibility', 'clip', 'overflow', 'width', 'color'].map((name) =>
            style.getPropertyValue(name),
          ),
          style.display,
          style.visibility,
          style.marginTop,
          style.cssText,
          Array.from(style),
        ];
      });
    expect(stylesIn(window, main)).toEqual(stylesIn(plain, plain.document.querySelector('main')!));
  });
});
