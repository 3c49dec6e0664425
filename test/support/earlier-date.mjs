/**
 * Preloaded with `node --import`: this process lives `EARLIER_BY_MS` milliseconds before the present. All of its code
 * sees that time, the SDKs of the providers included.
 */
const by = Number(process.env.EARLIER_BY_MS);
if (!(by > 0)) throw new Error('Set EARLIER_BY_MS.');
const Present = Date;
const now = () => Present.now() - by;

globalThis.Date = new Proxy(Present, {
  construct: (target, parts, newTarget) => Reflect.construct(target, parts.length === 0 ? [now()] : parts, newTarget),
  get: (target, key, receiver) => (key === 'now' ? now : Reflect.get(target, key, receiver)),
});
