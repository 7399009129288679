import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { novaText } from '@app/domain';
import { LedgerOutcomeUnknown } from '@app/ledger';
import { NOTE_CAUSE } from '@app/projections';
import { v7 as uuidv7 } from 'uuid';
import type { ProvenApplication } from '../../oauth/application-credentials.js';
import { type Call, calledBy } from '../../platform/current-call.js';
import { derivedId } from '../../platform/derived-id.js';
import { AppError } from '../../platform/errors/app-error.js';
import { type Accepted, expectAccepted } from '../../platform/errors/rejections.js';
import { RateLimits } from '../../platform/rate-limit/rate-limits.js';
import { toMinor, toNova } from '../../wallet/nova-amount.js';
import type { BulkPaidDto, BulkPaymentDto } from '../app-money.dto.js';
import type { ApplicationMoney } from '../application-money.js';
import { ApplicationMoneys } from '../application-moneys.js';
import { MovementNotes } from '../movement-notes.js';

export class EarnInBulk extends Command<BulkPaidDto> {
  constructor(
    readonly by: ProvenApplication,
    readonly items: readonly BulkPaymentDto[],
    readonly call: Call,
  ) {
    super();
  }
}

const PLACES_SHOWN_MAX = 10;

interface Payment {
  readonly userId: string;
  readonly amount: bigint;
  readonly note: { readonly id: string; readonly text: string } | undefined;
}

/** Pays many members in one append, or nobody (rule apps-10). */
@CommandHandler(EarnInBulk)
export class EarnInBulkHandler implements ICommandHandler<EarnInBulk> {
  constructor(
    private readonly moneys: ApplicationMoneys,
    private readonly limits: RateLimits,
    private readonly notes: MovementNotes,
  ) {}

  /** @throws AppError 400 the wallet holds less, 403 consent or frozen, 422 key reused, 429, 503 busy */
  async execute({ by, items, call }: EarnInBulk): Promise<BulkPaidDto> {
    const payments = items.map((item, place) => paymentOf(by, item, call.idempotencyKey, place));
    this.limit(by, payments);
    const money = await this.moneys.of(by.clientId);
    const consenting = await money.spendersOf(payments.map(({ userId }) => userId));
    const missing = payments.flatMap(({ userId }, place) => (consenting.has(userId) ? [] : place));
    if (missing.length > 0) throw consentMissing(missing);
    const accepted = await this.pay(by, money, payments, call);
    const { projected } = await money.caughtUp(accepted.revision);
    const total = payments.reduce((sum, { amount }) => sum + amount, 0n);
    return {
      message: `Paid ${novaText(total)} to members in ${payments.length} payments.`,
      items: payments.map(({ userId, amount }, place) => ({
        userId,
        amount: toNova(amount),
        transactionId: accepted.events[place]?.id ?? '',
      })),
      total: toNova(total),
      projected,
      livemode: money.livemode,
    };
  }

  /** Each payment counts as a single one does, by application and member. */
  private limit({ clientId }: ProvenApplication, payments: readonly Payment[]): void {
    const callers = payments.map(({ userId }) => `${clientId} ${userId}`);
    for (const caller of callers) this.limits.tokenWrites.check(caller);
    for (const caller of callers) this.limits.tokenWrites.count(caller);
  }

  /** Notes come before the events that name them. One that an earlier attempt with this key wrote stays its own. */
  private async pay(
    { clientId }: ProvenApplication,
    { ledger }: ApplicationMoney,
    payments: readonly Payment[],
    call: Call,
  ): Promise<Accepted> {
    const notes = payments.flatMap(({ userId, note }) =>
      note === undefined ? [] : { id: note.id, userId, clientId, note: note.text },
    );
    const written = await this.notes.writeMany(notes);
    try {
      const accepted = expectAccepted(
        await ledger.execute({
          command: {
            type: 'EarnAppTokensInBulk',
            clientId,
            payments: payments.map(({ userId, amount, note }) => ({
              userId,
              amount,
              ...(note && { cause: `${NOTE_CAUSE}${note.id}` }),
            })),
          },
          actor: `app:${clientId}`,
          ...calledBy(call, `app:${clientId}:tokens.earn-bulk`),
        }),
      );
      // The attempt that wrote them may have been refused meanwhile, and have taken them back.
      if (written.length < notes.length) await this.notes.writeMany(notes);
      return accepted;
    } catch (error) {
      // Payments that may have happened keep their notes.
      if (!(error instanceof LedgerOutcomeUnknown)) await this.notes.discard(...written);
      throw error;
    }
  }
}

/** A repeat with the same key and words names the same note; other words are another request. */
function paymentOf(
  { clientId }: ProvenApplication,
  { userId, amount, description }: BulkPaymentDto,
  key: string | undefined,
  place: number,
): Payment {
  const text = description ?? undefined;
  const id = key === undefined ? uuidv7() : derivedId('bulk-note', JSON.stringify([clientId, key, place, text]));
  return { userId: userId.toLowerCase(), amount: toMinor(amount), note: text === undefined ? undefined : { id, text } };
}

/** @param places of the items whose members have not consented, from 0 */
const consentMissing = (places: readonly number[]): AppError =>
  new AppError(403, 'CONSENT_MISSING', 'Not every member has allowed this application to move their Nova.', {
    extra: { items: places.slice(0, PLACES_SHOWN_MAX) },
  });
