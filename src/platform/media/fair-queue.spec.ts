import { describe, expect, it } from '@jest/globals';
import { FairQueue } from './fair-queue.js';

const queue = (limits: Partial<ConstructorParameters<typeof FairQueue>[0]> = {}): FairQueue =>
  new FairQueue({ running: 2, runningEach: 1, waiting: 64, waitingEach: 8, ...limits });

/** Begins and ends works one by one, and returns them. */
function order(works: FairQueue): string[] {
  const seen: string[] = [];
  for (let work = works.next(); work !== null; work = works.next()) {
    seen.push(work);
    works.end(work);
  }
  return seen;
}

describe('FairQueue', () => {
  it('lets clients take turns, regardless of how many works each has', () => {
    const works = queue();
    for (const work of ['a1', 'a2', 'a3']) expect(works.enter('a', work)).toBeNull();
    for (const work of ['b1', 'b2']) works.enter('b', work);
    works.enter('c', 'c1');
    expect(order(works)).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
  });

  it('leaves a place to others while one client has works that wait', () => {
    const works = queue();
    for (const work of ['a1', 'a2']) works.enter('a', work);
    expect([works.next(), works.next()]).toEqual(['a1', null]);
    works.enter('b', 'b1');
    expect([works.next(), works.next()]).toEqual(['b1', null]);
    works.end('a1');
    expect(works.next()).toBe('a2');
  });

  it('runs no more works at once than it may', () => {
    const works = queue();
    for (const client of ['a', 'b', 'c']) works.enter(client, `${client}1`);
    expect([works.next(), works.next(), works.next()]).toEqual(['a1', 'b1', null]);
    works.end('b1');
    expect(works.next()).toBe('c1');
  });

  it('refuses what one client or all clients wait for beyond the limits', () => {
    const works = queue({ waiting: 3, waitingEach: 2 });
    expect(['a1', 'a2', 'a3', 'a1'].map((work) => works.enter('a', work))).toEqual([
      ...[null, null, 'too many of this client', null],
    ]);
    expect(['b1', 'b2'].map((work) => works.enter('b', work))).toEqual([null, 'too many']);
    works.next();
    expect(works.enter('b', 'b2')).toBeNull();
  });

  it('runs a work once for all who wait for it, in the first turn of any of them', () => {
    const works = queue();
    for (const work of ['a1', 'a2', 'shared']) works.enter('a', work);
    works.enter('b', 'shared');
    expect([works.next(), works.next()]).toEqual(['a1', 'shared']);
    expect(works.enter('c', 'shared')).toBeNull();
    works.end('a1');
    works.end('shared');
    expect(order(works)).toEqual(['a2']);
  });

  it('drops a work for which no client waits any more', () => {
    const works = queue();
    works.enter('a', 'a1');
    for (const client of ['a', 'b']) works.enter(client, 'shared');
    works.leave('a', 'a1');
    works.leave('a', 'shared');
    works.leave('c', 'shared');
    expect(order(works)).toEqual(['shared']);
  });
});
