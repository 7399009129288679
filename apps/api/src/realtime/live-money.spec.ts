import { Logger } from '@nestjs/common';
import type { LedgerEvent } from '@app/domain';
import type { JournalEvent, LedgerListener } from '@app/ledger';
import { eventually } from '../../../../test/support/eventually.js';
import { LiveMoney } from './live-money.js';

it('tells again of what it could not tell, together with what has come meanwhile', async () => {
  const log = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
  const told: string[] = [];
  const waitedFor: number[] = [];
  const sockets = { size: 2, has: () => true, tellEverywhere: (id: string) => told.push(id) };
  const caughtUp = (revision: number) => Promise.resolve({ projected: waitedFor.push(revision) > 0 });
  const find = jest.fn().mockRejectedValueOnce(new Error('the database is away')).mockResolvedValue(new Map());
  let listener: LedgerListener = {};
  const writer = { listen: (given: LedgerListener) => ((listener = given), () => undefined) };
  const money = new LiveMoney({ writer } as never, sockets as never, { caughtUp } as never, { find } as never);
  const posted = (revision: number, id: string): JournalEvent[] => [
    {
      id: '',
      revision,
      event: { type: 'NovaGranted', entries: [[`user:${id}:earned`, 'NOVA', 1n]] } as unknown as LedgerEvent,
    },
  ];
  try {
    money.onApplicationBootstrap();
    listener.onEvents?.(posted(7, 'ada'));
    await eventually(() => log.mock.calls.length === 1);
    listener.onEvents?.(posted(8, 'bob'));
    await eventually(() => told.length === 2);
    expect([told, waitedFor]).toEqual([
      ['ada', 'bob'],
      [7, 8],
    ]);
  } finally {
    await money.onApplicationShutdown();
    log.mockRestore();
  }
});
