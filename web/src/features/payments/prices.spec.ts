import { describe, expect, it } from '@jest/globals';
import { commonPricePerCredit, formatPrice, imagesFor, pricePerCredit } from './prices.js';

const bundle = (credits: number, dollars: number) => ({
  id: String(credits),
  name: '',
  credits,
  price: dollars,
  description: '',
  popular: false,
});

describe('formatPrice', () => {
  it('writes whole dollars without decimals', () => {
    expect([formatPrice(10), formatPrice(1250), formatPrice(9.5)]).toEqual(['$10', '$1,250', '$9.50']);
  });
});

describe('price per credit', () => {
  it('uses cents below a dollar', () => {
    expect([bundle(100, 10), bundle(750, 60), bundle(100, 1), bundle(3, 5)].map(pricePerCredit)).toEqual([
      '10 cents',
      '8 cents',
      '1 cent',
      '$1.67',
    ]);
  });

  it('returns a common price only when it is the same in all bundles', () => {
    expect(commonPricePerCredit([bundle(100, 10), bundle(250, 25), bundle(750, 75)])).toBe('10 cents');
    expect(commonPricePerCredit([bundle(100, 10), bundle(750, 60)])).toBeNull();
    expect(commonPricePerCredit([])).toBeNull();
  });
});

describe('imagesFor', () => {
  it('counts whole images', () => {
    expect([100, 99, 9].map((credits) => imagesFor(credits, 10))).toEqual([10, 9, 0]);
  });
});
