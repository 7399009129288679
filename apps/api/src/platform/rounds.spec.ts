import { Logger } from '@nestjs/common';
import { eventually } from '../../../../test/support/eventually.js';
import { Rounds } from './rounds.js';

class Failing extends Rounds {
  rounds = 0;

  constructor(private readonly reasonOfRound: (round: number) => string) {
    super({ everyMs: 1 }, 'looking');
  }

  protected override round(): Promise<void> {
    this.rounds += 1;
    return Promise.reject(new Error(this.reasonOfRound(this.rounds)));
  }
}

describe('rounds that fail', () => {
  it('show where only when the reason is a new one', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const failing = new Failing((round) => (round < 4 ? 'not made yet' : 'another'));
    failing.onApplicationBootstrap();
    await eventually(
      async () => failing.rounds,
      (rounds) => rounds > 5,
    );
    await failing.beforeApplicationShutdown();
    const details = warn.mock.calls.map(([given]) => Object.keys(given as object).join());
    expect(details.slice(0, 5)).toEqual(['err', 'reason', 'reason', 'err', 'reason']);
  });
});
