import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { PostgresEventStore } from '@app/event-store';
import { JournalSigner, type LedgerWriter } from '@app/ledger';
import { callsPerSecond, fund, memberIds, openWriter, pairsOf, sendGift, type Pair } from './gifts.js';
import { type Figure, percentile } from './report.js';
import type { Surroundings } from './surroundings.js';

const MEMBERS = 10_000;
const ROUNDS = 7;
const JOURNAL_BYTES = 16;

/** As many as fill every batch, where signing may cost 3 %, and few. */
const CASES: readonly { callers: number; goal?: Figure['goal'] }[] = [
  { callers: 1_500, goal: { at: '>=', value: 0.97 } },
  { callers: 64 },
];

/** Durable gifts a second of a journal whose appends are signed and of one whose are not, in turns. */
export async function benchSigning(surroundings: Surroundings, seconds: number): Promise<Figure[]> {
  const ids = memberIds(MEMBERS);
  const pair = pairsOf(ids);
  const plain = await Books.open(await surroundings.database(), ids);
  const signed = await Books.open(await surroundings.database(), ids, new JournalSigner(newKey()));
  const figures: Figure[] = [];
  for (const { callers, goal } of CASES) {
    const rates = { plain: [] as number[], signed: [] as number[] };
    await rateOf(plain, callers, seconds, pair);
    await rateOf(signed, callers, seconds, pair);
    for (let round = 0; round < ROUNDS; round++) {
      for (const books of round % 2 === 0 ? [plain, signed] : [signed, plain]) {
        (books === plain ? rates.plain : rates.signed).push(await rateOf(books, callers, seconds, pair));
      }
    }
    const ratios = rates.signed.map((rate, round) => rate / (rates.plain[round] ?? NaN));
    const group = `signed gifts, ${callers} callers`;
    figures.push(
      { group, name: 'unsigned, median', value: percentile(rates.plain, 50), unit: '/s' },
      { group, name: 'signed, median', value: percentile(rates.signed, 50), unit: '/s' },
      { group, name: 'signed ÷ unsigned, least', value: Math.min(...ratios), unit: '×' },
      { group, name: 'signed ÷ unsigned, median', value: percentile(ratios, 50), unit: '×', ...(goal && { goal }) },
      { group, name: 'signed ÷ unsigned, most', value: Math.max(...ratios), unit: '×' },
    );
  }
  await Promise.all([plain.close(), signed.close()]);
  return figures;
}

const newKey = () => generateKeyPairSync('ed25519').privateKey;

const rateOf = ({ writer }: Books, callers: number, seconds: number, pair: Pair): Promise<number> =>
  callsPerSecond(callers, seconds, () => sendGift(writer, pair));

class Books {
  private constructor(
    readonly writer: LedgerWriter,
    private readonly store: PostgresEventStore,
  ) {}

  static async open(url: string, ids: readonly string[], signer?: JournalSigner): Promise<Books> {
    const store = await PostgresEventStore.open({ connectionString: url });
    const writer = await openWriter(store, { envelope: 2, ...(signer && { signerFor: () => signer }) });
    if (signer) {
      const journal = randomBytes(JOURNAL_BYTES).toString('hex');
      const { publicKey } = signer;
      await writer.execute({ command: { type: 'BeginSigning', journal, publicKey }, actor: 'terminal' });
    }
    await fund(writer, ids);
    return new Books(writer, store);
  }

  async close(): Promise<void> {
    await this.writer.stop();
    await this.store.close();
  }
}
