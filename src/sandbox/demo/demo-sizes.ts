/** Progress of the seed, below the folder of the sandboxes. */
export const SEED_FILE = 'demo-seed.json';

/** Number of demo creators, of pictures in each gallery, and of what the past has. */
export const DEMO_SIZES = {
  full: { creators: 8, pictures: 9, fans: 40, imagesPerMonth: 60 },
  /** A thousand fans: for the comparison of all books at full length (`npm run soak`). */
  large: { creators: 8, pictures: 9, fans: 1000, imagesPerMonth: 3000 },
  small: { creators: 2, pictures: 3, fans: 12, imagesPerMonth: 20 },
} as const;
