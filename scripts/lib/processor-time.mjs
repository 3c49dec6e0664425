/**
 * Processor time of processes and all that they have started, from Linux's `/proc`. It counts processes that have
 * ended: the kernel adds their time to that of the parent that waited for them. Of a process that lost its parent, such
 * as the database of a killed app, the time at the last look counts, so look about once a second.
 */
import { readdirSync, readFileSync } from 'node:fs';

/** Ticks of a second in `/proc/<pid>/stat`: a constant of the kernel's interface. */
const TICKS_PER_SECOND = 100;

/** Whether this system can say what processes cost. Elsewhere only wall time is printed. */
export const hasProcessorTime = process.platform === 'linux';

/**
 * @typedef {{ pid: number, parent: number, ticks: number }} Entry
 * `ticks` are its own and those of children that it waited for
 */

export class ProcessTree {
  /** By pid and start time, because pids return. @type {Map<string, Entry>} */
  #known = new Map();
  /** Ticks of processes that ended without a parent in the tree. */
  #orphans = 0;
  #roots;

  /** @param {number[]} roots pids */
  constructor(roots) {
    this.#roots = new Set(roots);
  }

  /** @returns {number} seconds since the roots started */
  seconds() {
    const running = readProcesses();
    const members = this.#membersOf(running);
    const pids = new Set([...this.#known.values()].map(({ pid }) => pid));
    for (const [id, entry] of this.#known) {
      if (members.has(id)) continue;
      // Its parent has its time now, unless that is outside the tree.
      if (this.#roots.has(entry.pid) || !pids.has(entry.parent)) this.#orphans += entry.ticks;
    }
    this.#known = members;
    const ticks = [...members.values()].reduce((sum, entry) => sum + entry.ticks, this.#orphans);
    return ticks / TICKS_PER_SECOND;
  }

  /** @param {Map<string, Entry>} running */
  #membersOf(running) {
    /** @type {Map<number, [string, Entry][]>} */
    const children = new Map();
    /** @type {[string, Entry][]} */
    const waiting = [];
    for (const [id, entry] of running) {
      children.set(entry.parent, [...(children.get(entry.parent) ?? []), [id, entry]]);
      if (this.#roots.has(entry.pid) || this.#known.has(id)) waiting.push([id, entry]);
    }
    /** @type {Map<string, Entry>} */
    const members = new Map();
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const [id, entry] = next;
      if (members.has(id)) continue;
      members.set(id, entry);
      waiting.push(...(children.get(entry.pid) ?? []));
    }
    return members;
  }
}

/** @returns {Map<string, Entry>} */
function readProcesses() {
  /** @type {Map<string, Entry>} */
  const found = new Map();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = readStat(name);
    if (!stat) continue;
    // Fields 4, 14 to 17 and 22 of proc_pid_stat(5); the name before them may contain spaces.
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const parent = fields[1] ?? 0;
    const start = fields[19] ?? 0;
    const ticks = fields.slice(11, 15).reduce((sum, each) => sum + each, 0);
    found.set(`${name}:${start}`, { pid: Number(name), parent, ticks });
  }
  return found;
}

/** @param {string} pid */
function readStat(pid) {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return null; // ended since the listing
  }
}
