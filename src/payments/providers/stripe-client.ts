import { type FactoryProvider } from '@nestjs/common';
import type Stripe from 'stripe';
import { PROVIDER_SETTINGS, type ProviderSettings } from '../../platform/config/provider-settings.js';
import { createStripe } from './stripe.js';

/** Injection token of the processor's SDK. */
export const STRIPE = Symbol('STRIPE');

export const stripeProvider: FactoryProvider<Stripe> = {
  provide: STRIPE,
  inject: [PROVIDER_SETTINGS],
  useFactory: ({ stripe }: ProviderSettings) => createStripe(stripe),
};
