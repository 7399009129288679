import {
  bought,
  chatBrokenOff,
  chatHeld,
  chatRefunded,
  chatSucceeded,
  karmaMinted,
  released,
  threadShared,
} from '../testing/commands.js';
import { given } from '../testing/scenario.js';

const paid = (price: string) => [bought('ann', '1,250'), chatHeld('c1', 'ann', 'hal', price)];

test('half is pending for the host; shares of pools without holders go to the treasury', () => {
  given(paid('1,250')).when(chatSucceeded('c1')).thenWrites('ChatPaymentSettled').balances(`
      account             before     after
      chat:c1           1,250.00      0.00
      user:hal:pending      0.00    625.00
      treasury              0.00    625.00
    `);
});

test('a tenth each goes to holders of Karma and to the host’s thread', () => {
  given(paid('1,250'), karmaMinted('kim'), threadShared('hal', 'tom'), threadShared('hal', 'kim'))
    .when(chatSucceeded('c1'))
    .thenWrites('ChatPaymentSettled').balances(`
      chat:c1           1,250.00      0.00
      user:hal:pending      0.00    625.00
      pool:karma            0.00    125.00
      pool:thread:hal       0.00    125.00
      owed:kim              0.00    187.50
      owed:tom              0.00     62.50
      treasury              0.00    375.00
    `);
});

test('seven hundredths are split by the largest remainder: 3, 1, 1, 2', () => {
  given(paid('0.07'), karmaMinted('kim'), threadShared('hal', 'tom'))
    .when(chatSucceeded('c1'))
    .thenWrites('ChatPaymentSettled').balances(`
      chat:c1               0.07      0.00
      user:hal:pending      0.00      0.03
      pool:karma            0.00      0.01
      pool:thread:hal       0.00      0.01
      owed:kim              0.00      0.01
      owed:tom              0.00      0.01
      treasury              0.00      0.02
    `);
});

test('the host’s reward is released to earned', () => {
  given(paid('1,250'), chatSucceeded('c1')).when(released('c1', 'host')).thenWrites('ChatRewardReleased').balances(`
      user:hal:pending    625.00      0.00
      user:hal:earned       0.00    625.00
    `);
});

test('the initiator’s reward is one Influence', () => {
  given(paid('1,250'), chatSucceeded('c1')).when(released('c1', 'initiator')).thenWrites('ChatRewardReleased')
    .balances(`
      user:ann:influence               0       1
      shares:pool:influence:ann        0       1
      issuance:INFLUENCE               0      -1
    `);
});

test('each side is rewarded once, in either order', () => {
  const both = () => given(paid('10'), chatSucceeded('c1'), released('c1', 'initiator'), released('c1', 'host'));
  both().when(released('c1', 'host')).refused('REWARD_NOT_PENDING');
  both().when(released('c1', 'initiator')).refused('REWARD_NOT_PENDING');
  given(paid('10'), chatSucceeded('c1'), released('c1', 'host'))
    .when(released('c1', 'host'))
    .refused('REWARD_NOT_PENDING');
  given(paid('10')).when(released('c1', 'host')).refused('REWARD_NOT_PENDING');
});

test('a chat that succeeded ends no second time', () => {
  const settled = () => given(paid('10'), chatSucceeded('c1'));
  settled().when(chatSucceeded('c1')).refused('CHAT_NOT_HELD');
  settled().when(chatRefunded('c1')).refused('CHAT_NOT_HELD');
  settled().when(chatBrokenOff('c1', '1')).refused('CHAT_NOT_HELD');
});
