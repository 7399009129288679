const CLIENT_PREFIX = 'test_';

/**
 * The head of the ids of made-up members: UUIDs of version 8. Accounts have version 7 (or 4), so that no member's id is one
 * of these.
 */
export const TEST_MEMBER_HEAD = '7e577e57-7e57-8';

/** Streams of the test ledgers: none begins as the journal's name does, so that no reader of the journal is sent their events. */
export const TEST_LEDGER_STREAM_PREFIX = 'test-ledger-';

/** Whose test data it is: after a reset the same client has another generation. */
export interface TestData {
  readonly clientId: string;
  readonly generation: number;
}

/** The stream of a test client's ledger. */
export const testStreamOf = ({ clientId, generation }: TestData): string =>
  `${TEST_LEDGER_STREAM_PREFIX}${clientId}-${generation}`;

const TEST_STREAM = new RegExp(`^${TEST_LEDGER_STREAM_PREFIX}(${CLIENT_PREFIX}.+)-(\\d+)$`);

/** Undefined for a stream that is no test ledger. */
export function testDataOf(stream: string): TestData | undefined {
  const [, clientId, generation] = TEST_STREAM.exec(stream) ?? [];
  return clientId === undefined ? undefined : { clientId, generation: Number(generation) };
}

/** How many events it begins with: what its members and its wallet have at first. */
export const TEST_EVENTS_AT_FIRST = 5;

/** How many events the test data of an application may have until it is reset (rule apps-11). */
export const TEST_EVENTS_MAX = 10_000;

/** The client id of an application's test mode; ids of applications are hexadecimal digits. */
export const testClientIdOf = (clientId: string): string => CLIENT_PREFIX + clientId;

export const isTestClientId = (id: string): boolean => id.startsWith(CLIENT_PREFIX);

/** The id under which the application itself is registered, of its live or its test client id. */
export const applicationIdOf = (clientId: string): string =>
  isTestClientId(clientId) ? clientId.slice(CLIENT_PREFIX.length) : clientId;

export const isTestMemberId = (id: string): boolean => id.toLowerCase().startsWith(TEST_MEMBER_HEAD);

/** The ids that a command names: what its fields hold whose name ends with `Id`, at any depth. */
export function* idsNamedIn(command: object): Generator<string> {
  for (const [field, value] of Object.entries(command) as [string, unknown][]) {
    if (typeof value === 'string' && field.endsWith('Id')) yield value;
    else if (typeof value === 'object' && value !== null) yield* idsNamedIn(value);
  }
}
