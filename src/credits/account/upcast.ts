/** Data of an event with the version of its shape. */
type Versioned = object & { readonly schemaVersion?: unknown };

/** Converts data of one version to the next, by type and version. Pure: never changes its argument. */
export type Upcasters = Readonly<
  Record<string, Readonly<Record<number, (data: Readonly<Record<string, unknown>>) => object>>>
>;

/** The stream holds an event that this program cannot read. Skipping it would give a wrong balance. */
export class UnreadableEventError extends Error {
  constructor(type: string, schemaVersion: unknown) {
    super(`Event ${type} of schema version ${String(schemaVersion)} is not known to this version of the program.`);
    this.name = 'UnreadableEventError';
  }
}

/**
 * Converts an event to the newest version of its type, step by step from the stored version.
 * @param newest the newest known version of each type
 * @throws UnreadableEventError for an unknown type or version, or when an upcaster is missing
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

/**
 * Makes the function that reads the events of a kind of stream. It upcasts a stored event to the newest version of its
 * type; the stored event does not change. It throws UnreadableEventError for unknown types and versions, which a newer
 * program wrote.
 * @param newest the newest version of each type. New events have this version
 */
export function eventReader<Event extends { readonly type: string; readonly data: object }>(
  newest: Readonly<Record<Event['type'], number>>,
  upcasters: Upcasters = {},
): (stored: { readonly type: string; readonly data: object }) => Event {
  return (stored) => upcast(stored, newest, upcasters) as Event;
}

function isVersion(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 1;
}
