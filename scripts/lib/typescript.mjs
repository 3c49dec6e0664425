/**
 * `node --import ./scripts/lib/typescript.mjs file.ts` runs TypeScript as it stands, compiled on the way in with the options of
 * the build (.swcrc). For processes that tests and benchmarks start; the product itself runs from dist.
 */
import { register } from 'node:module';

register('./typescript-hooks.mjs', import.meta.url);
