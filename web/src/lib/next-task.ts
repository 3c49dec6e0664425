/**
 * Resolves in a later task of the event loop. Between long pieces of work, the browser can react to the visitor.
 */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
