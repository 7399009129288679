import { closing, questReward } from '../testing/commands.js';
import { given } from '../testing/scenario.js';

test('a quest’s reward is issued to earned', () => {
  given().when(questReward('ann', '50')).thenWrites('QuestRewardClaimed').balances(`
      account            before   after
      user:ann:earned      0.00    50.00
      issuance:NOVA        0.00   -50.00
    `);
});

test('refused: nothing, or an account that is closing', () => {
  given().when(questReward('ann', '0')).refused('INVALID_AMOUNT');
  given(closing('ann')).when(questReward('ann', '50')).refused('ACCOUNT_CLOSED');
});
