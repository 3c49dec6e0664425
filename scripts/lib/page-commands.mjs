/**
 * @typedef {object} PageCommands
 * @property {string} section the heading above the commands
 * @property {number} line of their first line in the page, from 1
 * @property {string} text
 */

/**
 * Reads the blocks of commands of a page, those between ```sh and ```, in their order. Blocks of other languages are
 * to be read only.
 * @param {string} page
 * @returns {PageCommands[]}
 */
export function commandsOf(page) {
  /** @type {PageCommands[]} */
  const found = [];
  let section = '';
  /** @type {PageCommands | null} */
  let open = null;
  let isOther = false;
  for (const [index, line] of page.split('\n').entries()) {
    if (open) {
      if (line === '```') open = null;
      else open.text += `${line}\n`;
    } else if (line.startsWith('```')) {
      if (line === '```sh') found.push((open = { section, line: index + 2, text: '' }));
      else isOther = !isOther;
    } else if (!isOther && line.startsWith('#')) section = line.replace(/^#+ /, '');
  }
  return found;
}
