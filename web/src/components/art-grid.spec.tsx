import { afterEach, describe, expect, it } from '@jest/globals';
import { cleanup, render } from '@testing-library/react';
import { RowFiller } from './art-grid.js';

/** The widths at which the rest of the row is filled: two, three and four columns. */
function filledAt(count: number): number[] {
  const { container } = render(
    <ul>
      <RowFiller count={count}>more</RowFiller>
    </ul>,
  );
  const classes = container.querySelector('li')?.className ?? '';
  return [
    [2, 'xs:max-md:block'],
    [3, 'md:max-lg:block'],
    [4, 'lg:block'],
  ].flatMap(([columns, name]) => (classes.split(' ').includes(name as string) ? [columns as number] : []));
}

describe('RowFiller', () => {
  afterEach(cleanup);

  it.each([
    [1, []],
    [2, []],
    [3, [2]],
    [4, [3]],
    [5, [2, 4]],
    [9, [2, 4]],
    [10, [3]],
    [13, [2, 3, 4]],
    [24, []],
  ])('fills the rest of a row with a single square, after %i squares', (count, columns) => {
    expect(filledAt(count)).toEqual(columns);
  });
});
