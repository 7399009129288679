import type { Plant } from './loader.js';

/** A bug that is put into the product's source as it is loaded. */
export function plant(file: string, from: string, to: string): Plant {
  return (loaded, source) => {
    if (!loaded.endsWith(`/${file}`)) return undefined;
    if (!source.includes(from)) throw new Error(`${file} has no such text, so the plant must be written anew: ${from}`);
    return source.replace(from, () => to);
  };
}

const WRITER = 'ledger-writer.ts';
const DECIDE = 'decide-batch.ts';

/** Bugs that the simulator must find, which shows that it finds any. */
export const PLANTS: ReadonlyMap<string, Plant> = new Map([
  [
    'an answer before the event is durable',
    plant(
      WRITER,
      'this.inFlight = batch;\n    this.next = undefined;',
      'this.inFlight = batch;\n    this.next = undefined;\n    for (const [pending, decided] of batch.decided) this.answer(pending, decided);',
    ),
  ],
  [
    'after a lost race the head is taken, and not its events',
    plant(
      WRITER,
      'await this.catchUp(read && journalOf(read, { trust: this.options.trust }));',
      'this.durable = await this.untilAvailable(() => this.lookAtHead());',
    ),
  ],
  [
    'what may be written is decided again',
    plant(
      WRITER,
      'this.outages += 1;\n        this.stats.retries += 1;',
      'throw new WrongExpectedRevision(LEDGER_STREAM, expected, undefined);',
    ),
  ],
  ['what may be written counts as written', plant(WRITER, 'mayBeWritten ||= error', 'return; mayBeWritten ||= error')],
  ['a refusal without a look at the journal', plant(WRITER, 'await this.confirm(batch);', '')],
  [
    'after a lost race the overlay stays',
    plant(WRITER, 'this.undo.rollback();\n    const unanswered', 'const unanswered'),
  ],
  ['a durable batch can be undone', plant(WRITER, 'this.undo.forget(batch.undoSteps);', '')],
  [
    '"nothing was done" of what was sent',
    plant(
      WRITER,
      'pending.sent\n            ? new LedgerOutcomeUnknown',
      'false\n            ? new LedgerOutcomeUnknown',
    ),
  ],
  ['no look at the journal after an outage', plant(WRITER, 'await this.lookAfterOutages(batch.from);', '')],
  [
    'a start from a snapshot alone',
    plant(
      WRITER,
      'this.durable = snapshot?.head ?? EMPTY_HEAD;',
      'this.durable = snapshot?.head ?? EMPTY_HEAD; if (snapshot) return;',
    ),
  ],
  ['a repeat with the first event alone', plant(WRITER, 'event.part?.[1] ?? 1', 'event.part?.[2] ?? 1')],
  ['journal time that goes back', plant(DECIDE, 'at: Math.max(now, state.time)', 'at: now')],
  [
    'a key that is not looked up',
    plant(
      DECIDE,
      'const verdict = judgeKey(state, key);',
      "const verdict = judgeKey(state, key);\n  if (verdict.status === 'repeat') return { status: 'new' };",
    ),
  ],
  ['every command has the same nonce', plant('nonce.ts', '`${SERVER}.${(given++).toString(36)}`', "'nonce'")],
]);

/** Bugs that whole servers had once: what mended each is taken out. */
export const PLANTS_OF_SERVERS: ReadonlyMap<string, Plant> = new Map([
  [
    'a deletion that overtakes a payment',
    plant('account-closings.ts', 'await this.close({ accountId, actor }, correlationId);', ''),
  ],
  [
    'a dispute that is not looked at again',
    plant('purchase-settlement.ts', 'const DISPUTE_LOOKS_MAX = 4', 'const DISPUTE_LOOKS_MAX = 1'),
  ],
  [
    'a rebuild that fails and keeps the live tables locked',
    plant('rebuild/swap.ts', '  try {\n    await catchUp();', '  await catchUp();\n  try {'),
  ],
  [
    'a restore that ends settled chats',
    plant('projections/src/chats/chats.ts', "row.status === 'held' ? { status, endedAt: time } : {}", '{}'),
  ],
]);
