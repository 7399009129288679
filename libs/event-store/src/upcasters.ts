/** Turns the data of one shape of an event into that of the next shape. It sees parsed JSON and returns parsed JSON. */
interface Upcaster {
  readonly type: string;
  /** The shape that it reads; it makes shape `from + 1`. */
  readonly from: number;
  readonly upcast: (data: Readonly<Record<string, unknown>>) => Record<string, unknown>;
}

/** The name of the data's field that holds its shape: an event's own from shape 2 on. Without the field it is shape 1. */
const SHAPE_FIELD = 'v';

/**
 * Reads events of every shape that was ever written as today's. What is stored and hashed never changes: upcasting comes
 * after the hash chain was checked on the stored bytes (rule ledger-31).
 */
export class Upcasters {
  readonly #chains = new Map<string, Upcaster[]>();

  /** @throws Error a chain has a gap or two steps from one shape */
  constructor(upcasters: readonly Upcaster[]) {
    for (const upcaster of upcasters.toSorted((a, b) => a.from - b.from)) {
      const chain = this.#chains.get(upcaster.type) ?? [];
      if (upcaster.from !== chain.length + 1) {
        throw new Error(
          `${upcaster.type}: an upcaster from shape ${chain.length + 1} was due, not from ${upcaster.from}`,
        );
      }
      chain.push(upcaster);
      this.#chains.set(upcaster.type, chain);
    }
  }

  /**
   * Today's data of an event, as JSON text. A type that has only ever had one shape costs one look-up.
   * @throws Error the data has a shape that this version of the program does not know, or is not a JSON object
   */
  upcast(type: string, data: string): string {
    const chain = this.#chains.get(type);
    if (chain === undefined) return data;
    const parsed = parseObject(type, data);
    const shape = parsed[SHAPE_FIELD] ?? 1;
    const today = chain.length + 1;
    if (typeof shape !== 'number' || !Number.isInteger(shape) || shape < 1 || shape > today) {
      throw new Error(`${type} has shape ${JSON.stringify(shape)}; this version knows 1 to ${today}`);
    }
    if (shape === today) return data;
    const newest = chain.slice(shape - 1).reduce((older, step) => step.upcast(older), parsed);
    return JSON.stringify({ ...newest, [SHAPE_FIELD]: today });
  }
}

function parseObject(type: string, data: string): Record<string, unknown> {
  const parsed: unknown = JSON.parse(data);
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw new Error(`the data of ${type} is not a JSON object`);
  }
  return { ...parsed };
}

/** Every shape that the journal's events have left behind. Add a step here when an event's data changes; never remove one. */
const upcasters = new Upcasters([]);

/** Today's data of a stored event, as JSON text; see `Upcasters.upcast`. */
export function upcast(type: string, data: string): string {
  return upcasters.upcast(type, data);
}
