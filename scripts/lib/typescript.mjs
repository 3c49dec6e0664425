/**
 * `node --import ./scripts/lib/typescript.mjs file.ts` runs TypeScript directly, compiled on load with the options of
 * the build (.swcrc). Tests and benchmarks start their processes with it; the product itself runs from dist.
 */
import { register } from 'node:module';

register('./typescript-hooks.mjs', import.meta.url);
