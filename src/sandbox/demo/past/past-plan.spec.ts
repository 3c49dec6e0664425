import { describe, expect, it } from '@jest/globals';
import { DEMO_SIZES } from '../demo-sizes.js';
import { fanAccount } from './past-fans.js';
import { imagesOf, planPast } from './past-plan.js';

const NOW = new Date('2026-11-22T20:00:00Z');
const { imagesPerMonth, ...FULL } = DEMO_SIZES.full;
const SIZE = { ...FULL, months: 10, images: 10 * imagesPerMonth };
const steps = planPast(SIZE, NOW);

describe('planPast', () => {
  it('gives the same plan for the same size, moved in time', () => {
    expect(planPast(SIZE, NOW)).toEqual(steps);
    const later = planPast(SIZE, new Date(NOW.getTime() + 86_400_000));
    expect(later.map(({ kind }) => kind)).toEqual(steps.map(({ kind }) => kind));
  });

  it.each([2, 10, 24])('plans %s months with all their images, from then to now', (months) => {
    const plan = planPast({ ...SIZE, months, images: months * imagesPerMonth }, NOW);
    expect(plan.reduce((sum, step) => sum + imagesOf(step), 0)).toBe(months * imagesPerMonth);
    expect(plan.map(({ at }) => at)).toEqual(plan.map(({ at }) => at).sort((a, b) => a - b));
    expect(plan[0]?.at).toBe(NOW.getTime() - months * (365.25 / 12) * 86_400_000);
    expect(plan.at(-1)?.at).toBeLessThanOrEqual(NOW.getTime() - 7_200_000);
  });

  it('plans fewer images for the first half than for the second', () => {
    const middle = NOW.getTime() - 5 * (365.25 / 12) * 86_400_000;
    const early = steps.filter(({ at }) => at < middle).reduce((sum, step) => sum + imagesOf(step), 0);
    expect(early).toBeLessThan(SIZE.images * 0.45);
  });

  it('uses pictures and creators only after they exist', () => {
    const drawn = new Map<number, number>();
    for (const step of steps) {
      if (step.kind === 'join' || step.kind === 'draw') {
        expect(step.pictures[0]).toBe(drawn.get(step.creator) ?? 0);
        drawn.set(step.creator, (step.pictures.at(-1) ?? 0) + 1);
      } else if (step.kind === 'visit') {
        for (const { picture } of step.images) expect(picture).toBeLessThan(drawn.get(step.creator) ?? 0);
      }
    }
    expect([...drawn.values()]).toEqual(Array.from({ length: SIZE.creators }, () => SIZE.pictures));
  });

  it('has failures, a cancel, a refund, a correction, a dispute that is won, and one that is lost', () => {
    const ends = new Set(steps.flatMap((step) => (step.kind === 'visit' ? step.images.map(({ end }) => end) : [])));
    expect(ends).toEqual(new Set(['completed', 'failed', 'cancelled']));
    expect(steps.flatMap((step) => (step.kind === 'decision' ? [step.outcome] : []))).toEqual(['won', 'lost']);
    expect(steps.filter(({ kind }) => kind === 'refund')).toHaveLength(1);
    expect(steps.filter(({ kind }) => kind === 'correction')).toHaveLength(1);
  });

  it('plans 25 stories for a thousand fans, each with fans of its own', () => {
    const { imagesPerMonth: monthly, ...large } = DEMO_SIZES.large;
    const plan = planPast({ ...large, months: 3, images: 3 * monthly }, NOW);
    expect(plan.reduce((sum, step) => sum + imagesOf(step), 0)).toBe(3 * monthly);
    const lost = plan.flatMap((step) => (step.kind === 'decision' && step.outcome === 'lost' ? [step.fan] : []));
    const refunded = plan.flatMap((step) => (step.kind === 'refund' ? [step.fan] : []));
    expect(new Set([...lost, ...refunded]).size).toBe(50);
    const guests = new Set(plan.flatMap((step) => (step.kind === 'visit' ? [step.fan] : [])));
    expect(guests.size).toBeGreaterThan(800);
  });

  it('drafts, checks and pays two payout runs, and leaves the third one to a second person', () => {
    const stages = steps.flatMap((step) => (step.kind === 'payouts' ? [`${step.run} ${step.stage}`] : []));
    expect(stages).toEqual(['1 prepare', '1 send', '1 record', '2 prepare', '2 send', '2 record', '3 prepare']);
  });

  it('leaves a day between two visits of a fan', () => {
    const visits = steps.flatMap((step) =>
      step.kind === 'visit' ? [`${step.fan} ${Math.floor(step.at / 864e5)}`] : [],
    );
    expect(new Set(visits).size).toBe(visits.length);
  });
});

describe('fanAccount', () => {
  it('gives every fan an address of their own, and the first one that of the demo fan', () => {
    const emails = Array.from({ length: SIZE.fans }, (_, fan) => fanAccount(fan).email);
    expect(new Set(emails).size).toBe(SIZE.fans);
    expect(emails[0]).toBe('fan@fanvas.test');
  });
});
