// Each export is a provider of the module: export nothing else here.
export { CloseBuyerHandler } from './close-buyer.js';
export { CreateCheckoutHandler } from './create-checkout.js';
export { DismissProblemHandler } from './dismiss-problem.js';
export { EndCheckoutsHandler } from './end-checkouts.js';
export { ForgetBuyerHandler } from './forget-buyer.js';
export { LookUpCheckoutHandler } from './look-up-checkout.js';
export { RefundPurchaseHandler } from './refund-purchase.js';
export { RefundUnspentHandler } from './refund-unspent.js';
export { RetryCheckoutHandler } from './retry-checkout.js';
export { SuspendBuyerHandler } from './suspend-buyer.js';
