import { describe, expect, it } from '@jest/globals';
import { Retries } from './retries.js';

/** Images by number. Those in `failing` cannot be worked on. */
function setUp({ images, failing }: { readonly images: number; readonly failing: readonly number[] }) {
  const waiting = new Set(Array.from({ length: images }, (_, index) => index));
  const tried: number[] = [];
  const broken = new Set(failing);
  const retries = new Retries<number>(
    async (limit, skip) => [...waiting].slice(skip, skip + limit),
    async (image) => {
      tried.push(image);
      return !broken.has(image) && waiting.delete(image);
    },
  );
  const sweep = () => retries.sweep(() => false);
  return { waiting, broken, tried, retries, sweep };
}

const first = (count: number) => Array.from({ length: count }, (_, index) => index);

describe('Retries', () => {
  it('works on all pages in one sweep and tries images that fail once', async () => {
    const { waiting, tried, sweep } = setUp({ images: 120, failing: [3, 70] });
    await sweep();
    expect([...waiting]).toEqual([3, 70]);
    expect(tried).toHaveLength(120);
  });

  it('ends at a page that fails and goes on behind it in the next sweep', async () => {
    const { waiting, tried, sweep } = setUp({ images: 80, failing: first(60) });
    await sweep();
    expect(tried).toHaveLength(50);
    await sweep();
    expect([...waiting]).toEqual(first(60));
  });

  it('begins again with the images that have failed after the last page', async () => {
    const { waiting, broken, sweep } = setUp({ images: 60, failing: first(55) });
    await sweep();
    await sweep();
    broken.clear();
    await sweep();
    await sweep();
    expect([...waiting]).toEqual([]);
  });

  it('reads nothing when the process stops', async () => {
    const { tried, retries } = setUp({ images: 1, failing: [] });
    await retries.sweep(() => true);
    expect(tried).toEqual([]);
  });
});
