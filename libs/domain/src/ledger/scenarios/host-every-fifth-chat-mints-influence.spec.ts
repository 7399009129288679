import { bought, chatHeld, chatSucceeded, gift, released } from '../testing/commands.js';
import { given } from '../testing/scenario.js';

const hosted = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, n) => `c${from + n}`).flatMap((chatId) => [
    chatHeld(chatId, 'ann', 'hal', '2'),
    chatSucceeded(chatId),
  ]);
const releases = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, n) => released(`c${from + n}`, 'host'));

test('the first four releases mint nothing, the fifth one Influence', () => {
  given(bought('ann', '100'), hosted(1, 5))
    .when(releases(1, 4))
    .balances(
      `
      account              before   after
      user:hal:pending     5.00     1.00
      user:hal:earned      0.00     4.00
    `,
    )
    .when(released('c5', 'host'))
    .thenWrites('ChatRewardReleased').balances(`
      user:hal:pending              1.00     0.00
      user:hal:earned               4.00     5.00
      user:hal:influence            0        1
      shares:pool:influence:hal     0        1
      issuance:INFLUENCE            0       -1
    `);
});

test('a chat that the host was the initiator of is none of the five', () => {
  given(bought('ann', '100'), hosted(1, 5), bought('hal', '2'), chatHeld('own', 'hal', 'ann', '2')).when(
    chatSucceeded('own'),
    released('own', 'initiator'),
    releases(1, 4),
  ).balances(`
      chat:own                      2.00     0.00
      user:ann:pending              0.00     1.00
      treasury                      5.00     6.00
      user:hal:pending              5.00     1.00
      user:hal:earned               0.00     4.00
      user:hal:influence            0        1
      shares:pool:influence:hal     0        1
      issuance:INFLUENCE            0       -1
    `);
});

test('the tenth mints again, after what the first share is owed was paid', () => {
  given(bought('ann', '2,000'), hosted(1, 10), releases(1, 5), gift('ann', 'ben', '1,000'), releases(6, 9))
    .when(released('c10', 'host'))
    .thenWrites('PoolRewardsPaid', 'ChatRewardReleased').balances(`
      user:hal:pending              1.00       0.00
      user:hal:earned               9.00     510.00
      owed:hal                    500.00       0.00
      pool:influence              500.00       0.00
      user:hal:influence            1          2
      shares:pool:influence:hal     1          2
      issuance:INFLUENCE           -1         -2
    `);
});
