import { DAY_MS } from '../../day.js';
import { cappedBulk, cappedGrant, deducted, granted } from '../testing/commands.js';
import { given } from '../testing/scenario.js';

test('an admin grants up to the cap of the day, all grants counted, and not a hundredth more', () => {
  given(granted('ann', '600'))
    .when(cappedGrant('ben', '400', '1,000'))
    .thenWrites('NovaGranted').balances(`
      account            before     after
      user:ben:earned      0.00    400.00
      issuance:NOVA     -600.00  -1,000.00
    `);
  given(granted('ann', '600'))
    .when(cappedGrant('ben', '400.01', '1,000'))
    .refused('ADMIN_DAILY_CAP', '400');
});

test('a bulk counts as the sum of its rows, before and after', () => {
  given(granted('ann', '600'))
    .when(cappedBulk(['200', '200.01'], '1,000'))
    .refused('ADMIN_DAILY_CAP', '400');
  given(cappedBulk(['200', '400'], '1,000'))
    .when(cappedGrant('ben', '400.01', '1,000'))
    .refused('ADMIN_DAILY_CAP', '400');
  given(cappedBulk(['200', '400'], '1,000'))
    .when(cappedGrant('ben', '400', '1,000'))
    .thenWrites('NovaGranted');
});

test('each admin has a day of their own, deductions give nothing back, and a lowered cap leaves nothing', () => {
  given(granted('ann', '1,000'))
    .when(cappedGrant('ben', '1,000', '1,000', 'other'))
    .thenWrites('NovaGranted');
  given(granted('ann', '1,000'), deducted('ann', '1,000'))
    .when(cappedGrant('ben', '1', '1,000'))
    .refused('ADMIN_DAILY_CAP', '0');
  given(granted('ann', '1,000'))
    .when(cappedGrant('ben', '1', '500'))
    .refused('ADMIN_DAILY_CAP', '0');
  given()
    .when(cappedGrant('ben', '0.01', '0'))
    .refused('ADMIN_DAILY_CAP', '0');
});

test('at midnight UTC the day begins anew, and a restored state knows what was granted', () => {
  const scene = given(granted('ann', '1,000'));
  scene
    .restored()
    .when(cappedGrant('ben', '1', '1,000'))
    .refused('ADMIN_DAILY_CAP', '0');
  const midnight = (Math.floor(scene.now / DAY_MS) + 1) * DAY_MS;
  scene
    .at(midnight - 1)
    .when(cappedGrant('ben', '1', '1,000'))
    .refused('ADMIN_DAILY_CAP', '0');
  scene
    .at(midnight)
    .when(cappedGrant('ben', '1,000', '1,000'))
    .thenWrites('NovaGranted');
  scene.when(cappedGrant('ben', '0.01', '1,000')).refused('ADMIN_DAILY_CAP', '0');
});
