import { describe, expect, it } from '@jest/globals';
import { isArtStyle } from '../art/index.js';
import { DEMO_CREATORS } from './demo-roster.js';
import { DEMO_SIZES } from './demo-sizes.js';

describe('DEMO_CREATORS', () => {
  it('gives every creator a unique name, username, e-mail, style and deployment', () => {
    for (const key of ['name', 'username', 'email', 'instagram', 'artStyle', 'deploymentName'] as const) {
      expect(new Set(DEMO_CREATORS.map((creator) => creator[key])).size).toBe(DEMO_CREATORS.length);
    }
  });

  it('gives every creator a deployment named after an art style, and a prompt for each picture', () => {
    const pictures = Math.max(...Object.values(DEMO_SIZES).map((size) => size.pictures));
    for (const creator of DEMO_CREATORS) {
      expect(isArtStyle(creator.deploymentName.split('/')[1] ?? '')).toBe(true);
      expect(new Set(creator.galleryPrompts).size).toBe(pictures);
    }
  });
});
