import { GENERATION_COST } from '../../../src/contract/prices.js';

/** The price of an image as a sentence, for texts that name no creator. */
export const IMAGE_PRICE = `An image costs ${GENERATION_COST} credits.`;
