import { UnreadableEvent } from './ledger/codec.js';

/**
 * How a field of an event is written: as JSON has it, or (`minor`, a bigint) as decimal digits in quotes. Events from
 * before a `later-text` was added have it empty.
 */
export type FactFieldKind =
  'text' | 'later-text' | 'number' | 'boolean' | 'minor' | 'nullable-minor' | 'nullable-number' | 'nullable-text';

/** Every field of each type of event, in the order in which they are written. */
export type FactShapes<E extends { readonly type: string }> = {
  readonly [T in E['type']]: Readonly<Record<Exclude<keyof Extract<E, { type: T }>, 'type'>, FactFieldKind>>;
};

type Field = readonly [name: string, kind: FactFieldKind];

/** An event that this version cannot read. */
export class UnreadableFact extends Error {
  override readonly name = 'UnreadableFact';
}

/** The same error with the event's place; any other error unchanged. */
export function unreadableAt(where: string, error: unknown): unknown {
  if (error instanceof UnreadableEvent) return new UnreadableEvent(`${where}: ${error.message}`, { cause: error });
  if (error instanceof UnreadableFact) return new UnreadableFact(`${where}: ${error.message}`, { cause: error });
  return error;
}

const DIGITS = /^(?:0|-?[1-9]\d*)$/;

function read(kind: FactFieldKind, value: unknown, where: string): unknown {
  switch (kind) {
    case 'nullable-minor':
      if (value === null) return null;
      return read('minor', value, where);
    case 'minor':
      if (typeof value === 'string' && DIGITS.test(value)) return BigInt(value);
      break;
    case 'later-text':
      return read('text', value ?? '', where);
    case 'text':
      if (typeof value === 'string') return value;
      break;
    case 'nullable-number':
      if (value === null || typeof value === 'number') return value;
      break;
    case 'nullable-text':
      if (value === null || typeof value === 'string') return value;
      break;
    case 'number':
    case 'boolean':
      if (typeof value === kind) return value;
      break;
  }
  throw new UnreadableFact(`${where} is no ${kind}`);
}

function parse(type: string, data: string): Record<string, unknown> {
  try {
    const raw: unknown = JSON.parse(data);
    if (typeof raw === 'object' && raw !== null && !Array.isArray(raw)) return raw as Record<string, unknown>;
  } catch (cause) {
    throw new UnreadableFact(`${type} is not JSON`, { cause });
  }
  throw new UnreadableFact(`${type} is no object`);
}

/**
 * Writes and reads the events of one family strictly: the same event always gives the same text, and reading accepts
 * nothing unknown.
 */
export class FactCodec<E extends { readonly type: string }> {
  private readonly fields: ReadonlyMap<string, readonly Field[]>;

  constructor(shapes: FactShapes<E>) {
    const known = Object.entries<Readonly<Record<string, FactFieldKind>>>(shapes);
    this.fields = new Map(known.map(([type, shape]) => [type, Object.entries(shape)]));
  }

  /** The event's data as JSON text, its fields in the order of their shape; the type is stored separately. */
  encode(event: E): string {
    const values = event as unknown as Readonly<Record<string, unknown>>;
    const fields: Record<string, unknown> = {};
    for (const [name, kind] of this.fieldsOf(event.type)) {
      const value = values[name];
      const isDigits = kind === 'minor' || (kind === 'nullable-minor' && value !== null);
      fields[name] = isDigits ? String(value) : value;
    }
    return JSON.stringify(fields);
  }

  /**
   * The event of a type and its stored (and upcast) data.
   * @throws UnreadableFact for a type, a field or a value that this version does not know
   */
  decode(type: string, data: string): E {
    const raw = parse(type, data);
    const fields = this.fieldsOf(type);
    const event: Record<string, unknown> = { type };
    for (const [name, kind] of fields) event[name] = read(kind, raw[name], `${type}.${name}`);
    for (const name of Object.keys(raw)) {
      if (!Object.hasOwn(event, name) || name === 'type') throw new UnreadableFact(`${type} has no field ${name}`);
    }
    return event as unknown as E;
  }

  private fieldsOf(type: string): readonly Field[] {
    const fields = this.fields.get(type);
    if (!fields) throw new UnreadableFact(`no such event: ${type}`);
    return fields;
  }
}
