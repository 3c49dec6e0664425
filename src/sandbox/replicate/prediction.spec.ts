import { describe, expect, it } from '@jest/globals';
import { readFaults, withoutMarkers } from './faults.js';
import { createRecord, type NewPrediction, nextStep, type PredictionRecord, RETENTION_MS } from './prediction.js';

const NOW = Date.parse('2026-11-20T12:00:00Z');

function made(prompt: string, change: Partial<NewPrediction> = {}): PredictionRecord {
  const request: NewPrediction = {
    target: { deployment: 'fanvas-demo/flow', model: 'fanvas-demo/flow', version: 'hidden' },
    input: { prompt },
    webhook: null,
    webhookEvents: ['completed'],
    cancelAfterMs: null,
    ...change,
  };
  return createRecord(request, { coldMs: 800, runMs: 2_000 }, NOW);
}

const running = (prompt: string, change: Partial<NewPrediction> = {}): PredictionRecord => ({
  ...made(prompt, change),
  status: 'processing',
  startedAt: NOW + 800,
});

describe('nextStep', () => {
  it('schedules the start after the cold phase', () => {
    expect(nextStep(made('wind'))).toEqual({ kind: 'start', at: NOW + 800 });
    expect(nextStep(made('wind [[cold:9000]]'))).toEqual({ kind: 'start', at: NOW + 9_000 });
  });

  it('schedules three progress lines and then the drawing', () => {
    const record = running('wind');
    const seen = [];
    for (let step = nextStep(record); step && step.kind === 'log'; step = nextStep(record)) {
      seen.push(step.at - NOW - 800);
      record.logs += `${step.line}%|\n`;
    }
    expect(seen).toEqual([500, 1_000, 1_500]);
    expect(nextStep(record)).toEqual({ kind: 'draw', at: NOW + 2_800 });
  });

  it('schedules the deadline before and after the start', () => {
    expect(nextStep(made('wind [[cold:9000]]', { cancelAfterMs: 5_000 }))).toEqual({
      kind: 'deadline',
      at: NOW + 5_000,
    });
    const endless = { ...running('[[timeout]]', { cancelAfterMs: 5_000 }), runMs: 0 };
    expect(nextStep(endless)).toEqual({ kind: 'deadline', at: NOW + 5_000 });
  });

  it('limits a run without a deadline to half an hour', () => {
    expect(nextStep({ ...running('[[hang]]'), runMs: 0 })).toEqual({ kind: 'deadline', at: NOW + 800 + 1_800_000 });
  });

  it('removes the data of an ended prediction once', () => {
    const done: PredictionRecord = { ...running('wind'), status: 'succeeded', completedAt: NOW + 3_000 };
    expect(nextStep(done)).toEqual({ kind: 'expire', at: NOW + 3_000 + RETENTION_MS });
    expect(nextStep({ ...done, dataRemoved: true })).toBeNull();
  });
});

describe('readFaults', () => {
  it('reads known markers with their milliseconds and takes other brackets as text', () => {
    expect(readFaults('a [[slow:8000]] fox [[nsfw]] [[unknown]] [oom]')).toEqual({ slow: 8_000, nsfw: true });
    expect(readFaults(undefined)).toEqual({});
  });
});

describe('withoutMarkers', () => {
  it('removes the markers from the prompt', () => {
    expect(withoutMarkers('a fox [[slow:8000]]')).toBe('a fox');
  });
});
