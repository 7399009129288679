import { exportFormat, readArguments, UsageError } from './cli-arguments.js';

const HASH = 'ab'.repeat(32);

describe('the command line of finance', () => {
  it('reads command, subject, moment and period', () => {
    expect(readArguments(['statement', 'ada', '--from', '2026-01-01', '--to', '2026-01-31T12:00:00Z'])).toMatchObject({
      command: 'statement',
      subject: 'ada',
      moment: { at: undefined, revision: undefined },
      period: {
        from: { start: new Date('2026-01-01T00:00:00Z') },
        to: { end: new Date('2026-01-31T12:00:00.001Z') },
      },
    });
    const { moment } = readArguments(['replay', '--at', '2026-01-31']);
    expect(moment.at?.end).toEqual(new Date('2026-02-01T00:00:00Z'));
    expect(readArguments(['replay', '--revision', '7']).moment.revision).toBe(7);
    expect(readArguments(['verify', '--anchor', `7:${HASH}`]).anchor).toEqual({ revision: 7, hash: HASH });
    expect(readArguments(['verify', '--seals', 's3://nova-seals']).seals).toBe('s3://nova-seals');
    expect(readArguments(['verify', '--catch-up']).catchUp).toBe(true);
    expect(readArguments(['verify']).catchUp).toBe(false);
    expect(readArguments(['import', 'x.jsonl', '--take-future'])).toMatchObject({
      subject: 'x.jsonl',
      takeFuture: true,
    });
  });

  it.each([
    [['replay', '--at', 'yesterday']],
    [['replay', '--at', '2026-02-30']],
    [['replay', '--at', '2026-02-30T12:00:00Z']],
    [['replay', '--at', '2026-13-01T12:00:00Z']],
    [['replay', '--revision=-1']],
    [['replay', '--revision', '1e3']],
    [['export', '--from', '2026-1-1']],
    [['verify', '--anchor', '7']],
    [['verify', '--anchor', `7:${HASH}0`]],
    [['export', '--format', 'csv', '--from', '2026-02-01', '--to', '2026-01-31']],
    [['statement', 'ada', '--from', '2026-01-31T12:00:00.001Z', '--to', '2026-01-31T12:00:00Z']],
    [['reconcile', '--from', '2026-02-01', '--to', '2026-01-31']],
  ])('refuses %j with a sentence', (argv) => {
    expect(() => readArguments(argv)).toThrow(UsageError);
    expect(() => readArguments(argv)).toThrow(/^--/);
  });

  it.each([
    [['close', '2026-01-15'], '2026-01-15'],
    [['close', '--to', '2026-01-15'], '--to'],
    [['statement', 'ada', '--at', '2026-01-15'], '--at'],
    [['statement', 'ada', 'bob'], 'bob'],
    [['export', '--format', 'csv', '--at', '2026-01-15'], '--at'],
    [['verify', '--replace'], '--replace'],
    [['periods', 'all'], 'all'],
    [['replay', '--seals', 'here'], '--seals'],
    [['reconcile', '--at', '2026-01-15'], '--at'],
  ])('refuses what the command does not take: %j', (argv, odd) => {
    expect(() => readArguments(argv)).toThrow(UsageError);
    expect(() => readArguments(argv)).toThrow(`${argv[0]} does not take ${odd}: nothing was done.`);
  });

  it.each([
    [['balance'], 'balance needs a member: an id or an e-mail address.'],
    [['statement', '--from', '2026-01-01'], 'statement needs a member: an id or an e-mail address.'],
    [['statement', 'ada', '--format', 'xml'], '--format of a statement is csv.'],
    [['import'], 'import needs a file that export --format jsonl wrote.'],
    [['export'], '--format is one of hledger, beancount, postings, csv, jsonl.'],
    [['export', '--format', 'csv', '--accounts', 'x.csv'], '--accounts belongs to --format postings.'],
    [['export', '--format', 'toString'], '--format is one of hledger, beancount, postings, csv, jsonl.'],
    [['rebuild'], 'rebuild needs a read model: all, balances,'],
    [['rebuild', 'nobody'], 'rebuild needs a read model: all, balances,'],
    [['verify', '--bogus'], "Unknown option '--bogus'. --help lists all commands and options."],
    [['replay', '--at'], "Option '--at <value>' argument missing. --help lists all commands and options."],
  ])('says what is missing or unknown before anything is opened: %j', (argv, sentence) => {
    expect(() => readArguments(argv)).toThrow(UsageError);
    expect(() => readArguments(argv)).toThrow(sentence);
  });

  it.each([[['--help']], [['-h']], [['verify', '--help']], [['balance', '--help']]])(
    'takes %j as a question',
    (argv) => {
      expect(readArguments(argv).help).toBe(true);
    },
  );

  it('takes a range of one day, and of one moment', () => {
    for (const time of ['2026-01-31', '2026-01-31T12:00:00Z']) {
      expect(readArguments(['statement', 'ada', '--from', time, '--to', time]).period.from).toBeDefined();
    }
  });

  it('refuses two moments', () => {
    expect(() => readArguments(['replay', '--at', '2026-01-31', '--revision', '7'])).toThrow(UsageError);
  });

  it('leaves it to the caller that a command is unknown', () => {
    expect(readArguments(['colse', '--to', '2026-01-15']).command).toBe('colse');
    expect(readArguments([]).command).toBeUndefined();
  });

  it('knows the formats', () => {
    expect(exportFormat('beancount')).toBe('beancount');
  });
});
