import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Deadlines } from './deadlines.js';

interface Work {
  readonly name: string;
  readonly deadline: number;
}

describe('Deadlines', () => {
  let late: string[];
  let deadlines: Deadlines<Work>;
  const begin = (name: string, ms: number): Work => {
    const work = { name, deadline: performance.now() + ms };
    deadlines.add(work);
    return work;
  };

  beforeEach(() => {
    jest.useFakeTimers();
    late = [];
    deadlines = new Deadlines(({ name }) => late.push(name));
  });
  afterEach(() => {
    deadlines.close();
    jest.useRealTimers();
  });

  it('reports late work, and no work that was deleted before its deadline', () => {
    begin('slow', 100);
    const quick = begin('quick', 100);
    jest.advanceTimersByTime(50);
    begin('later', 100);
    deadlines.delete(quick);
    jest.advanceTimersByTime(50);
    expect(late).toEqual(['slow']);
    jest.advanceTimersByTime(50);
    expect(late).toEqual(['slow', 'later']);
  });

  it('reports work on time when work with a later deadline was added before', () => {
    begin('patient', 1_000);
    begin('hasty', 10);
    jest.advanceTimersByTime(10);
    expect(late).toEqual(['hasty']);
    jest.advanceTimersByTime(990);
    expect(late).toEqual(['hasty', 'patient']);
  });

  it('watches work that is added while late work is reported', () => {
    deadlines.close();
    deadlines = new Deadlines(({ name }) => {
      late.push(name);
      if (late.length === 1) begin('second', 5);
    });
    begin('first', 10);
    jest.advanceTimersByTime(15);
    expect(late).toEqual(['first', 'second']);
  });
});
