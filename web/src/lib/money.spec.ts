import { describe, expect, it } from '@jest/globals';
import { amount, commonPricePerCredit, imagesFor, price, pricePerCredit } from './money.js';

const bundle = (credits: number, dollars: number) => ({
  id: String(credits),
  name: '',
  credits,
  price: dollars,
  description: '',
  popular: false,
});

describe('money in words', () => {
  it('writes prices and amounts', () => {
    expect([price(10), price(1250), price(9.5)]).toEqual(['$10', '$1,250', '$9.50']);
    expect([amount(2500), amount(7), amount(123_456)]).toEqual(['$25.00', '$0.07', '$1,234.56']);
    expect(amount(2500, 'eur')).toBe('€25.00');
  });

  it('says what a credit costs, once when it is the same everywhere', () => {
    expect([bundle(100, 10), bundle(750, 60), bundle(100, 1), bundle(3, 5)].map(pricePerCredit)).toEqual([
      '10 cents',
      '8 cents',
      '1 cent',
      '$1.67',
    ]);
    expect(commonPricePerCredit([bundle(100, 10), bundle(250, 25), bundle(750, 75)])).toBe('10 cents');
    expect(commonPricePerCredit([bundle(100, 10), bundle(750, 60)])).toBeNull();
    expect(commonPricePerCredit([])).toBeNull();
  });

  it('counts whole images', () => {
    expect([100, 99, 9].map((credits) => imagesFor(credits, 10))).toEqual([10, 9, 0]);
  });
});
