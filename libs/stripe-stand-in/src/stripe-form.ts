/** A body in Stripe's form encoding, nested: `metadata[userId]=7` is `{ metadata: { userId: '7' } }`. */
export interface StripeForm {
  readonly [name: string]: string | StripeForm | undefined;
}

const NAME = /^([a-z_0-9]+)((?:\[[A-Za-z0-9_-]*\])*)$/;
const NESTING_MAX = 4;
const FIELDS_MAX = 100;

/** Nests a flat form. Undefined if Stripe's encoding cannot produce one of the names. */
export function parseStripeForm(flat: Readonly<Record<string, unknown>>): StripeForm | undefined {
  const root = emptyForm();
  const fields = Object.entries(flat);
  if (fields.length > FIELDS_MAX) return undefined;
  for (const [name, value] of fields) {
    const match = NAME.exec(name);
    if (!match || typeof value !== 'string') return undefined;
    const [, first = '', rest = ''] = match;
    const path = [first, ...[...rest.matchAll(/\[([^\]]*)\]/g)].map(([, inner = '']) => inner)];
    if (path.length > NESTING_MAX || !place(root, path, value)) return undefined;
  }
  return root;
}

export const formText = (form: StripeForm, name: string): string | undefined => {
  const value = form[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
};

/** A whole number of at least 1, as Stripe takes amounts; undefined for anything else. */
export const formAmount = (form: StripeForm, name: string): number | undefined => {
  const text = formText(form, name);
  return text !== undefined && /^[1-9]\d{0,11}$/.test(text) ? Number(text) : undefined;
};

/** The text values below a name, for `metadata[…]`. */
export const formMap = (form: StripeForm, name: string): Record<string, string> => {
  const value = form[name];
  if (typeof value !== 'object') return {};
  return Object.fromEntries(
    Object.entries(value).filter((pair): pair is [string, string] => typeof pair[1] === 'string'),
  );
};

type MutableForm = Record<string, string | StripeForm>;

/** Without a prototype: a member's `__proto__` is then a name like any other. */
const emptyForm = (): MutableForm => Object.create(null) as MutableForm;

function place(root: MutableForm, path: readonly string[], value: string): boolean {
  let at = root;
  for (const part of path.slice(0, -1)) {
    const next = at[part] ?? emptyForm();
    if (typeof next === 'string') return false;
    at[part] = next;
    at = next as MutableForm;
  }
  const last = path.at(-1) ?? '';
  // `expand[]=a&expand[]=b` has no names for its items: they are numbered in order.
  const name = last === '' ? String(Object.keys(at).length) : last;
  if (name in at) return false;
  at[name] = value;
  return true;
}
