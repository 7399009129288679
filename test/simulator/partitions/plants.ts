import type { Plant } from '../loader.js';
import { plant } from '../plants.js';

/** Puts the movement across into the product's list, and its accounts among the platform's, as they are loaded. */
const TRANSIT: readonly Plant[] = [
  plant(
    'movements/registry.ts',
    "import { signing } from './signing.js';",
    "import { signing } from './signing.js';\nimport { transit } from '../../../../../test/simulator/partitions/transit.js';",
  ),
  plant('movements/registry.ts', '  signing,\n] as const', '  signing,\n  transit,\n] as const'),
  plant('ledger/accounts.ts', "account.startsWith('external:') ||", '/^(external|partition):/.test(account) ||'),
  plant(
    'ledger/state.ts',
    "  ['treasury', 'NOVA'],",
    "  ['treasury', 'NOVA'],\n  ...['transit:0', 'transit:1', 'transit:2', 'partition:0', 'partition:1', 'partition:2'].map((name) => [name, 'NOVA']),",
  ),
];

/** What is loaded with the movement across, and with a bug if one is given. */
export const withTransit =
  (bug?: Plant): Plant =>
  (file, source) => {
    let planted = source;
    for (const each of bug ? [...TRANSIT, bug] : TRANSIT) planted = each(file, planted) ?? planted;
    return planted === source ? undefined : planted;
  };

const CARRIER = 'partitions/carrier.ts';

/** Bugs of the carrying process that the simulator must find. */
export const PARTITION_PLANTS: ReadonlyMap<string, Plant> = new Map([
  [
    'a transfer that is carried twice',
    plant(
      CARRIER,
      'await this.options.give(partition, request);',
      "await this.options.give(partition, { ...request, key: { scope: 'fact', value: `${value}-${pauseMs}` } });",
    ),
  ],
  [
    'given back for want of an answer, and carried',
    plant(
      CARRIER,
      'if (outcome) throw',
      "if (!outcome && value.startsWith('received:')) return { events: [] } as never;\n      if (outcome) throw",
    ),
  ],
  [
    'told before the other partition has it',
    plant(CARRIER, 'const answer = await', "tell(sent, 'arrived');\n    const answer = await"),
  ],
  [
    'transit that is not netted after a restart',
    plant(
      CARRIER,
      'this.readOn().then(() => this.carryAll()',
      'const isFirst = this.next === 0;\n    this.readOn().then(() => (isFirst && this.open.clear(), this.carryAll())',
    ),
  ],
  [
    'an end without a key',
    plant(
      CARRIER,
      'await this.options.give(partition, request);',
      "await this.options.give(partition, value.startsWith('ended:') ? { ...request, key: undefined } as never : request);",
    ),
  ],
  [
    'one queue for all partitions',
    plant(
      CARRIER,
      'this.carry(sent).then(',
      '(this as any).queue = ((this as any).queue ?? Promise.resolve()).then(() => this.carry(sent)).then(',
    ),
  ],
  [
    'a return that only its own carrier tells of',
    (file, source) => {
      const untold = plant(
        CARRIER,
        "if (sent && type === 'GivenBackAcross') this.options.tell(sent, 'given back');",
        '',
      );
      const told = plant(
        CARRIER,
        'purchased, earned },\n    );',
        "purchased, earned },\n    );\n    if (!hasArrived) tell(sent, 'given back');",
      );
      const planted = untold(file, source);
      return planted === undefined ? undefined : told(file, planted);
    },
  ],
]);
