import { LedgerBusy, LedgerOutcomeUnknown } from '@app/ledger';
import type { AccessToken } from '../oauth/access-tokens.js';
import { expectAccepted } from '../platform/errors/rejections.js';
import type { ApplicationMoney } from './application-money.js';
import type { MovementNotes } from './movement-notes.js';
import { NotedMovements } from './noted-movements.js';

const by = { memberId: 'ada', clientId: 'chess' } as AccessToken;
const command = { type: 'EarnAppTokens', clientId: 'chess', userId: 'ada', amount: 1n } as const;

describe('the words of a movement that got no answer', () => {
  it.each([
    ['stay when it may have happened', new LedgerOutcomeUnknown('No answer came in time.'), []],
    ['go when it did not', new LedgerBusy('The ledger is busy.'), ['note']],
  ])('%s', async (_, error, discarded) => {
    const gone: string[] = [];
    const notes: Partial<MovementNotes> = {
      write: () => Promise.resolve('note'),
      discard: (id) => Promise.resolve(void gone.push(id)),
    };
    const money: Partial<ApplicationMoney> = { ledger: { execute: () => Promise.reject(error) } };
    const movements = new NotedMovements(notes as MovementNotes);
    const request = {
      by,
      money: money as ApplicationMoney,
      command,
      call: 'earn',
      description: 'A prize',
      asked: { requestId: 'r', idempotencyKey: undefined },
    };
    await expect(movements.move(request, expectAccepted)).rejects.toBe(error);
    expect(gone).toEqual(discarded);
  });
});
