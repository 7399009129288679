import type { LedgerCommand } from '../commands.js';
import { granted } from '../testing/commands.js';
import { given } from '../testing/scenario.js';

const JOURNAL = '5b1c0e8f6a7d4c219e3f00112233aabb';
const [ONE, OTHER] = ['1'.repeat(64), '2'.repeat(64)];
const PROOF = 'x'.repeat(86);

const begin = (journal = JOURNAL, publicKey = ONE): LedgerCommand => ({ type: 'BeginSigning', journal, publicKey });
const change = (publicKey: string, proof = PROOF): LedgerCommand => ({ type: 'ChangeSigningKey', publicKey, proof });

test('a journal begins to be signed once, and moves nothing by it', () => {
  given(granted('ann', '10')).when(begin()).thenWrites('SigningBegan').balances(`
      user:ann:earned  10.00   10.00
      issuance:NOVA   -10.00  -10.00`);
  given(begin()).when(begin(JOURNAL, OTHER)).refused('ALREADY_SIGNED');
});

test('one that was brought from elsewhere begins anew, under a name of its own', () => {
  given(begin())
    .when(begin('0'.repeat(32), OTHER))
    .thenWrites('SigningBegan');
});

test('the key of a signed journal is changed to another', () => {
  given(begin()).when(change(OTHER)).thenWrites('SigningKeyChanged');
  given(begin(), change(OTHER)).when(change(ONE)).thenWrites('SigningKeyChanged');
  given(begin()).when(change(ONE)).refused('ALREADY_SIGNED');
  given().when(change(OTHER)).refused('NOT_SIGNED');
});

test.each([begin('5B'), begin(JOURNAL, '1'), begin(JOURNAL, 'G'.repeat(64)), change('1'), change(OTHER, 'x')])(
  'what is no name, no key or no signature is refused: %j',
  (command) => {
    given(begin('0'.repeat(32)))
      .when(command)
      .refused('INVALID_COMMAND');
  },
);
