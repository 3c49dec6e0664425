/**
 * Translates the page as Chrome does: puts a `<font>` with a new text in place of each text node, now and after each
 * change. Runs in a browser too, so it uses nothing of this module.
 */
export function translatePage(): void {
  const translate = (node: Node): void => {
    if (node instanceof Text) {
      const parent = node.parentElement;
      if (node.data.trim() === '' || !parent) return;
      if (parent.closest('font, script, style, title, textarea, svg, [translate="no"]')) return;
      const font = document.createElement('font');
      font.append(node.data);
      node.replaceWith(font);
    } else {
      // A list of its own: the children change meanwhile.
      for (const child of [...node.childNodes]) translate(child);
    }
  };
  translate(document.body);
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes) for (const node of addedNodes) translate(node);
  }).observe(document.body, { childList: true, subtree: true });
}

/** A text node that React keeps. It replaces the text of an element that has nothing else as a whole. */
const isKept = (node: Node | null): node is Text =>
  node instanceof Text &&
  Object.keys(node).some((key) => key.startsWith('__reactFiber$')) &&
  node.parentElement?.closest('[translate="no"]') === null;

const faults: string[] = [];

/** Notes each change by React that a translated page would not show, or that would end it with an error. */
export function watchTexts(): void {
  // oxlint-disable-next-line typescript/unbound-method -- called with the node
  const { insertBefore, removeChild } = Node.prototype;
  const note = (act: string, node: Node | null): void => {
    if (isKept(node)) faults.push(`React ${act} the text "${node.data}" in: ${node.parentElement?.outerHTML}`);
  };
  Node.prototype.insertBefore = function <T extends Node>(this: Node, node: T, next: Node | null): T {
    note('inserts something before', next);
    return insertBefore.call(this, node, next) as T;
  };
  Node.prototype.removeChild = function <T extends Node>(this: Node, node: T): T {
    note('removes', node);
    return removeChild.call(this, node) as T;
  };
  const nodeValue = Object.getOwnPropertyDescriptor(Node.prototype, 'nodeValue')!;
  Object.defineProperty(Node.prototype, 'nodeValue', {
    ...nodeValue,
    set(this: Node, text: string | null) {
      note('changes', this);
      nodeValue.set!.call(this, text);
    },
  });
}

/** Names that the tests use; ids, handles and e-mail addresses have a form of their own. */
const NAMES =
  /Juno Abara|Nadia Voss|Rui Okafor|Sol Brandt|Ines Falk|Teo Lumen|Rafa Quill|Ada Byron|Mara Solveig|Haruto Vale|Emeka Rowe|\b(user|cs)_\w{3,}|@\w{3,}|[\da-f]{8}-[\da-f]{4}-/;

/** Notes the texts in which a program that translates the page could change a name or an id. */
export function noteNames(): void {
  const texts = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode() as Text | null; text; text = texts.nextNode() as Text | null) {
    // The look at the ancestors costs much more.
    if (!NAMES.test(text.data)) continue;
    const parent = text.parentElement;
    if (parent?.closest('[translate="no"], script, style, textarea') === null)
      faults.push(`A name or an id could be translated in: ${parent.outerHTML}`);
  }
}

/** Returns and forgets what was noted. */
export const translationFaults = (): string[] => faults.splice(0);
