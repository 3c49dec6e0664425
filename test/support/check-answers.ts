/**
 * Jest loads this file for each spec of `integration` (`setupFilesAfterEnv`). Modules that specs import are loaded once
 * a worker, so hooks that they register would run for the first spec of the worker only.
 */
import { afterEach, expect } from '@jest/globals';
import { takeAnswerProblems } from './validate-answers.js';

afterEach(() => {
  expect(takeAnswerProblems()).toEqual([]);
});
