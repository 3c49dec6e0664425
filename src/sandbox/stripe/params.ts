import { invalid } from './problem.js';

/** A parsed form with Stripe's bracket names: `a[b][0]=x` becomes `{a: {b: {0: 'x'}}}`. */
interface Fields {
  [name: string]: string | Fields;
}

const MAX_DEPTH = 8;

/** @throws StripeProblem when a name is used both for a value and for a group */
function parseForm(encoded: string): Fields {
  const root = noFields();
  for (const [name, value] of new URLSearchParams(encoded)) {
    const path = pathOf(name);
    let group = root;
    for (const [depth, key] of path.slice(0, -1).entries()) {
      const inner = (group[key] ??= noFields());
      if (typeof inner === 'string' || depth > MAX_DEPTH) throw invalid(`Invalid request: ${name} cannot be read.`);
      group = inner;
    }
    const last = path.at(-1) ?? '';
    // `expand[]=a&expand[]=b`: a list without indexes.
    const key = last === '' ? String(Object.keys(group).length) : last;
    if (typeof group[key] === 'object') throw invalid(`Invalid request: ${name} cannot be read.`);
    group[key] = value;
  }
  return root;
}

/** Without a prototype, since names come from outside: `__proto__` is an ordinary field. */
function noFields(): Fields {
  return Object.create(null) as Fields;
}

function pathOf(name: string): string[] {
  const [head = '', ...rest] = name.split('[');
  return [head, ...rest.map((part) => part.replace(/\]$/, ''))];
}

/**
 * The parameters of one call, read by name. `refuseUnknown()` rejects parameters that were never read, as Stripe does,
 * so the sandbox never ignores a parameter silently.
 */
export class Params {
  private readonly known = new Set<string>();

  private constructor(
    private readonly fields: Fields,
    private readonly prefix: string,
    private readonly groups: Params[] = [],
  ) {}

  /** @param encoded a form body, or a query without its question mark */
  static parse(encoded: string): Params {
    return new Params(parseForm(encoded), '');
  }

  hasGroup(name: string): boolean {
    return typeof this.fields[name] === 'object';
  }

  /** Null when absent. */
  text(name: string, { max = 5000 }: { readonly max?: number } = {}): string | null {
    this.known.add(name);
    const value = this.fields[name];
    if (value === undefined) return null;
    const param = this.nameOf(name);
    if (typeof value !== 'string') throw invalid(`Invalid string: ${param} must be a string`, { param });
    if (value === '') {
      const message = `You passed an empty string for '${param}'. We assume empty values are an attempt to unset a parameter; however '${param}' cannot be unset. You should remove '${param}' from your request or supply a non-empty value.`;
      throw invalid(message, { param, code: 'parameter_invalid_empty' });
    }
    if (value.length > max) {
      const message = `Invalid string: ${param} must be at most ${max} characters`;
      throw invalid(message, { param, code: 'parameter_invalid_string_too_long' });
    }
    return value;
  }

  required(name: string): string {
    return this.text(name) ?? this.missing(name);
  }

  oneOf<const T extends string>(name: string, allowed: readonly T[]): T | null {
    const value = this.text(name);
    const found = allowed.find((candidate) => candidate === value);
    if (value !== null && found === undefined) {
      const param = this.nameOf(name);
      throw invalid(`Invalid ${param}: must be one of ${allowed.join(', ')}`, { param });
    }
    return found ?? null;
  }

  integer(name: string): number | null {
    const value = this.text(name);
    if (value === null) return null;
    if (!/^-?\d{1,15}$/.test(value)) {
      const param = this.nameOf(name);
      throw invalid(`Invalid integer: ${value}`, { param, code: 'parameter_invalid_integer' });
    }
    return Number(value);
  }

  /** Null when absent. */
  group(name: string): Params | null {
    this.known.add(name);
    const value = this.fields[name];
    if (value === undefined) return null;
    const param = this.nameOf(name);
    if (typeof value === 'string') throw invalid(`Invalid object`, { param });
    const group = new Params(value, param);
    this.groups.push(group);
    return group;
  }

  /** A numbered list of groups; empty when absent. */
  listOfGroups(name: string): Params[] {
    const list = this.group(name);
    return list ? list.indexes().map((index) => list.group(index) ?? list.missing(index)) : [];
  }

  /** A numbered list of strings; empty when absent. */
  listOfTexts(name: string): string[] {
    const list = this.group(name);
    return list ? list.indexes().map((index) => list.required(index)) : [];
  }

  /** The caller's own names and values. A name with an empty value is left out. */
  metadata(name = 'metadata'): Record<string, string> {
    const group = this.group(name);
    if (!group) return {};
    const names = Object.keys(group.fields);
    const param = this.nameOf(name);
    if (names.length > 50) throw invalid('You may only specify up to 50 metadata keys.', { param });
    const entries = names.flatMap((key): [string, string][] => {
      if (key.length > 40) throw invalid(`Metadata keys can be at most 40 characters: ${key}`, { param });
      group.known.add(key);
      return group.fields[key] === '' ? [] : [[key, group.text(key, { max: 500 }) ?? '']];
    });
    return Object.fromEntries(entries);
  }

  /** @throws StripeProblem for a parameter that was never read */
  refuseUnknown(): void {
    const unknown = Object.keys(this.fields).find((name) => !this.known.has(name));
    if (unknown !== undefined) {
      const param = this.nameOf(unknown);
      throw invalid(`Received unknown parameter: ${param}`, { param, code: 'parameter_unknown' });
    }
    for (const group of this.groups) group.refuseUnknown();
  }

  missing(name: string): never {
    const param = this.nameOf(name);
    throw invalid(`Missing required param: ${param}.`, { param, code: 'parameter_missing' });
  }

  nameOf(name: string): string {
    return this.prefix === '' ? name : `${this.prefix}[${name}]`;
  }

  /** Equal for two calls with the same parameters in any order. */
  fingerprint(): string {
    return JSON.stringify(sorted(this.fields));
  }

  private indexes(): string[] {
    const indexes = Object.keys(this.fields);
    if (!indexes.every((index) => /^\d{1,4}$/.test(index))) throw invalid('Invalid array', { param: this.prefix });
    return indexes.sort((a, b) => Number(a) - Number(b));
  }
}

function sorted(fields: string | Fields): unknown {
  if (typeof fields === 'string') return fields;
  const entries = Object.entries(fields).map(([name, value]): [string, unknown] => [name, sorted(value)]);
  return entries.sort(([a], [b]) => (a < b ? -1 : 1));
}
