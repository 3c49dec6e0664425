import { expect, it } from '@jest/globals';
import { axisMarks } from './axis.js';

it.each([
  [0, [0, 1, 2]],
  [2, [0, 1, 2]],
  [3, [0, 2, 4]],
  [9, [0, 5, 10]],
  [10, [0, 5, 10]],
  [17, [0, 10, 20]],
  [2950, [0, 2000, 4000]],
  [9900, [0, 5000, 10_000]],
])('axisMarks(%i) are %j', (highest, marks) => {
  expect(axisMarks(highest)).toEqual(marks);
});
