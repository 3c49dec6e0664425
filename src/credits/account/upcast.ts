/** Data of an event with the version of its shape. */
type Versioned = object & { readonly schemaVersion?: unknown };

/** By type and version: the data of that version as the next version has it. Pure, and never changes what it is given. */
export type Upcasters = Readonly<
  Record<string, Readonly<Record<number, (data: Readonly<Record<string, unknown>>) => object>>>
>;

/** The stream holds something this version of the program cannot read; going on would misjudge the balance. */
export class UnreadableEventError extends Error {
  constructor(type: string, schemaVersion: unknown) {
    super(`Event ${type} of schema version ${String(schemaVersion)} is not known to this version of the program.`);
    this.name = 'UnreadableEventError';
  }
}

/**
 * The event in the newest version of its type, step by step from the version that was stored.
 * @param newest the version of each type that the program knows
 * @throws UnreadableEventError for a type or version that the program does not know, or that nothing leads on from
 */
export function upcast<Stored extends { readonly type: string; readonly data: object }>(
  stored: Stored,
  newest: Readonly<Record<string, number>>,
  upcasters: Upcasters,
): { readonly type: string; readonly data: object } {
  const { type } = stored;
  const { schemaVersion } = stored.data as Versioned;
  const target = Object.hasOwn(newest, type) ? newest[type] : undefined;
  if (schemaVersion === target && target !== undefined) return stored;
  if (target === undefined || !isVersion(schemaVersion) || schemaVersion > target) {
    throw new UnreadableEventError(type, schemaVersion);
  }
  let data = stored.data;
  for (let version = schemaVersion; version < target; version += 1) {
    const step = Object.hasOwn(upcasters, type) ? upcasters[type]?.[version] : undefined;
    if (!step) throw new UnreadableEventError(type, schemaVersion);
    data = { ...step(data as Readonly<Record<string, unknown>>), schemaVersion: version + 1 };
  }
  return { ...stored, data };
}

function isVersion(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 1;
}
