/**
 * Makes `getComputedStyle` of jsdom cheaper. Testing Library and axe call it for each element that they look at, and
 * read few properties. All values are jsdom's, which keeps the declaration of an element until the document changes.
 */
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const { implForWrapper } = require('jsdom/lib/jsdom/living/generated/utils.js');
const { getDeclarationForElement, getResolvedValue } = require('jsdom/lib/jsdom/living/helpers/style-rules.js');

/** Properties that Testing Library and axe read, apart from `visibility`, which is inherited. */
const DECLARED = new Set([
  ...['display', 'content-visibility', 'opacity', 'position', 'direction'],
  ...['height', 'width', 'overflow', 'clip', 'clip-path'],
]);
/** Matches a selector of names, such as `ol > li` or `input[type="radio"]:focus`, and captures the last name. */
const NAMES = /^(?:[\w\s>]*[\s>])?([a-z]\w*)(?:\[[\w="]+\]|:[a-z]+)*$/;

/** @param {import('jsdom').DOMWindow} window */
export function makeStylesCheaper(window) {
  const { getComputedStyle } = window;
  // jsdom makes its matcher of selectors here.
  const shape = Object.getPrototypeOf(getComputedStyle(window.document.documentElement));
  matchNamesFirst(implForWrapper(window.document)._nwsapiDontThrow);
  window.getComputedStyle = (element, pseudoElement) => {
    const node = implForWrapper(element);
    if (node?.nodeType !== window.Node.ELEMENT_NODE || pseudoElement) return getComputedStyle(element, pseudoElement);
    return lazyStyle(node, shape, () => getComputedStyle(element));
  };
}

/** @returns {CSSStyleDeclaration} jsdom computes it when another property is read than those above */
function lazyStyle(node, shape, compute) {
  let computed;
  const fullStyle = () => (computed ??= compute());
  const getPropertyValue = (property) => {
    if (property === 'visibility') return getResolvedValue(node, property);
    if (DECLARED.has(property)) return getDeclarationForElement(node).getPropertyValue(property);
    return fullStyle().getPropertyValue(property);
  };
  return new Proxy(Object.create(shape), {
    get(_target, name) {
      if (name === 'getPropertyValue') return getPropertyValue;
      return name === 'visibility' || DECLARED.has(name) ? getPropertyValue(name) : Reflect.get(fullStyle(), name);
    },
    has: (_target, name) => Reflect.has(fullStyle(), name),
    ownKeys: () => Reflect.ownKeys(fullStyle()),
    getOwnPropertyDescriptor(_target, name) {
      const descriptor = Reflect.getOwnPropertyDescriptor(fullStyle(), name);
      return descriptor && { ...descriptor, configurable: true };
    },
    set: () => false,
  });
}

/** Compares an element only with the selectors that end in its name. jsdom's default style sheet has a hundred. */
function matchNamesFirst(matcher) {
  const { match } = matcher;
  /** The names by the selector; null for a selector of another form. @type {Map<string, Set<string> | null>} */
  const known = new Map();
  matcher.match = (selector, element) => {
    let names = known.get(selector);
    if (names === undefined) {
      const parts = selector.split(',').map((part) => NAMES.exec(part.trim())?.[1]);
      names = parts.includes(undefined) ? null : new Set(parts);
      known.set(selector, names);
    }
    return (names === null || names.has(element.localName)) && match(selector, element);
  };
}
