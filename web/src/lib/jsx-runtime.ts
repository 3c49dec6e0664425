/**
 * React's JSX runtime, for elements whose children are several pieces of text: they become one. A program that
 * translates pages replaces text nodes, and React never finds the pieces again. It replaces a single text as a whole.
 */
import { Fragment, jsx, jsxs as reactJsxs, type JSX } from 'react/jsx-runtime';

export { Fragment, jsx, type JSX };

const isText = (child: unknown): boolean =>
  child == null || typeof child === 'string' || typeof child === 'number' || typeof child === 'boolean';

export const jsxs: typeof reactJsxs = (type, props, key) => {
  const { children } = props as { readonly children: readonly unknown[] };
  if (!children.every(isText)) return reactJsxs(type, props, key);
  const text = children.filter((child) => typeof child !== 'boolean').join('');
  return jsx(type, { ...(props as object), children: text }, key);
};
